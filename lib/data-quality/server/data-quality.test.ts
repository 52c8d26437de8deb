import { afterEach, expect, test, vi } from 'vitest';
import { drizzle } from 'drizzle-orm/node-postgres';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { FLAGS } from '@/lib/motion/status';
import { makePartitions } from '@/lib/recording/partitions';
import { ReportThreads } from '@/lib/reports/server/report-threads';
import { clockOf } from '@/testing/clock';
import { changesOf, setUpRecording } from '@/testing/history/recording';
import type { QualityRow } from '../quality';
import { DataQuality, type QualityQuery } from './data-quality';
import { readQualityNames } from './names';

const held = setUpRecording();
const threads = new ReportThreads();
afterEach(() => threads.close());

const USDOT = '9000001';
const ZONE = 'UTC';
const DAY_MS = Date.parse('2026-11-16T00:00:00Z');
const NOW_MS = DAY_MS + 40 * HOUR_MS;
const [FROZEN, NO_POSITION] = [FLAGS.indexOf('frozenPosition'), FLAGS.indexOf('noPosition')];

const writeState = (unit: string, minute: number, flags: number, coarseM = 0) =>
  held.pool.query(
    `INSERT INTO linehaul.states (usdot, unit, seen_ms, flags, coarse_m, status) VALUES ($1, $2, $3, $4, $5, 0)`,
    [USDOT, unit, DAY_MS + minute * MINUTE_MS, flags, coarseM],
  );

const nameUnit = (unit: string, deviceId: string) =>
  held.pool.query(
    `INSERT INTO linehaul.unit_identities (usdot, unit, seen_ms, identity) VALUES ($1, $2, $3, $4)`,
    [...[USDOT, unit, DAY_MS], JSON.stringify({ key: unit, truckNumber: unit, deviceId })],
  );

/** Two hours of two trucks that report each minute and each five minutes, of which one is frozen for a while. */
const record = async (): Promise<void> => {
  for (let minute = 0; minute < 120; minute += 5) {
    const seenMs = DAY_MS + (minute + 4) * MINUTE_MS + 20_000;
    if (minute % 60 === 0) await makePartitions(held.pool, seenMs);
    const fixOf = (unit: string, at: number) => ({
      ...{ unit, fixMs: DAY_MS + at * MINUTE_MS, lat: 35 + at * 0.009 },
    });
    const fixes = [0, 1, 2, 3, 4].map((more) => fixOf('A', minute + more));
    await held.write({
      ...{ usdot: USDOT, seenMs, provider: minute < 60 ? 'old.example.com' : 'new.example.com' },
      changes: changesOf(seenMs, [...fixes, fixOf('B', minute)]),
      coverage: [{ fromMs: DAY_MS - HOUR_MS, toMs: seenMs, state: 'answered', problem: null }],
    });
    if (minute % 60 === 0) for (const unit of ['A', 'B']) await writeState(unit, minute, 0);
  }
  await writeState('B', 61, 1 << FROZEN);
  await writeState('B', 90, 0, 500);
  await writeState('C', 61, 0);
  await writeState('C', 62, 1 << NO_POSITION);
  await nameUnit('A', 'GO9-77');
  await nameUnit('B', 'XT-12');
};

const read = async (changes: Partial<QualityQuery> = {}): Promise<QualityRow[]> => {
  const { reader, folder, scratch } = held;
  const log = { warn: vi.fn() };
  const quality = new DataQuality({ reader, folder, scratch, threads, log, clock: clockOf(() => NOW_MS) });
  const names = await readQualityNames(drizzle({ client: held.pool }), USDOT);
  const query = {
    ...{ fromMs: DAY_MS, toMs: DAY_MS + 24 * HOUR_MS, zone: ZONE },
    ...({ by: 'truck', each: 'range', chosen: null } as const),
    ...changes,
  };
  const lines = [];
  for await (const line of quality.read(USDOT, query, names, new AbortController().signal)) lines.push(line);
  expect(log.warn).not.toHaveBeenCalled();
  expect(lines.at(-1)?.share).toBe(1);
  return lines.flatMap(({ rows }) => rows);
};

test('the figures are by truck, device, tag and provider, of a recording in PostgreSQL and in files', async () => {
  await record();
  const open = await read();
  expect(await held.archive(NOW_MS)).toEqual([]);
  const reading = vi.spyOn(held.reader, 'readFixes');
  const rows = await read();
  // The open day was kept, because it is over.
  expect(reading).toHaveBeenCalledTimes(1);
  expect(rows).toEqual(open);
  const [a, b, c] = rows;
  expect(a).toMatchObject({ key: 'A', fixes: 120, judged: 120, coarse: 0 });
  expect(a!.delay).toMatchObject({ fixes: 120, leastS: 20, p50S: 140, p95S: 260 });
  expect(a!.interval).toMatchObject({ p50S: 60 });
  expect(b!.interval).toMatchObject({ p50S: 300 });
  // Those that came from 1:01 until 1:30 AM, and coarse ones from then on.
  expect(b!.flagged[FROZEN]).toBe(6);
  expect(b!.raised[FROZEN]).toBe(1);
  expect(b!.coarse).toBe(6);
  // It has a fault and no fix.
  expect(c).toMatchObject({ key: 'C', fixes: 0, delay: null });
  expect(c!.raised[NO_POSITION]).toBe(1);

  const byDevice = await read({ by: 'device' });
  expect(byDevice.map(({ key, units }) => [key, units])).toEqual([
    ['GO9…', 1],
    ['No device ID', 1],
    ['XT…', 1],
  ]);
  await held.pool.query(`INSERT INTO linehaul.unit_tags (usdot, tag, unit) VALUES ($1, 'eld', 'A')`, [USDOT]);
  expect((await read({ by: 'tag' })).map(({ name, fixes }) => [name, fixes])).toEqual([
    ['eld', 120],
    ['No tag', 24],
  ]);
  // A day counts for the provider at its end; one before the first that was noted for none.
  const range = { fromMs: DAY_MS - 24 * HOUR_MS, toMs: DAY_MS + 24 * HOUR_MS };
  expect(
    (await read({ ...range, by: 'provider', each: 'day' })).map(({ name, fixes }) => [name, fixes]),
  ).toEqual([['new.example.com', 144]]);
  expect((await read({ chosen: new Set(['B']) })).map(({ key }) => key)).toEqual(['B']);
});

test('a fleet without a recording has no figures', async () => {
  expect(await read()).toEqual([]);
});
