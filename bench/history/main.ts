/**
 * `npm run bench:history`: the archive's size, and how fast it is written and read, beside a plain PostgreSQL table with
 * the same fixes. With --smoke small fleets, and no result is kept.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Pool } from 'pg';
import { openArchive, type Archive } from '@/lib/archive/archive';
import { DuckDb } from '@/lib/archive/duck-db';
import { fromFiles, toPath, writeParquet } from '@/lib/archive/parquet-file';
import { FIXES } from '@/lib/archive/tables';
import { HistoryReader } from '@/lib/past/server/history-reader';
import { HOUR_MS } from '@/lib/base/time';
import { readVisits } from '@/lib/reports/server/who-was-here';
import { boundsOf, type Area } from '@/lib/reports/who/area';
import { optimizeForSize } from '@/lib/base/process/thread';
import { APPLICATION_PART } from '@/lib/database/database';
import { migrateDatabase } from '@/lib/database/migrate';
import { UNNAMED } from '@/lib/wire/fleet';
import { clockOf } from '@/testing/clock';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { startBenchPostgres } from '../ingest/database';
import { atLeast, atMost, publishReport, toMarkdown, toSection, type Section } from '../support/report';
import { median, percentile } from '../support/statistics';
import { HighwayFleet } from './highway-fleet';
import { FULL_PLAN, SMOKE_PLAN } from './plan';
import { createPlainTable, recordHour } from './record';
import { measureRecording } from './recording-cost';
import { measureReports } from './reports-cost';

const isSmoke = process.argv.includes('--smoke');
const plan = isSmoke ? SMOKE_PLAN : FULL_PLAN;
const DAY_MS = 24 * HOUR_MS;
const DAY = Date.UTC(2026, 10, 2);
const MB = 1e6;
const MEMORY_MB = 512;
const [LARGE, SMALL] = ['9000001', '9000002'];

const startedAtMs = Date.now();
const say = (line: string): void =>
  console.error(`${((Date.now() - startedAtMs) / 1000).toFixed(0).padStart(4)} s  ${line}`);

interface Fixture {
  pool: Pool;
  folder: string;
  reader: HistoryReader;
  archive: Archive;
  /** Archives what is due at a time; resolves to how long it took, ms. */
  archiveAt: (nowMs: number) => Promise<number>;
}

const openFixture = async (databaseUrl: string, folder: string): Promise<Fixture> => {
  let nowMs = 0;
  const open = async () => new Pool({ connectionString: databaseUrl, max: 4 });
  const clock = clockOf(() => nowMs);
  const log = { warn: (fields: object, message: string) => console.error(message, fields) };
  const archive = openArchive({ open, folder, keptDays: 400, memoryMb: MEMORY_MB, clock, log });
  return {
    pool: await open(),
    folder,
    archive,
    reader: new HistoryReader({ open, archive: archive.reader }),
    archiveAt: async (atMs) => {
      nowMs = atMs;
      const from = performance.now();
      await archive.archiver.run();
      if (archive.readProblems().length > 0) throw new Error(archive.readProblems()[0]!.text);
      return performance.now() - from;
    },
  };
};

const times = async (count: number, run: (i: number) => Promise<unknown>): Promise<number[]> => {
  const took: number[] = [];
  for (let i = 0; i < count; i++) {
    const from = performance.now();
    await run(i);
    took.push(performance.now() - from);
  }
  return took;
};

const readSize = async (pool: Pool, usdot: string, table: string) => {
  const { rows } = await pool.query<{ bytes: number; rows: number; files: number }>(
    `SELECT sum(bytes)::float8 AS bytes, sum(rows)::float8 AS rows, count(*)::int AS files
     FROM linehaul.archive_files WHERE usdot = $1 AND table_name = $2 AND state = 'listed'`,
    [usdot, table],
  );
  return rows[0]!;
};

const readUnits = async (pool: Pool, usdot: string): Promise<string[]> => {
  const { rows } = await pool.query<{ unit: string }>(
    'SELECT unit FROM linehaul.unit_identities WHERE usdot = $1 ORDER BY md5(unit)',
    [usdot],
  );
  return rows.map(({ unit }) => unit);
};

/** Records and archives hours of a fleet, and merges them. */
const recordFleet = async (
  fixture: Fixture,
  usdot: string,
  { units, fromMs, hours, seed }: { units: number; fromMs: number; hours: number; seed: number },
) => {
  const fleet = new HighwayFleet(units, seed, fromMs);
  const delaysMs: number[] = [];
  let longestMs = 0;
  const hourTimesMs: number[] = [];
  let fixes = 0;
  for (let hour = 0; hour < hours; hour++) {
    const hourMs = fromMs + hour * HOUR_MS;
    fixes += await recordHour(fixture.pool, usdot, fleet, hourMs);
    say(`${usdot}: hour ${hour + 1} of ${hours} is recorded`);
    const loop = monitorEventLoopDelay({ resolution: 5 });
    loop.enable();
    hourTimesMs.push(await fixture.archiveAt(hourMs + HOUR_MS + 2.25 * HOUR_MS));
    loop.disable();
    delaysMs.push(loop.percentile(99) / 1e6);
    longestMs = Math.max(longestMs, loop.max / 1e6);
    say(`${usdot}: … and archived`);
  }
  // The day is over after the last hour, and is merged in the same run.
  const mergeMs = hourTimesMs.pop()! - median(hourTimesMs);
  await fixture.pool.query(
    `INSERT INTO linehaul.unit_identities SELECT DISTINCT usdot, unit, 0, $2::jsonb || jsonb_build_object('key', unit, 'vin', unit)
     FROM plain WHERE usdot = $1`,
    [usdot, JSON.stringify(UNNAMED)],
  );
  return { fixes, hourTimesMs, mergeMs, delayMs: Math.max(...delaysMs), longestMs };
};

/** Copies the archived file of a fleet so many times, each with its times moved on by one more step. */
const copyFile = async (
  { pool, folder }: Fixture,
  usdot: string,
  copies: number,
  stepMs: number,
): Promise<void> => {
  const duck = new DuckDb({ folder, memoryMb: MEMORY_MB });
  const { rows } = await pool.query<{ path: string; fromMs: number }>(
    `SELECT path, from_ms::float8 AS "fromMs" FROM linehaul.archive_files
     WHERE usdot = $1 AND table_name = 'fixes' AND state = 'listed'`,
    [usdot],
  );
  const { path: first, fromMs } = rows[0]!;
  for (let copy = 1; copy <= copies; copy++) {
    const byMs = copy * stepMs;
    const path = toPath(FIXES, usdot, fromMs + byMs, fromMs + byMs + stepMs);
    const query = `SELECT * REPLACE (fix_s + ${byMs / 1000} AS fix_s, seen_s + ${byMs / 1000} AS seen_s)
      FROM ${fromFiles(folder, [first])}`;
    const { bytes } = await writeParquet(duck, FIXES, { folder, path, query, level: 3 });
    await pool.query(
      `INSERT INTO linehaul.archive_files
       SELECT $1, table_name, usdot, state, from_ms + $3::int8, to_ms + $3::int8, least_ms + $3::int8,
         greatest_ms + $3::int8, rows, $4 FROM linehaul.archive_files WHERE path = $2`,
      [path, first, byMs, bytes],
    );
  }
  await duck.close();
};

const measureSize = async ({ pool }: Fixture): Promise<Section> => {
  const size = await readSize(pool, LARGE, 'fixes');
  const states = await readSize(pool, LARGE, 'states');
  const { rows } = await pool.query<{ bytes: number; rows: number }>(
    `SELECT pg_total_relation_size('plain')::float8 AS bytes, (SELECT count(*) FROM plain)::float8 AS rows`,
  );
  const plain = rows[0]!.bytes / rows[0]!.rows;
  const each = size.bytes / size.rows;
  const small = await readSize(pool, SMALL, 'fixes');
  return toSection(
    `Size, ${plan.largeUnits.toLocaleString('en-US')} units`,
    [
      atMost('bytes for each fix, all columns and the file included', each, 7, 'bytes', 2),
      atLeast('the plain table with its index, by that', plain / each, 15, 'times'),
      { what: '… its bytes for each fix', measured: plain.toFixed(1), target: '', isMet: null },
      {
        what: `bytes for each fix, a day of ${plan.smallUnits} units in one file`,
        measured: (small.bytes / small.rows).toFixed(2),
        target: '',
        isMet: null,
      },
      {
        what: 'bytes for each row of states',
        measured: (states.bytes / states.rows).toFixed(2),
        target: '',
        isMet: null,
      },
    ],
    [
      `${size.rows.toLocaleString('en-US')} fixes of ${plan.largeHours} hours in ${size.files} files. Trucks drive on the ` +
        'interstates and report each minute; 45 of 100 stand and report each ten minutes. Receivers scatter by up to 9 m.',
    ],
  );
};

const readLatency = (took: readonly number[]): string =>
  `${median(took).toFixed(1)} and ${percentile(took, 0.95).toFixed(1)} ms`;

/** The hours of the large fleet are copied to a whole day, which begins with them. */
const copyToDay = (fixture: Fixture): Promise<void> =>
  copyFile(fixture, LARGE, 24 / plan.largeHours - 1, plan.largeHours * HOUR_MS);
const LARGE_DAY = DAY + DAY_MS - plan.largeHours * HOUR_MS;

const measureReading = async ({ pool, reader }: Fixture): Promise<Section> => {
  const [large, small] = [await readUnits(pool, LARGE), await readUnits(pool, SMALL)];
  const pick = (units: string[], i: number): string => units[(i * 7919) % units.length]!;
  const trail = (usdot: string, units: string[], fromMs: number, days: number) => (i: number) =>
    reader.readTrail(usdot, pick(units, i), fromMs, fromMs + days * DAY_MS);
  await times(10, trail(LARGE, large, LARGE_DAY, 1));
  const day = await times(plan.trails, trail(LARGE, large, LARGE_DAY, 1));
  const smallDay = await times(plan.trails, trail(SMALL, small, DAY, 1));
  const plainDay = await times(plan.trails, (i) =>
    pool.query({
      text: `SELECT * FROM plain WHERE unit = $1 AND fix_at >= to_timestamp($2 / 1000.0) AND fix_at < to_timestamp($3 / 1000.0)
        ORDER BY fix_at`,
      values: [pick(large, i + plan.trails), DAY, DAY + DAY_MS],
    }),
  );
  const month = await times(plan.trails / 2, trail(SMALL, small, DAY, plan.days));
  const fleetAt = (usdot: string, hours: number) => (i: number) =>
    reader.readFleetAt(usdot, DAY + DAY_MS - ((i * 13) % hours) * HOUR_MS - (5 + ((i * 7) % 35)) * 60_000);
  const first = await times(1, fleetAt(LARGE, 1));
  const fleet = await times(plan.moments, fleetAt(LARGE, plan.largeHours));
  await times(1, fleetAt(SMALL, 1));
  const smallFleet = await times(plan.moments * 2, fleetAt(SMALL, 24));
  const p95 = (took: readonly number[]): number => percentile(took, 0.95);
  const [largeText, smallText] = [plan.largeUnits, plan.smallUnits].map((count) =>
    count.toLocaleString('en-US'),
  );
  return toSection(
    'Reading',
    [
      atMost(`one unit of ${largeText}, a day, p95`, p95(day), 30, 'ms'),
      { what: '… p50 and p95', measured: readLatency(day), target: '', isMet: null },
      {
        what: `… the plain table, ${plan.largeHours} hours`,
        measured: readLatency(plainDay),
        target: '',
        isMet: null,
      },
      {
        what: `one unit of ${smallText}, a day, p50 and p95`,
        measured: readLatency(smallDay),
        target: '',
        isMet: null,
      },
      atMost(`one unit of ${smallText}, ${plan.days} days, p95`, p95(month), 300, 'ms'),
      { what: '… p50 and p95', measured: readLatency(month), target: '', isMet: null },
      atMost(`the fleet at a moment, ${largeText} units, p95`, p95(fleet), 500, 'ms'),
      { what: '… p50 and p95', measured: readLatency(fleet), target: '', isMet: null },
      {
        what: '… the first, with the names of all units',
        measured: readLatency(first),
        target: '',
        isMet: null,
      },
      atMost(`the fleet at a moment, ${smallText} units, p95`, p95(smallFleet), 60, 'ms'),
      { what: '… p50 and p95', measured: readLatency(smallFleet), target: '', isMet: null },
    ],
    [
      `The day of ${largeText} units is ${plan.largeHours} recorded hours, copied to further files; the ${plan.days} days are one ` +
        `recorded day of ${smallText} units, copied to ${plan.days} files.`,
    ],
  );
};

const TOWNS = [
  { name: 'Chicago', lat: 41.85, lng: -87.65 },
  { name: 'Amarillo', lat: 35.2, lng: -101.83 },
  { name: 'Atlanta', lat: 33.75, lng: -84.39 },
  { name: 'Dallas', lat: 32.78, lng: -96.8 },
];

const measureVisits = async ({ pool, reader }: Fixture): Promise<Section> => {
  const toArea = (town: number, radiusM: number): Area => {
    const { lat, lng } = TOWNS[town % TOWNS.length]!;
    return { kind: 'circle', lat, lng, radiusM };
  };
  let visits = 0;
  const ask = (usdot: string, atMs: number, days: number, radiusM: number) => async (i: number) => {
    const range = { fromMs: atMs, toMs: atMs + days * DAY_MS };
    visits = (await readVisits(reader, usdot, toArea(i, radiusM), range, range.toMs)).visits.length;
  };
  await times(1, ask(LARGE, LARGE_DAY, 1, 5000));
  const yard = await times(plan.moments, ask(LARGE, LARGE_DAY, 1, 500));
  const town = await times(plan.moments, ask(LARGE, LARGE_DAY, 1, 5000));
  const tenKm = await times(TOWNS.length, ask(LARGE, LARGE_DAY, 1, 10_000));
  const small = await times(plan.moments, ask(SMALL, DAY, 1, 5000));
  const month = await times(TOWNS.length, ask(SMALL, DAY, plan.days, 250));
  const plain = await times(TOWNS.length, (i) => {
    const [south, west, north, east] = boundsOf(toArea(i, 5000));
    return pool.query(
      `SELECT unit, min(fix_at), max(fix_at) FROM plain
       WHERE usdot = $1 AND lat BETWEEN $2 AND $4 AND lng BETWEEN $3 AND $5 GROUP BY unit`,
      [LARGE, south, west, north, east],
    );
  });
  const largeText = plan.largeUnits.toLocaleString('en-US');
  const shown = (what: string, took: readonly number[]) => ({
    ...{ what, measured: readLatency(took), target: '', isMet: null },
  });
  return toSection(
    'Who was here',
    [
      atMost(`a circle of 5 km, a day of ${largeText} units, p95`, percentile(town, 0.95), 2000, 'ms'),
      shown('… p50 and p95', town),
      shown('… of 500 m', yard),
      atMost('… of 10 km, p95', percentile(tenKm, 0.95), 2000, 'ms'),
      shown('… p50 and p95', tenKm),
      shown(`… the plain table, ${plan.largeHours} hours, no lines and no visits`, plain),
      shown(`a circle of 5 km, a day of ${plan.smallUnits.toLocaleString('en-US')} units`, small),
      shown(`… of 250 m, ${plan.days} days (${visits.toLocaleString('en-US')} visits)`, month),
    ],
    [`Circles about ${TOWNS.map(({ name }) => name).join(', ')}.`],
  );
};

const measureWriting = (
  { hourTimesMs, mergeMs, delayMs, longestMs, fixes }: Awaited<ReturnType<typeof recordFleet>>,
  rssBytes: number,
): Section =>
  toSection('Writing', [
    {
      what: `an hour of ${Math.round(fixes / plan.largeHours).toLocaleString('en-US')} fixes, median`,
      measured: `${(median(hourTimesMs) / 1000).toFixed(1)} s`,
      target: '',
      isMet: null,
    },
    atMost('delay of the event loop meanwhile, p99', delayMs, 50, 'ms'),
    { what: '… longest', measured: `${longestMs.toFixed(0)} ms`, target: '', isMet: null },
    {
      what: `merging ${plan.largeHours} hours of all tables`,
      measured: `${(mergeMs / 1000).toFixed(1)} s`,
      target: '',
      isMet: null,
    },
    {
      what: 'memory of the process at its most, bench included',
      measured: `${Math.round(rssBytes / MB)} MB`,
      target: '',
      isMet: null,
    },
  ]);

const postgres = await startBenchPostgres();
const folder = createScratchFolder('linehaul-bench-history-');
const databaseUrl = await postgres.createDatabase('history');
await migrateDatabase(databaseUrl, APPLICATION_PART);
const fixture = await openFixture(databaseUrl, folder);
let rssBytes = 0;
const sampling = setInterval(() => (rssBytes = Math.max(rssBytes, process.memoryUsage.rss())), 200);
await createPlainTable(fixture.pool);
const { largeUnits, largeHours, smallUnits, days } = plan;
// The last hours of the day, so that they are merged.
const largeFromMs = DAY + DAY_MS - largeHours * HOUR_MS;
const written = await recordFleet(fixture, LARGE, {
  units: largeUnits,
  fromMs: largeFromMs,
  hours: largeHours,
  seed: 1,
});
await recordFleet(fixture, SMALL, { units: smallUnits, fromMs: DAY, hours: 24, seed: 2 });
await copyFile(fixture, SMALL, days - 1, DAY_MS);
await fixture.pool.query('CREATE INDEX plain_unit ON plain (unit, fix_at)');
say('reading');
// As a server does before its first request.
optimizeForSize();
const duck = new DuckDb({ folder, memoryMb: MEMORY_MB });
const sections = [
  await measureSize(fixture),
  await copyToDay(fixture).then(() => measureReading(fixture)),
  await measureVisits(fixture),
  measureWriting(written, rssBytes),
  await measureRecording(fixture.pool, largeUnits, plan.polls),
  await measureReports(duck, fixture, SMALL, DAY),
];
clearInterval(sampling);
const about =
  `Fixes go into PostgreSQL as the recorder leaves them, are archived hour by hour and merged, by one process with ` +
  `HISTORY_MEMORY_MB=${MEMORY_MB}, its PostgreSQL on the same machine. The plain table is bench/history/record.ts.`;
publishReport('history', toMarkdown('History', about, sections, startedAtMs), { isKept: !isSmoke });
await duck.close();
await fixture.reader.close();
await fixture.archive.close();
await fixture.pool.end();
await postgres.stop();
await removeScratchFolder(folder);
process.exit();
