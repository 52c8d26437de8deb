import { readFile, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { clockOf } from '@/testing/clock';
import { changesOf, setUpRecording, type RecordedFix } from '@/testing/history/recording';
import { listHours, withoutArchiving } from '@/lib/recording/partitions';
import { toMerges } from './archiver';
import { MINUTE_MS, HOUR_MS } from '@/lib/base/time';

const USDOT = '1234567';
const VIN = '1M8GDM9AXKP042788';
/** The begin of a day. */
const DAY = 20_625 * 24 * HOUR_MS;
const CLOSED_MS = 2.25 * HOUR_MS;
const OPEN_TRANSACTIONS = `SELECT state, query FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND backend_type = 'client backend'`;
const held = setUpRecording();

const write = (seenMs: number, fixes: RecordedFix[], usdot = USDOT): Promise<void> =>
  held.write({ usdot, seenMs, changes: changesOf(seenMs, fixes) });

/** Minutes since the beginning of the day. */
const readTrail = async (unit = VIN, usdot = USDOT): Promise<number[]> => {
  const fixes = await held.reader.readTrail(usdot, unit, 0, DAY + 1000 * HOUR_MS);
  return fixes.map(({ fixAtMs }) => (fixAtMs - DAY) / MINUTE_MS);
};

const writeMinutes = async (...minutes: number[]): Promise<void> => {
  for (const minute of minutes)
    await write(DAY + minute * MINUTE_MS + 2000, [{ unit: VIN, fixMs: DAY + minute * MINUTE_MS }]);
};

const listFiles = async (): Promise<string[]> => {
  const entries = await readdir(held.folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(held.folder.length + 1)).sort();
};

const listOpenHours = async (): Promise<number[]> =>
  (await listHours(held.pool, 'fixes')).map((hour) => hour - DAY / HOUR_MS);

it('makes its folder as soon as it is started, for those who copy it', async () => {
  await rm(held.folder, { recursive: true });
  const archiver = held.createArchiver(DAY);
  archiver.start();
  await expect.poll(() => readdir(held.folder).catch(() => null)).toEqual(['.tmp']);
  await archiver.close();
});

describe('an hour', () => {
  it('is moved to one file for each fleet once it is closed, and reads as before', async () => {
    const odd = '"Übung", 北\n\\N';
    await write(DAY + 5000, [
      { unit: VIN, fixMs: DAY + 1007, lat: 30.267_15, lng: -97.743_06 },
      { unit: odd, fixMs: DAY - 30 * MINUTE_MS, lat: -0.000_01, lng: 179.999_99, isByReceipt: true },
    ]);
    await write(DAY + 6000, [{ unit: VIN, fixMs: DAY + 3000 }], '7654321');
    await held.archive(DAY + HOUR_MS + CLOSED_MS - 1);
    expect(await listFiles()).toEqual([]);
    const before = await Promise.all(
      [VIN, odd].map((unit) => held.reader.readTrail(USDOT, unit, 0, DAY * 2)),
    );
    expect(await held.archive(DAY + HOUR_MS + CLOSED_MS)).toEqual([]);
    expect(await listOpenHours()).toEqual([1, 2]);
    const day = new Date(DAY).toISOString().slice(0, 10);
    expect((await listFiles()).map((path) => path.replace(/-[\da-f]{12}/, ''))).toEqual([
      `fixes/usdot=1234567/day=${day}/00-01.parquet`,
      `fixes/usdot=7654321/day=${day}/00-01.parquet`,
    ]);
    const after = await Promise.all([VIN, odd].map((unit) => held.reader.readTrail(USDOT, unit, 0, DAY * 2)));
    expect(after).toEqual(before);
    expect(after[0]).toEqual([
      {
        fixAtMs: DAY + 1007,
        seenAtMs: DAY + 5000,
        lat: 30.267_15,
        lng: -97.743_06,
        isByReceipt: false,
        speedKph: null,
        headingDeg: null,
      },
    ]);
    expect(after[1]).toMatchObject([{ lng: 179.999_99, isByReceipt: true }]);
  });

  it('is read with those before and after it, and with a late fix at its own time', async () => {
    await writeMinutes(10, 50, 70);
    await held.archive(DAY + HOUR_MS + CLOSED_MS);
    await write(DAY + 200 * MINUTE_MS, [{ unit: VIN, fixMs: DAY + 30 * MINUTE_MS }]);
    expect(await readTrail()).toEqual([10, 30, 50, 70]);
    await held.archive(DAY + 10 * HOUR_MS);
    expect(await listOpenHours()).toEqual([]);
    expect(await readTrail()).toEqual([10, 30, 50, 70]);
    const some = await held.reader.readTrail(USDOT, VIN, DAY + 30 * MINUTE_MS, DAY + 50 * MINUTE_MS);
    expect(await held.reader.countTrail(USDOT, VIN, DAY + 30 * MINUTE_MS, DAY + 50 * MINUTE_MS)).toBe(
      some.length,
    );
    expect(some).toMatchObject([{ fixAtMs: DAY + 30 * MINUTE_MS, seenAtMs: DAY + 200 * MINUTE_MS }]);
  });

  it('has no fix again that an archived hour has', async () => {
    await writeMinutes(10);
    await held.archive(DAY + 10 * HOUR_MS);
    const repeat = { unit: VIN, fixMs: DAY + 10 * MINUTE_MS };
    await write(DAY + 20 * HOUR_MS, [repeat, { unit: 'NEW', fixMs: DAY + 10 * MINUTE_MS }]);
    await write(DAY + 21 * HOUR_MS, [{ ...repeat, lat: 40 }]);
    expect(await readTrail()).toEqual([10]);
    await held.archive(DAY + 30 * HOUR_MS);
    expect(await readTrail()).toEqual([10]);
    expect(await readTrail('NEW')).toEqual([10]);
    const [size] = await held.database.query(
      "SELECT sum(rows)::int AS rows FROM linehaul.archive_files WHERE state = 'listed'",
    );
    expect(size).toEqual({ rows: 2 });
  });
});

describe('a day', () => {
  it('becomes one file once it is over', async () => {
    await writeMinutes(10, 70, 23 * 60 + 59, 24 * 60);
    await held.archive(DAY + 24 * HOUR_MS + CLOSED_MS);
    await held.archive(DAY + 24 * HOUR_MS + CLOSED_MS);
    const next = DAY + 24 * HOUR_MS;
    expect(await listOpenHours()).toEqual([24, 25, 26]);
    const files = await listFiles();
    expect(files).toHaveLength(1);
    expect(files[0]).toContain('00-24');
    expect(await readTrail()).toEqual([10, 70, 23 * 60 + 59, 24 * 60]);
    await held.archive(next + 4 * HOUR_MS);
    await held.archive(next + 399 * 24 * HOUR_MS);
    expect(await readTrail()).toHaveLength(4);
    await held.archive(next + 400 * 24 * HOUR_MS);
    expect(await readTrail()).toEqual([24 * 60]);
    expect(await listFiles()).toHaveLength(1);
  });

  it('is removed with all of its fleet', async () => {
    await writeMinutes(10, 70);
    await held.archive(DAY + 3.5 * HOUR_MS);
    await held.history.remove(USDOT);
    expect(await readTrail()).toEqual([]);
    await held.archive(DAY + 24 * HOUR_MS);
    expect(await listFiles()).toEqual([]);
  });

  it('of a large fleet stays in several files', () => {
    const fileOf = (hour: number, rows: number, usdot = USDOT) => ({
      path: `${usdot} ${hour}`,
      usdot,
      fromMs: DAY + hour * HOUR_MS,
      toMs: DAY + (hour + 1) * HOUR_MS,
      rows,
      bytes: 1,
    });
    const files = [0, 1, 2, 3, 4].map((hour) => fileOf(hour, 5e6));
    const all = [...files, fileOf(0, 1, '2'), fileOf(1, 1, '2'), fileOf(24, 1, '2'), fileOf(25, 1, '2')];
    const merged = toMerges(all, DAY + 47 * HOUR_MS);
    expect(merged.map((group) => group.map(({ path }) => path))).toEqual([
      ['1234567 0', '1234567 1'],
      ['1234567 2', '1234567 3'],
      ['2 0', '2 1'],
    ]);
  });
});

describe('what goes wrong', () => {
  it.each(['fixes', '.tmp'])(
    'leaves the partitions where no file can be written in %s, and warns once',
    async (blocked) => {
      await writeMinutes(10);
      await writeFile(join(held.folder, blocked), '');
      const warnings: string[] = [];
      const log = { warn: (_: object, message: string) => void warnings.push(message) };
      const onArchived = vi.fn(async () => undefined);
      const archiver = held.createArchiver(DAY + 10 * HOUR_MS, { log, onArchived });
      await archiver.run();
      await archiver.run();
      expect(onArchived).not.toHaveBeenCalled();
      expect(warnings).toEqual(['The archive cannot be written now.']);
      expect(archiver.readProblems()).toMatchObject([
        { text: expect.stringContaining('ENOTDIR'), usdot: null },
      ]);
      expect(await readTrail()).toEqual([10]);
      expect(await held.database.query(OPEN_TRANSACTIONS)).toEqual([]);
      expect(await listFiles()).toEqual([blocked]);
      await rm(join(held.folder, blocked));
      await archiver.run();
      expect(onArchived).toHaveBeenCalledOnce();
      expect(archiver.readProblems()).toEqual([]);
      expect(await listFiles()).toHaveLength(1);
      expect(await readTrail()).toEqual([10]);
      await archiver.close();
    },
  );

  it('is found by looking at the disk before an hour is due, and what failed is archived once there is room', async () => {
    await writeMinutes(10);
    await writeFile(join(held.folder, '.tmp'), '');
    let probe: (() => void) | null = null;
    const setTimer = (run: () => void, delayMs: number) => {
      if (delayMs <= 60_000) probe = run;
      return () => undefined;
    };
    const archiver = held.createArchiver(DAY + 10 * HOUR_MS, {
      clock: clockOf(() => DAY + 10 * HOUR_MS, setTimer),
    });
    archiver.start();
    const problem = [
      { text: expect.stringMatching(/^Archive: cannot be written now: .*ENOTDIR/), usdot: null },
    ];
    await expect.poll(() => archiver.readProblems()).toEqual(problem);
    await archiver.run();
    expect(archiver.readProblems()).toEqual(problem);
    await rm(join(held.folder, '.tmp'));
    probe!();
    await expect.poll(() => archiver.readProblems()).toEqual([]);
    expect(await listOpenHours()).toEqual([]);
    await archiver.close();
  });

  it('costs a report and an export no connection and no file, and its cause is a problem until one succeeds', async () => {
    await writeMinutes(10);
    await writeFile(join(held.folder, '.tmp'), '');
    const archiver = held.createArchiver(DAY);
    const read = () =>
      held.reader.readFixes(USDOT, { fromMs: DAY, toMs: DAY + HOUR_MS }, async ({ duck, from }) =>
        duck.readRows(`SELECT count(*)::INTEGER FROM ${from}`),
      );
    // More than the pool has connections.
    for (let i = 0; i < 5; i++) await expect(read()).rejects.toMatchObject({ code: 'ENOTDIR' });
    const problem = expect.stringMatching(/^Archive: a report or an export could not be written: .*ENOTDIR/);
    expect(archiver.readProblems()).toEqual([{ text: problem, usdot: null }]);
    await rm(join(held.folder, '.tmp'));
    expect(await read()).toEqual([[1]]);
    expect(archiver.readProblems()).toEqual([]);
    expect(await listFiles()).toEqual([]);
    await archiver.close();
  });

  it('leaves a connection to other reads while reports and exports copy what they need', async () => {
    await writeMinutes(10);
    const range = { fromMs: DAY, toMs: DAY + HOUR_MS };
    // Both connections of the pool are open then.
    await Promise.all([1, 2].map(() => held.reader.countFixes(USDOT, range)));
    const lock = await held.pool.connect();
    await lock.query('BEGIN; SELECT pg_advisory_xact_lock(1)');
    // Each COPY waits. DuckDB does not know the function.
    const condition = 'pg_advisory_xact_lock(1) IS NOT NULL';
    const copies = [1, 2].map(() =>
      held.reader.readFixes(USDOT, { ...range, condition }, async () => undefined).catch(() => undefined),
    );
    await setImmediate();
    expect(await held.reader.countFixes(USDOT, range)).toBe(1);
    await lock.query('ROLLBACK');
    lock.release();
    await Promise.all(copies);
  });

  it('costs the hours of a damaged or missing file alone, and names it', async () => {
    const answered = { state: 'answered', problem: null } as const;
    const toMs = DAY + 10 * HOUR_MS;
    await held.write({ usdot: USDOT, seenMs: DAY, coverage: [{ fromMs: DAY, toMs, ...answered }] });
    await writeMinutes(10, 70, 130);
    await held.archive(DAY + 10 * HOUR_MS);
    const [first, second] = (await listFiles()).map((path) => join(held.folder, path));
    await truncate(first!, 100);
    await rename(second!, `${second}.bak`);
    expect(await readTrail()).toEqual([130]);
    expect(await readTrail()).toEqual([130]);
    // A silence of the truck would be a wrong reason.
    expect(await held.reader.readCoverage(USDOT, DAY, toMs)).toEqual([
      { fromMs: DAY, toMs: DAY + HOUR_MS, state: 'lost', problem: 'file' },
      { fromMs: DAY + HOUR_MS, toMs: DAY + 2 * HOUR_MS, state: 'lost', problem: 'file' },
      { fromMs: DAY + 2 * HOUR_MS, toMs, ...answered },
    ]);
    const name = first!.slice(held.folder.length + 1);
    expect(await held.archive(DAY + 10 * HOUR_MS)).toEqual([
      { text: `Archive: ${name} has another size.`, usdot: USDOT },
      { text: `Archive: ${second!.slice(held.folder.length + 1)} is missing.`, usdot: USDOT },
      { text: expect.stringContaining(`Archive: ${name} cannot be read: `), usdot: USDOT },
    ]);
    await rename(`${second}.bak`, second!);
    expect(await readTrail()).toEqual([70, 130]);
  });

  it('archives late fixes and merges days beside a missing and a damaged file', async () => {
    await writeMinutes(10, 50, 70, 130, 190);
    await held.archive(DAY + 7 * HOUR_MS);
    const [first, second] = (await listFiles()).map((path) => join(held.folder, path));
    await rename(first!, `${first}.bak`);
    const bytes = await readFile(second!);
    await writeFile(second!, bytes.fill(0, 4, 300));
    await write(DAY + 6 * HOUR_MS, [{ unit: VIN, fixMs: DAY + 20 * MINUTE_MS }]);
    for (const hour of [10, 28, 29, 30]) await held.archive(DAY + hour * HOUR_MS);
    expect(await listOpenHours()).toEqual([]);
    expect((await listFiles()).map((path) => basename(path).slice(0, 5))).toEqual([
      '00-01',
      '01-02',
      '02-07',
    ]);
    expect(await readTrail()).toEqual([20, 130, 190]);
    await rename(`${first}.bak`, first!);
    await held.archive(DAY + 31 * HOUR_MS);
    expect(await readTrail()).toEqual([10, 20, 50, 130, 190]);
  });

  it('leaves no file that is not listed, and touches none that it did not write', async () => {
    await writeMinutes(10);
    await held.database.query(
      `INSERT INTO linehaul.archive_files (path, table_name, usdot, state, from_ms, to_ms) VALUES
         ('a.parquet', 'fixes', '1', 'writing', 0, 1), ('b.parquet', 'fixes', '1', 'removed', 0, 1)`,
    );
    for (const name of ['a.parquet.part', 'b.parquet', 'other.parquet'])
      await writeFile(join(held.folder, name), '');
    await held.archive(DAY);
    expect(await listFiles()).toEqual(['other.parquet']);
  });

  it('is done by one process at a time, and not while a past is written', async () => {
    await writeMinutes(10);
    await withoutArchiving(held.pool, async () => {
      await held.archive(DAY + 10 * HOUR_MS);
    });
    expect(await listFiles()).toEqual([]);
    await Promise.all([1, 2, 3].map(() => held.archive(DAY + 10 * HOUR_MS)));
    expect(await listFiles()).toHaveLength(1);
    expect(await readTrail()).toEqual([10]);
  });
});
