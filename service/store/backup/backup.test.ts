import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPLICATION_PART } from '@/lib/database/database';
import { migrateDatabase } from '@/lib/database/migrate';
import { createEmptyDatabase } from '@/testing/database';
import { openStore, type Store } from '../store';
import { createTestStore } from '../../../testing/service/store';
import { CARRIER, OTHER_CARRIER, toFix, toVehicle, toVin } from '../../../testing/service/vehicles';
import { runCommand } from '../../command/main';
import { copyArchive, restoreBackupFile } from './file';

/** All that COPY, SQL or a reader of lines could stumble over. */
const COMPANY = 'Prairie\u2028Wind\t"Freight" \\. \\N \\\\ \n\\.\n \r O\u2019Brien';
const FIXES = 5000;

// As the service makes it alone: without the application's tables.
const test = createTestStore(createEmptyDatabase);
let folder: string;
let whole: string;
let key: { apiKey: string; providerToken: string };
let token: string;

const run = (databaseUrl: string, ...argv: string[]) => runWith({}, databaseUrl, ...argv);

const runWith = async (env: Record<string, string>, databaseUrl: string, ...argv: string[]) => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(argv, {
    databaseUrl,
    now: test.now,
    stdout: (line) => out.push(line),
    stderr: (line) => err.push(line),
    signal: new AbortController().signal,
    env,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
};

const query = async <Row extends object>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
};

/** All rows of all tables of the service, as texts. */
const readAll = async (databaseUrl: string): Promise<string[]> => {
  const names = await query<{ name: string }>(
    databaseUrl,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'tracking' ORDER BY 1",
  );
  const tables = names.map(async ({ name }) => {
    const rows = await query<{ row: string }>(databaseUrl, `SELECT t::text AS row FROM tracking.${name} t`);
    return rows.map(({ row }) => `${name} ${row}`);
  });
  return (await Promise.all(tables)).flat().sort();
};

const withRestored = async (file: string, look: (store: Store, databaseUrl: string) => Promise<void>) => {
  const database = await createEmptyDatabase();
  try {
    expect(await run(database.databaseUrl, 'restore', file)).toMatchObject({ code: 0, err: '' });
    const store = await openStore({ databaseUrl: database.databaseUrl, now: test.now });
    await look(store, database.databaseUrl).finally(() => store.close());
  } finally {
    await database.drop();
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linehaul-backup-'));
  whole = join(folder, 'whole.sql.gz');
  const { carriers, vehicles, fixes, keys, ingestTokens } = test.store;
  await carriers.upsert(CARRIER);
  await carriers.upsert(OTHER_CARRIER);
  // The service itself takes no control characters; a backup takes what is there.
  const rename = 'UPDATE tracking.carriers SET company_name = $1 WHERE usdot = $2';
  await query(test.databaseUrl, rename, [COMPANY, CARRIER.usdot]);
  await vehicles.upsertMany([toVehicle(1), toVehicle(2, { registeredUsdot: OTHER_CARRIER.usdot })]);
  const newestFirst = Array.from({ length: FIXES }, (_, n) =>
    toFix(1, test.nowMs - n * 1000, { lat: 35 + n / 1e4 }),
  );
  await fixes.record(CARRIER.usdot, newestFirst);
  key = await keys.create({ usdot: CARRIER.usdot, name: 'dispatch' });
  ({ token } = await ingestTokens.create({ usdot: CARRIER.usdot, name: 'phones' }));
  expect(await run(test.databaseUrl, 'backup', whole)).toMatchObject({ code: 0, err: '' });
});
afterAll(() => rm(folder, { recursive: true }));

describe('backup and restore', () => {
  it('brings vehicles, fixes, positions and credentials back, every row as it was', async () => {
    const before = await readAll(test.databaseUrl);
    expect(before.length).toBe(FIXES + 8);
    await withRestored(whole, async (store, databaseUrl) => {
      expect(await readAll(databaseUrl)).toEqual(before);
      expect((await store.carriers.list()).map(({ companyName }) => companyName)).toContain(COMPANY);
      expect(await store.keys.verify(key.apiKey, key.providerToken)).toMatchObject({ usdot: CARRIER.usdot });
      expect(await store.ingestTokens.verify(token)).toMatchObject({ usdot: CARRIER.usdot });
      const { id } = (await store.vehicles.readByVin(toVin(1)))!;
      expect(await store.positions.read(id)).toMatchObject({ lat: 35, fixAtMs: test.nowMs });
    });
  });

  it('leaves a database that goes on: new vehicles, new fixes, and migrations to come', async () => {
    await withRestored(whole, async (store, databaseUrl) => {
      await store.vehicles.upsertMany([toVehicle(3)]);
      await store.fixes.record(CARRIER.usdot, [
        toFix(3, test.nowMs),
        toFix(1, test.nowMs + 1000, { lat: 36 }),
      ]);
      const { id } = (await store.vehicles.readByVin(toVin(1)))!;
      expect(await store.positions.read(id)).toMatchObject({ lat: 36 });
      const note =
        "INSERT INTO drizzle.tracking_migrations (hash, created_at) VALUES ('next', 1) RETURNING id";
      expect(await query(databaseUrl, note)).toHaveLength(1);
    });
  });

  it('brings back accounts and the audit log, where the web application keeps them beside it', async () => {
    await migrateDatabase(test.databaseUrl, APPLICATION_PART);
    await query(
      test.databaseUrl,
      `INSERT INTO linehaul.users (id, name, email, role, usdots) VALUES ('u', $1, 'a@b.test', 'manager', '{1,2}')`,
      [COMPANY],
    );
    const note = `INSERT INTO linehaul.audit_log (at_ms, actor, action, outcome) VALUES (1, 'x', 'y', 'done') RETURNING id`;
    await query(test.databaseUrl, note);
    await query(
      test.databaseUrl,
      `CREATE TABLE linehaul.fixes_h1 PARTITION OF linehaul.fixes FOR VALUES FROM (3600000) TO (7200000);
       CREATE UNIQUE INDEX ON linehaul.fixes_h1 (usdot, unit, fix_ms)`,
    );
    const fix = `INSERT INTO linehaul.fixes VALUES (1, 3600000, 1, 1, false, '1', 'u') ON CONFLICT DO NOTHING RETURNING unit`;
    expect(await query(test.databaseUrl, fix)).toEqual([{ unit: 'u' }]);
    const file = join(folder, 'accounts.sql.gz');
    expect(await run(test.databaseUrl, 'backup', file)).toMatchObject({ code: 0, err: '' });
    const users = 'SELECT u::text AS row FROM linehaul.users u';
    await withRestored(file, async (_, databaseUrl) => {
      await migrateDatabase(databaseUrl, APPLICATION_PART);
      expect(await query(databaseUrl, users)).toEqual(await query(test.databaseUrl, users));
      expect(await query(databaseUrl, note)).toEqual([{ id: '2' }]);
      expect(await query(databaseUrl, fix)).toEqual([]);
      await expect(query(databaseUrl, 'DELETE FROM linehaul.audit_log')).rejects.toThrow('only added to');
    });
  });

  it('copies the files of the archive once, and brings them back', async () => {
    await migrateDatabase(test.databaseUrl, APPLICATION_PART);
    await query(
      test.databaseUrl,
      `INSERT INTO linehaul.archive_files (path, table_name, usdot, state, from_ms, to_ms, rows, bytes) VALUES
         ('fixes/a.parquet', 'fixes', '1', 'listed', 0, 1, 1, 3), ('fixes/b.parquet', 'fixes', '1', 'writing', 0, 1, 1, 3)`,
    );
    const [here, copied, back] = ['history', 'copied', 'back'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(join(here, 'fixes'), { recursive: true });
    await writeFile(join(here, 'fixes', 'a.parquet'), 'abc');
    const env = { HISTORY_DIR: here };
    const file = join(folder, 'archive.sql.gz');
    const { out } = await runWith(env, test.databaseUrl, 'backup', file, '--history', copied);
    expect(out).toContain(', 1 file of the history.');
    expect(await readdir(join(copied, 'fixes'))).toEqual(['a.parquet']);
    // What is there already is not read again.
    await rm(here, { recursive: true });
    const again = join(folder, 'again.sql.gz');
    expect(await runWith(env, test.databaseUrl, 'backup', again, '--history', copied)).toMatchObject({
      code: 0,
    });
    const database = await createEmptyDatabase();
    const absent = ['restore', file, '--history', join(folder, 'absent')];
    expect(await runWith({ HISTORY_DIR: back }, database.databaseUrl, ...absent)).toMatchObject({ code: 1 });
    const found = await query(database.databaseUrl, "SELECT to_regnamespace('tracking') AS schema");
    expect(found).toEqual([{ schema: null }]);
    const restored = ['restore', file, '--history', copied];
    expect(await runWith({ HISTORY_DIR: back }, database.databaseUrl, ...restored)).toMatchObject({
      code: 0,
    });
    expect(await readFile(join(back, 'fixes', 'a.parquet'), 'utf8')).toBe('abc');
    await database.drop();
    await query(test.databaseUrl, 'DELETE FROM linehaul.archive_files');
  });

  it('ends on a full disk, and leaves neither a file nor a session', async () => {
    const file = join(folder, 'full.sql.gz');
    await symlink('/dev/full', `${file}.part`);
    const { code, err } = await run(test.databaseUrl, 'backup', file);
    expect(code).toBe(1);
    expect(err).toContain('ENOSPC');
    expect((await readdir(folder)).filter((name) => name.startsWith('full'))).toEqual([]);
    const sessions = () =>
      query(test.databaseUrl, "SELECT FROM pg_stat_activity WHERE application_name = 'linehaul-backup'");
    await expect.poll(sessions).toEqual([]);
  });

  it('prints what it contains, and writes a file that only its owner can read', async () => {
    const file = join(folder, 'printed.sql.gz');
    const { out } = await run(test.databaseUrl, 'backup', file);
    expect(out).toContain('2 carriers, 2 vehicles, 5,000 fixes, 2 credentials');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(gunzipSync(await readFile(file)).toString()).not.toContain(key.apiKey);
    const rows = await run(test.databaseUrl, 'backup', join(folder, 'counts.sql.gz'), '--json');
    expect(JSON.parse(rows.out)).toMatchObject({ 'tracking.fixes': FIXES, 'tracking.positions': 1 });
  });
});

describe('what cannot be done', () => {
  const refuse = async (command: string, databaseUrl: string, file: string, words: string) => {
    const { code, out, err } = await run(databaseUrl, command, file);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(words);
  };

  it('overwrites no backup, and leaves nothing of one that failed', async () => {
    await refuse('backup', test.databaseUrl, whole, 'overwrites nothing');
    const before = await readdir(folder);
    await refuse('backup', test.databaseUrl, join(folder, 'absent', 'file'), 'could not be written');
    const empty = await createEmptyDatabase();
    await refuse('backup', empty.databaseUrl, join(folder, 'empty'), 'holds nothing of Linehaul');
    await empty.drop();
    await refuse('backup', 'postgres://none@127.0.0.1:1/none', join(folder, 'none'), 'could not be opened');
    expect(await readdir(folder)).toEqual(before);
  });

  it('restores nothing, and copies no archive, once it is stopped', async () => {
    const database = await createEmptyDatabase();
    const signal = AbortSignal.abort();
    const { databaseUrl } = database;
    await expect(restoreBackupFile(databaseUrl, whole, { history: null, signal })).rejects.toThrow(
      'could not be restored: The operation was aborted',
    );
    const found = await query(databaseUrl, "SELECT to_regnamespace('tracking') AS schema");
    expect(found).toEqual([{ schema: null }]);
    await database.drop();
    const rows = [{ table: 'linehaul.archive_files', path: 'a.parquet', bytes: 1 }];
    const client = { query: () => Promise.resolve({ rows }) } as unknown as pg.ClientBase;
    await expect(copyArchive(client, { from: folder, to: folder }, signal)).rejects.toThrow('was stopped');
  });

  it('refuses to restore into a database that holds data', async () => {
    const before = await readAll(test.databaseUrl);
    await refuse('restore', test.databaseUrl, whole, 'is in use by Linehaul already');
    expect(await readAll(test.databaseUrl)).toEqual(before);
  });

  it('restores nothing from a file that is truncated, of another kind or missing', async () => {
    const text = gunzipSync(await readFile(whole));
    const compressed = await readFile(whole);
    const lines = text.toString('latin1').split('\n');
    const rows = lines.findIndex((line) => line.startsWith('COPY tracking.fixes'));
    const cut = (count: number) => gzipSync(Buffer.from(`${lines.slice(0, count).join('\n')}\n`, 'latin1'));
    const database = await createEmptyDatabase();
    const file = join(folder, 'bad');
    for (const [bytes, words] of [
      [compressed.subarray(0, compressed.length / 2), 'not a whole backup'],
      [Buffer.from('PGDMP'), 'not a whole backup'],
      [gzipSync('SELECT 1;\n'), 'It is not a backup of Linehaul'],
      [cut(rows + 100), 'breaks off in the middle of its rows'],
      [cut(lines.length - 2), 'breaks off before its end'],
      [cut(lines.length - 4), 'breaks off before its end'],
    ] as const) {
      await writeFile(file, bytes);
      await refuse('restore', database.databaseUrl, file, words);
    }
    await refuse('restore', database.databaseUrl, join(folder, 'absent'), 'no such file');
    const found = await query(database.databaseUrl, "SELECT to_regnamespace('tracking') AS schema");
    expect(found).toEqual([{ schema: null }]);
    await database.drop();
  });
});
