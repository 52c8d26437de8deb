import type { TestProject } from 'vitest/node';
import { openPostgres } from '@/lib/database/embedded/embedded-postgres';
import { APPLICATION_PART, TRACKING_PART } from '@/lib/database/database';
import { migrateDatabase } from '@/lib/database/migrate';
import { createScratchFolder, removeScratchFolder, sweepScratchFolders } from './scratch';
import { TEMPLATE_NAME, cloneDatabase } from './template';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL for this run only; createTestDatabase() creates a database of it. */
    databaseUrl: string;
  }
}

const PREFIX = 'linehaul-vitest-';

/** Creates the template: migrations take a second, a clone of their result about 50 ms. */
const createTemplate = async (serverUrl: string): Promise<void> => {
  const databaseUrl = await cloneDatabase(serverUrl, TEMPLATE_NAME, 'template1');
  await migrateDatabase(databaseUrl, TRACKING_PART);
  await migrateDatabase(databaseUrl, APPLICATION_PART);
};

/** One PostgreSQL for the whole run, in a temporary folder that is removed with it. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  await sweepScratchFolders(PREFIX);
  const dataFolder = createScratchFolder(PREFIX);
  const postgres = await openPostgres({ root: dataFolder, dataFolder, purpose: 'vitest', durable: false });
  await createTemplate(postgres.databaseUrl);
  provide('databaseUrl', postgres.databaseUrl);
  return async () => {
    await postgres.stop();
    await removeScratchFolder(dataFolder);
  };
};
