import { expect, test } from 'vitest';
import { createEmptyDatabase, createTestDatabase } from './database';
import { runStatement } from './template';

const find = async (table: string, databaseUrl: string): Promise<unknown> =>
  (await runStatement(databaseUrl, 'select to_regclass($1) as found', [table]))[0]!.found;

test('gives each caller a UTF-8 database of its own, with all tables', async () => {
  const one = await createTestDatabase();
  const other = await createTestDatabase();
  await one.query('create table truck (name text)');
  expect(await find('truck', other.databaseUrl)).toBeNull();
  expect(await find('linehaul.users', other.databaseUrl)).not.toBeNull();
  expect(await find('tracking.vehicles', other.databaseUrl)).not.toBeNull();
  expect(await other.query('show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
  await one.drop();
  await expect(runStatement(one.databaseUrl, 'select 1')).rejects.toThrow(/does not exist/);
  await other.drop();
});

test('gives a database without tables to a test of what creates them', async () => {
  const empty = await createEmptyDatabase();
  expect(await find('tracking.vehicles', empty.databaseUrl)).toBeNull();
  await empty.drop();
});
