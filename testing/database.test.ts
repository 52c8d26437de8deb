import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './database';

const ask = async (connectionString: string, statement: string) => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
};

test('gives each caller an empty UTF-8 database of its own', async () => {
  const one = await createTestDatabase();
  const other = await createTestDatabase();
  await ask(one.databaseUrl, 'create table truck (name text)');
  expect(await ask(other.databaseUrl, "select to_regclass('truck') as found")).toEqual([{ found: null }]);
  expect(await ask(one.databaseUrl, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
  await one.drop();
  await expect(ask(one.databaseUrl, 'select 1')).rejects.toThrow(/does not exist/);
  await other.drop();
});
