import { randomBytes } from 'node:crypto';
import { cloneDatabase } from '@/testing/template';

/** The run's PostgreSQL, which global-setup.ts starts and the workers find in their environment. */
interface SharedPostgres {
  serverUrl: string;
  /** A session of the first manager in each clone of the template, as "name=value". */
  managerCookie: string;
}

const VARIABLE = 'E2E_POSTGRES';

/** The database with a first manager, which applications that require sign-in start on a clone of. */
export const TEMPLATE = 'e2e_template';

export const sharePostgres = (shared: SharedPostgres): void => {
  process.env[VARIABLE] = JSON.stringify(shared);
};

export const readSharedPostgres = (): SharedPostgres => {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error(`${VARIABLE} is not set: global-setup.ts has not run.`);
  return JSON.parse(text) as SharedPostgres;
};

/** Makes a database on the run's server and returns its URL. A template must have no open connection. */
export const createDatabase = (
  template = 'template1',
  name = `e2e_${randomBytes(6).toString('hex')}`,
): Promise<string> => cloneDatabase(readSharedPostgres().serverUrl, name, template);
