import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/testing/database';

const text = readFileSync('docs/sharding.md', 'utf8');
const spread = [...text.matchAll(/create_distributed_table\('(linehaul\.\w+)', 'usdot'/g)].map(
  ([, name]) => name!,
);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('each unique key of a table that is spread by the USDOT number begins with it', async () => {
  expect(spread.length).toBeGreaterThan(5);
  const keys = await database.query(
    `SELECT 'linehaul.' || relname AS name, attname AS first
     FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
     JOIN pg_class ON pg_class.oid = indrelid
     WHERE indisunique AND indrelid = ANY($1::regclass[])`,
    [spread],
  );
  expect(keys.filter(({ first }) => first !== 'usdot')).toEqual([]);
  const keyed = new Set(keys.map(({ name }) => name));
  // Of these each partition has its own (lib/recording/partitions.ts).
  expect(spread.filter((name) => !keyed.has(name))).toEqual(['linehaul.fixes', 'linehaul.states']);
});

it('says of each other table that has the number what is in the way', async () => {
  const tables = await database.query(
    `SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'usdot'
     WHERE relnamespace IN ('linehaul'::regnamespace, 'tracking'::regnamespace)
       AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  expect(tables.length).toBeGreaterThan(spread.length);
  const missing = tables.map(({ name }) => String(name)).filter((name) => !text.includes(name));
  expect(missing).toEqual([]);
});
