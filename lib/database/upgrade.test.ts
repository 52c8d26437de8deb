import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestSignIn } from '@/testing/auth/sign-in';
import { createEmptyDatabase, type TestDatabase } from '@/testing/database';
import { openStore } from '@/service/store/store';

const SERVICE = { folder: 'service/store/migrations', table: 'tracking_migrations' };
const APPLICATION = { folder: 'lib/database/migrations', table: 'linehaul_migrations' };

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

/** Applies the first migrations of one of the two, up to and with `last`, as an earlier version did. */
const migrateUpTo = async (last: string, { folder, table }: typeof SERVICE): Promise<void> => {
  const before = mkdtempSync(join(tmpdir(), 'linehaul-before-'));
  cpSync(folder, before, { recursive: true });
  const journalFile = join(before, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: { tag: string }[] };
  const entries = journal.entries.slice(0, journal.entries.findIndex(({ tag }) => tag === last) + 1);
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries }));
  await migrate(drizzle({ client }), { migrationsFolder: before, migrationsTable: table });
  rmSync(before, { recursive: true });
};

/** The tables of the version before accounts: the first migration of the service, and nothing else. */
const createAsBefore = async (): Promise<void> => {
  await migrateUpTo('0000_tracking', SERVICE);
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

it('a database of the version before accounts gets their tables when it is opened, and loses nothing', async () => {
  await createAsBefore();
  const before = await readKept();
  expect(before).toHaveLength(1);
  // Both at once, as in a server; and then a second server.
  for (let server = 0; server < 2; server++) {
    const { app, announced } = createTestSignIn(database.databaseUrl);
    const [store] = await Promise.all([
      openStore({ databaseUrl: database.databaseUrl, now: () => 3000, retentionDays: 36_500 }),
      app.start(),
    ]);
    expect(announced).toHaveLength(1);
    expect(await app.auth.isSetUpOpen()).toBe(true);
    expect(await store.vehicles.readByVin('1XKYD49X7KJ900001')).toMatchObject({ truckNumber: '4107' });
    await app.close();
    await store.close();
  }
  expect(await readKept()).toEqual(before);
});

it('a row from before makers had ids gets its maker if its text is a user’s address', async () => {
  await migrateUpTo('0001_key_access', SERVICE);
  await migrateUpTo('0003_settings', APPLICATION);
  await client.query(`
    INSERT INTO linehaul.users (id, name, email, role, usdots) VALUES ('bob', 'Bob', 'bob@carrier.test', 'manager', NULL);
    INSERT INTO linehaul.wall_screens (id, name, token_hash, made_by, created_at) VALUES
      ('s1', 'yard', 'h1', 'bob@carrier.test', now()), ('s2', 'demo', 'h2', 'Demo', now());
    INSERT INTO tracking.carriers (usdot, company_name, company_id) VALUES ('1234567', 'Prairie Freight', 'pf');
    INSERT INTO tracking.api_keys (id, usdot, name, created_by, created_at_ms) VALUES
      ('k1', '1234567', 'of bob', 'bob@carrier.test', 1000), ('k2', '1234567', 'by hand', 'command line', 1000);
    INSERT INTO tracking.api_key_secrets (id, key_id, key_hash, provider_token_hash, created_at_ms, ends_at_ms) VALUES
      ('p1', 'k1', '\\x01', '\\x01', 1000, 9000), ('p2', 'k1', '\\x02', '\\x02', 2000, NULL),
      ('p3', 'k2', '\\x03', '\\x03', 1000, NULL);
    INSERT INTO tracking.ingest_tokens (id, usdot, name, token_hash, created_by, created_at_ms) VALUES
      ('t1', '1234567', 'phones', '\\x01', 'bob@carrier.test', 1000), ('t2', '1234567', 'old', '\\x02', NULL, 1000)`);
  const { app } = createTestSignIn(database.databaseUrl);
  const [store] = await Promise.all([
    openStore({ databaseUrl: database.databaseUrl, now: () => 3000 }),
    app.start(),
  ]);
  const [ofBob, byHand] = await store.keys.list();
  // Who rotated it is unknown: a pair of secrets that is younger than its key has no maker.
  expect(ofBob).toMatchObject({ id: 'k1', madeById: null, replaced: { madeById: 'bob' } });
  expect(byHand).toMatchObject({ id: 'k2', madeById: null, replaced: null });
  expect(await store.ingestTokens.list()).toMatchObject([
    { id: 't1', madeById: 'bob' },
    { id: 't2', madeById: null },
  ]);
  const { rows } = await client.query('SELECT id, made_by_id FROM linehaul.wall_screens ORDER BY id');
  expect(rows).toEqual([
    { id: 's1', made_by_id: 'bob' },
    { id: 's2', made_by_id: null },
  ]);
  await app.close();
  await store.close();
});

it('mails of reports move to a table of their own, beside which a server of the version before writes its handovers', async () => {
  await migrateUpTo('0024_open_alerts', APPLICATION);
  await client.query(`
    INSERT INTO linehaul.users (id, name, email) VALUES ('u', 'Ann', 'ann@carrier.test');
    INSERT INTO linehaul.handover_mails (user_id, usdot, kind, tag, at_min, time_zone, weekdays, hours) VALUES
      ('u', '1', 'handover', NULL, 360, 'UTC', '{1}', 12), ('u', '1', 'miles', 'reefers', 420, 'UTC', '{1}', 168)`);
  const { app } = createTestSignIn(database.databaseUrl);
  await app.start();
  await client.query(`INSERT INTO linehaul.handover_mails (user_id, usdot, at_min, time_zone, weekdays, hours)
    VALUES ('u', '1', 480, 'UTC', '{2}', 12) ON CONFLICT (user_id, usdot) DO UPDATE SET at_min = EXCLUDED.at_min`);
  expect((await client.query('SELECT usdot, at_min FROM linehaul.handover_mails')).rows).toEqual([
    { usdot: '1', at_min: 480 },
  ]);
  expect((await client.query('SELECT kind, tag, at_min FROM linehaul.report_mails')).rows).toEqual([
    { kind: 'miles', tag: 'reefers', at_min: 420 },
  ]);
  await app.close();
});
