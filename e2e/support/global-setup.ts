import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '@/lib/database/embedded/embedded-postgres';
import { createScratchFolder, removeScratchFolder, sweepScratchFolders } from '@/testing/scratch';
import { startApplication } from './application';
import { TEMPLATE, createDatabase, sharePostgres } from './databases';

const SCRATCH = 'linehaul-e2e-';
/** No program listens there: the template needs no fleet. */
const NO_PROVIDER = {
  TRACKING_BASE_URL: 'http://127.0.0.1:9',
  TRACKING_API_KEY: 'unused-key-of-the-template',
  TRACKING_PROVIDER_TOKEN: 'unused-token-of-the-template',
};

/** Migrates a database and adds the first manager; returns the cookie of that manager's session. */
const createTemplate = async (): Promise<string> => {
  const databaseUrl = await createDatabase('template1', TEMPLATE);
  const folder = mkdtempSync(join(tmpdir(), SCRATCH));
  const log = join(folder, 'application.log');
  const application = await startApplication({ ...NO_PROVIDER, DATABASE_URL: databaseUrl }, log);
  await application.stop();
  rmSync(folder, { recursive: true });
  return application.cookie;
};

/** Starts one PostgreSQL for the run, with the template of the applications' databases in it. */
export default async (): Promise<() => Promise<void>> => {
  await sweepScratchFolders(SCRATCH);
  const folder = createScratchFolder(SCRATCH);
  const postgres = await openPostgres({
    root: folder,
    dataFolder: folder,
    purpose: 'the end-to-end tests',
    durable: false,
  });
  const stop = async () => {
    await postgres.stop();
    await removeScratchFolder(folder);
  };
  try {
    sharePostgres({ serverUrl: postgres.databaseUrl, managerCookie: '' });
    const managerCookie = await createTemplate();
    sharePostgres({ serverUrl: postgres.databaseUrl, managerCookie });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
};
