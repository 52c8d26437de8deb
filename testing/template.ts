import pg from 'pg';
import { migrateDatabase as migrateApplication } from '@/lib/postgres/migrate';
import { migrateDatabase as migrateService } from '@/service/store/migrate';

/** The database with all tables of the application and of the service, which tests clone. */
export const TEMPLATE_NAME = 'linehaul_template';

export const toDatabaseUrl = (serverUrl: string, name: string): string => {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
};

/** The rows of one statement, on a connection of its own. */
export const runStatement = async (
  connectionString: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
};

/** Makes a database as a copy of `template`, which must have no open connection, and returns its URL. */
export const cloneDatabase = async (serverUrl: string, name: string, template: string): Promise<string> => {
  await runStatement(serverUrl, `create database ${name} template ${template}`);
  return toDatabaseUrl(serverUrl, name);
};

/** Makes the template: migrations take a second, a clone of their result some 50 ms. */
export const createTemplate = async (serverUrl: string): Promise<void> => {
  const databaseUrl = await cloneDatabase(serverUrl, TEMPLATE_NAME, 'template1');
  await migrateService(databaseUrl);
  await migrateApplication(databaseUrl);
};
