import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { clockOf } from '@/testing/clock';
import { changesOf, setUpRecording, type RecordedFix } from '@/testing/history/recording';
import { dayOf, dayRange } from '@/lib/trips/days';
import { toDay } from '@/lib/trips/trips';
import { toMiles, type ReportLine, type ReportedDay } from '../reports';
import { LEAD_MS } from '@/lib/past/schema';
import type { CoverageInterval } from '@/lib/trips/coverage';
import { StateIndex, type StatesAtlas } from '../states/state-index';
import { makePartitions } from '@/lib/recording/partitions';
import { exportFleet } from './fleet-export';
import { FleetReports } from './fleet-reports';
import { MINUTE_MS, HOUR_MS } from '@/lib/base/time';

const USDOT = '9000001';
const ZONE = 'America/Chicago';
const DAYS = ['2026-11-16', '2026-11-17'];
const START_MS = dayRange(DAYS[0]!, ZONE).fromMs - 3 * HOUR_MS;
const HOURS = 54;
const NOW_MS = START_MS + HOURS * HOUR_MS;
const UNITS = ['A', 'B', 'C', 'D'];

const held = setUpRecording();
const warnings: object[] = [];
let reports: FleetReports | undefined;
/** As a server that was just started has it. */
const restart = (): FleetReports => {
  reports?.close();
  const { reader, folder, scratch } = held;
  const log = { warn: (fields: object) => warnings.push(fields) };
  return (reports = new FleetReports({ reader, folder, scratch, clock: clockOf(() => NOW_MS), log }));
};
afterEach(() => {
  reports?.close();
  reports = undefined;
  expect(warnings.splice(0)).toEqual([]);
});

/**
 * Fixes each two minutes of trucks that drive back and forth across the corner of Texas, Oklahoma and Arkansas, stand for
 * hours, fall silent for an hour, and jump.
 */
const fixesOf = (unit: number): RecordedFix[] => {
  const fixes: RecordedFix[] = [];
  let km = 0;
  for (let minute = 0; minute < HOURS * 60; minute += 2) {
    const hour = Math.floor(minute / 60) + unit;
    if (hour % 5 < 3) km += 2.6;
    if ((hour % 11 === 4 && unit % 2 === 1) || Math.floor(minute / 60) === 30) continue;
    const along = Math.abs(((km + 90 * unit) % 360) - 180);
    const hasJumped = unit === 2 && hour % 24 > 20;
    fixes.push({
      unit: UNITS[unit]!,
      fixMs: START_MS + minute * MINUTE_MS + 1000 * unit,
      lat: 33.4 + 0.004 * along + (hasJumped ? 2 : 0),
      lng: -95.2 + 0.009 * along,
    });
  }
  return fixes;
};

const COVERAGE: CoverageInterval[] = [
  { fromMs: START_MS, toMs: START_MS + 30 * HOUR_MS, state: 'answered', problem: null },
  { fromMs: START_MS + 30 * HOUR_MS, toMs: START_MS + 31 * HOUR_MS, state: 'failing', problem: 'timeout' },
  { fromMs: START_MS + 31 * HOUR_MS, toMs: NOW_MS, state: 'answered', problem: null },
];

/** Records so many hours, of which all but the last are archived. */
const record = async (hours = HOURS): Promise<void> => {
  const all = UNITS.flatMap((_, unit) => fixesOf(unit));
  for (let hour = 0; hour < hours; hour++) {
    const fromMs = START_MS + hour * HOUR_MS;
    await makePartitions(held.pool, fromMs);
    const seenMs = fromMs + HOUR_MS - 1000;
    const fixes = all.filter(({ fixMs }) => fixMs >= fromMs && fixMs < fromMs + HOUR_MS);
    const coverage = hour === 0 ? COVERAGE : [];
    await held.write({ usdot: USDOT, seenMs, changes: changesOf(seenMs, fixes), coverage });
  }
  expect(await held.archive(START_MS + hours * HOUR_MS)).toEqual([]);
};

const readDays = async (
  from = DAYS[0]!,
  to = DAYS[1]!,
  chosen: ReadonlySet<string> | null = null,
): Promise<{ lines: ReportLine[]; days: ReportedDay[] }> => {
  reports ??= restart();
  const range = { fromMs: dayRange(from, ZONE).fromMs, toMs: dayRange(to, ZONE).toMs, zone: ZONE, chosen };
  const lines: ReportLine[] = [];
  for await (const line of reports.read(USDOT, range, new AbortController().signal)) lines.push(line);
  return { lines, days: lines.flatMap(({ day, units }) => units.map((unit) => ({ ...unit, day }))) };
};

/** A unit's day as its page makes it. */
const readPage = async (unit: string, day: string) => {
  const { fromMs, toMs } = dayRange(day, ZONE);
  const read = [fromMs - LEAD_MS, toMs + DEFAULT_MOTION_SETTINGS.silentAfterMs] as const;
  const fixes = await held.reader.readTrail(USDOT, unit, ...read);
  const coverage = await held.reader.readCoverage(USDOT, ...read);
  return toDay({ fixes, coverage, fromMs, toMs, nowMs: NOW_MS }, DEFAULT_MOTION_SETTINGS);
};

test("a report's days are those of the vehicles' pages, and their miles by state add up to them", async () => {
  await record();
  // Of few units the trails alone are read, before any day is kept, with the same figures.
  const few = await readDays(DAYS[0]!, DAYS[1]!, new Set(['B', 'D', 'unknown']));
  const { lines, days } = await readDays();
  expect(few.days).toEqual(days.filter(({ key }) => key === 'B' || key === 'D'));
  expect((await readDays(DAYS[0]!, DAYS[1]!, new Set(['B', 'D']))).days).toEqual(few.days);
  expect(lines.at(-1)?.share).toBe(1);
  expect(days.map(({ key, day }) => `${day} ${key}`)).toEqual(
    DAYS.flatMap((day) => UNITS.map((unit) => `${day} ${unit}`)),
  );
  for (const day of days) {
    const { totals, segments } = await readPage(day.key, day.day);
    const { movingMs, stoppedMs, silentMs, notRecordedMs, stops } = totals;
    expect(day).toMatchObject({ movingMs, stoppedMs, silentMs, notRecordedMs, stops });
    expect(day.firstMs).toBe(segments.find(({ kind }) => kind === 'moving')?.fromMs ?? null);
    for (const field of ['drivenM', 'bridgedM'] as const) {
      expect(day[field]).toBeCloseTo(totals[field], 0);
      expect(day.states.reduce((sum, each) => sum + each[field], 0)).toBeCloseTo(totals[field], -1);
    }
  }
  // The recording has what is to be compared.
  const total = (of: (day: ReportedDay) => number): number => days.reduce((sum, day) => sum + of(day), 0);
  expect(total((day) => day.bridgedM)).toBeGreaterThan(100_000);
  expect(total((day) => day.silentMs)).toBeGreaterThan(HOUR_MS);
  expect(total((day) => day.notRecordedMs)).toBeGreaterThan(0);
  expect(
    toMiles(days)
      .states.map(({ state }) => state)
      .sort(),
  ).toEqual(expect.arrayContaining(['AR', 'OK', 'TX']));
});

/** The files of kept days. */
const listKept = async (): Promise<string[]> =>
  (await readdir(join(held.folder, 'reports'), { recursive: true })).filter((path) =>
    path.endsWith('.json.gz'),
  );

test('a day that is over is kept, also for a server that starts later, until a late fix changes it', async () => {
  await record(30);
  const first = await readDays(DAYS[0], DAYS[0]);
  restart();
  const reading = vi.spyOn(held.reader, 'readFixes');
  expect(await readDays(DAYS[0], DAYS[0])).toEqual(first);
  expect(reading).not.toHaveBeenCalled();
  const [old] = await listKept();
  await makePartitions(held.pool, NOW_MS);
  const late = [{ unit: 'E', fixMs: dayRange(DAYS[0]!, ZONE).fromMs + HOUR_MS }];
  await held.write({ usdot: USDOT, seenMs: NOW_MS, changes: changesOf(NOW_MS, late) });
  const again = await readDays(DAYS[0], DAYS[0]);
  expect(again.days.map(({ key }) => key)).toEqual([...UNITS, 'E']);
  expect(reading).toHaveBeenCalledOnce();
  const kept = await listKept();
  expect(kept).toHaveLength(1);
  expect(kept).not.toContain(old);
});

test('a kept day whose file is damaged is replayed and kept again', async () => {
  await record(30);
  const first = await readDays(DAYS[0], DAYS[0]);
  const [path] = await listKept();
  await truncate(join(held.folder, 'reports', path!), 40);
  expect(await readDays(DAYS[0], DAYS[0])).toEqual(first);
  expect(warnings.splice(0)).toHaveLength(1);
  expect(await readDays(DAYS[0], DAYS[0])).toEqual(first);
});

test('the last days are ready for who asked for another one, and go with their recording', async () => {
  await record();
  await restart().keepReady();
  await expect(listKept()).rejects.toThrow('ENOENT');
  const today = dayOf(NOW_MS, ZONE);
  await readDays(today, today);
  await reports!.keepReady();
  expect(await listKept()).toHaveLength(2);
  const reading = vi.spyOn(held.reader, 'readFixes');
  const counting = vi.spyOn(held.reader, 'countFixes');
  expect((await readDays()).days).toHaveLength(2 * UNITS.length);
  // They neither take time nor count as fixes that are read.
  expect(reading).not.toHaveBeenCalled();
  expect(counting).not.toHaveBeenCalled();
  await held.history.remove(USDOT);
  await reports!.keepReady();
  expect(await listKept()).toEqual([]);
});

test('a range with too many fixes is refused with what to do, before its first line', async () => {
  vi.spyOn(held.reader, 'countFixes').mockResolvedValue(93_400_000);
  const lines = restart().read(
    USDOT,
    { fromMs: NOW_MS - HOUR_MS, toMs: NOW_MS, zone: ZONE },
    new AbortController().signal,
  );
  await expect(lines.next()).rejects.toMatchObject({
    code: 'range-too-long',
    detail:
      'The range has about 93 million fixes of this fleet, and at most 40 million are read at once. Choose a shorter range.',
  });
});

test('a range with too many days of units is refused too, and one day never', async () => {
  const names = { size: 300_000 } as Awaited<ReturnType<typeof held.reader.readNames>>;
  vi.spyOn(held.reader, 'readNames').mockResolvedValue(names);
  expect((await readDays(DAYS[0], DAYS[0])).lines.at(-1)?.share).toBe(1);
  await expect(readDays()).rejects.toMatchObject({
    code: 'range-too-long',
    detail: 'Of a fleet with 300,000 units, a report has at most 1 day. Choose a shorter range.',
  });
});

/** The file of an export, and the size that was named before its first piece. */
const exportAll = async (range: { fromMs: number; toMs: number }) => {
  let size = 0;
  const onWritten = async (bytes: number): Promise<void> => void (size = bytes);
  const { signal } = new AbortController();
  const pieces: Uint8Array[] = [];
  for await (const piece of exportFleet(
    held.reader,
    USDOT,
    { ...range, chosen: null },
    { signal, onWritten },
  ))
    pieces.push(piece);
  return { bytes: Buffer.concat(pieces), size };
};

test('an export has each fix of the range once, from PostgreSQL and from files, with times in UTC and null for what is unknown', async () => {
  const hours = 8;
  await record(hours);
  const range = { fromMs: START_MS + HOUR_MS, toMs: START_MS + hours * HOUR_MS };
  // A fix of an archived hour that comes again.
  const again = fixesOf(0).find(({ fixMs }) => fixMs > range.fromMs)!;
  await makePartitions(held.pool, NOW_MS);
  await held.write({ usdot: USDOT, seenMs: NOW_MS, changes: changesOf(NOW_MS, [again]) });
  const { bytes, size } = await exportAll(range);
  expect(bytes.length).toBe(size);
  const path = join(held.folder, 'exported.parquet');
  writeFileSync(path, bytes);
  const read = <Row extends (string | number)[]>(sql: string): Promise<Row[] | null> =>
    held.reader.readFixes(USDOT, range, ({ duck }) => duck.readRows<Row>(sql));
  const rows = await read<[string, number, number]>(
    `SELECT unit, epoch_ms(fix_at)::DOUBLE, lat FROM read_parquet('${path}')`,
  );
  const expected = UNITS.flatMap((_, unit) => fixesOf(unit)).filter(
    ({ fixMs }) => fixMs >= range.fromMs && fixMs < range.toMs,
  );
  const known = 'count(speed_kph)::INTEGER, count(heading_deg)::INTEGER';
  expect(await read(`SELECT ${known} FROM read_parquet('${path}')`)).toEqual([[0, 0]]);
  const times = `SELECT name, logical_type FROM parquet_schema('${path}') WHERE name IN ('fix_at', 'seen_at')`;
  expect(await read(times)).toEqual([
    ['fix_at', expect.stringContaining('isAdjustedToUTC=1')],
    ['seen_at', expect.stringContaining('isAdjustedToUTC=1')],
  ]);
  expect(rows).toHaveLength(expected.length);
  expect(rows!.map(([unit, fixMs]) => `${unit} ${fixMs}`)).toEqual(
    expected.map(({ unit, fixMs }) => `${unit} ${fixMs}`),
  );
});

test('a range without fixes has an empty report and no file', async () => {
  const { lines } = await readDays();
  expect(lines.at(-1)).toEqual({ share: 1, day: DAYS[1], units: [] });
  await expect(exportAll({ fromMs: 0, toMs: 1 })).rejects.toMatchObject({ code: 'not-recorded' });
});

test('every state of the atlas has its postal code', () => {
  const path = createRequire(import.meta.url).resolve('us-atlas/states-10m.json');
  const { codes } = new StateIndex(JSON.parse(readFileSync(path, 'utf8')) as StatesAtlas);
  expect(new Set(codes).size).toBe(53);
});
