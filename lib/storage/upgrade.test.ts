import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestAccounts } from '@/lib/accounts/testing/accounts';
import { createTestDatabase } from '@/scripts/testing/database';
import type { TestDatabase } from '@/scripts/testing/database';
import { openStore } from '@/service/store/store';

const SERVICE_MIGRATIONS = 'service/store/migrations';
const FIRST = '0000_tracking';

let database: TestDatabase;
let client: pg.Client;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  folder = mkdtempSync(join(tmpdir(), 'linehaul-before-'));
});
afterAll(async () => {
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** The tables as the version before accounts made them: the first migration of the service, and nothing else. */
const createAsBefore = async (): Promise<void> => {
  mkdirSync(join(folder, 'meta'));
  cpSync(join(SERVICE_MIGRATIONS, `${FIRST}.sql`), join(folder, `${FIRST}.sql`));
  const journal = JSON.parse(readFileSync(join(SERVICE_MIGRATIONS, 'meta', '_journal.json'), 'utf8')) as {
    entries: { tag: string }[];
  };
  const entries = journal.entries.filter(({ tag }) => tag === FIRST);
  writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }));
  await migrate(drizzle({ client }), { migrationsFolder: folder, migrationsTable: 'tracking_migrations' });
  await client.query(`
    INSERT INTO tracking.carriers (usdot, company_name, company_id) VALUES ('1234567', 'Prairie Freight', 'pf');
    INSERT INTO tracking.vehicles (usdot, vin, truck_number) VALUES ('1234567', '1XKYD49X7KJ900001', '4107');
    INSERT INTO tracking.fixes (vehicle_id, fix_at_ms, received_at_ms, lat, lng) VALUES (1, 1000, 2000, 35, -101);
    INSERT INTO tracking.api_keys (id, usdot, name, key_hash, provider_token_hash, created_at_ms)
      VALUES ('k', '1234567', 'dispatch', '\\x01', '\\x02', 1000)`);
};

const readKept = async (): Promise<Record<string, unknown>[]> => {
  const { rows } = await client.query<Record<string, unknown>>(`
    SELECT c.company_name, v.vin, v.truck_number, f.fix_at_ms, f.lat, f.lng, k.name
    FROM tracking.carriers c JOIN tracking.vehicles v USING (usdot) JOIN tracking.fixes f ON f.vehicle_id = v.id
      JOIN tracking.api_keys k ON k.usdot = c.usdot`);
  return rows;
};

it('a database made by the version before accounts gets them when it is opened, and loses nothing', async () => {
  await createAsBefore();
  const before = await readKept();
  expect(before).toHaveLength(1);
  // As a server does it, both at once; and then a second server.
  for (let server = 0; server < 2; server++) {
    const { accounts, announced } = createTestAccounts(database.databaseUrl);
    const [store] = await Promise.all([
      openStore({ databaseUrl: database.databaseUrl, now: () => 3000, retentionDays: 36_500 }),
      accounts.start(),
    ]);
    expect(announced).toHaveLength(1);
    expect(await accounts.isSetUpOpen()).toBe(true);
    expect(await store.vehicles.readByVin('1XKYD49X7KJ900001')).toMatchObject({ truckNumber: '4107' });
    await accounts.close();
    await store.close();
  }
  expect(await readKept()).toEqual(before);
});
