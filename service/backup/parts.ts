import { join } from 'node:path';
import { MIGRATIONS_TABLE, findMigrationsFolder } from '../store/migrate';

/** What keeps a schema of its own in the database that is backed up. */
export interface Part {
  schema: string;
  /** Its migrations, as SQL files. */
  migrationsFolder: string;
  /** Where Drizzle notes which of them were done. */
  notes: string;
}

/** Schemas of ours, each of which may be there or not. */
export const SCHEMAS = ['tracking', 'linehaul'];

/** The service, and the web application that may keep its accounts beside it. It is known by its files alone. */
export const listParts = (): Part[] => [
  {
    schema: 'tracking',
    migrationsFolder: findMigrationsFolder(),
    notes: `drizzle.${MIGRATIONS_TABLE}`,
  },
  {
    schema: 'linehaul',
    migrationsFolder: join(/* turbopackIgnore: true */ process.cwd(), 'lib', 'postgres', 'migrations'),
    notes: 'drizzle.linehaul_migrations',
  },
];
