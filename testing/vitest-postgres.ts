import type { TestProject } from 'vitest/node';
import { openPostgres } from '@/lib/postgres/embedded/embedded-postgres';
import { createScratchFolder, removeScratchFolder, sweepScratchFolders } from './scratch';
import { createTemplate } from './template';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL for this run alone; take a database of it with createTestDatabase(). */
    databaseUrl: string;
  }
}

const PREFIX = 'linehaul-vitest-';

/** One PostgreSQL for the whole run, in a temporary folder that goes with it. */
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
