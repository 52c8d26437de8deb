import { expect, test } from 'vitest';
import { changesOf, setUpRecording } from '@/testing/history/recording';
import { MOST_TAILS } from '../schema';
import { MINUTE_MS } from '@/lib/base/time';

const held = setUpRecording();
const NOW_MS = Date.parse('2026-11-17T17:20:00Z');
const QUERY = {
  ...{ usdot: '1', toMs: NOW_MS, minutes: 60, seen: null },
  ...{ south: 34, west: -102, north: 36, east: -100 },
};
const minutesAgo = (minutes: number): number => NOW_MS - minutes * MINUTE_MS;

const record = (unit: string, minutes: number, lat: number): Promise<void> =>
  held.write({
    usdot: '1',
    seenMs: minutesAgo(minutes),
    changes: changesOf(minutesAgo(minutes), [{ unit, fixMs: minutesAgo(minutes), lat }]),
  });

test('units that reported from the box lately have the way that they went, thinned, and parked ones have none', async () => {
  for (const minutes of [70, 50, 30, 29.7, 5]) await record('DRIVES', minutes, 35 - minutes / 100);
  for (const minutes of [50, 5]) await record('STANDS', minutes, 35);
  for (const minutes of [50, 5]) await record('ELSEWHERE', minutes, 40 - minutes / 100);
  for (const minutes of [55, 45]) await record('SILENT', minutes, 35 - minutes / 100);
  const tails = await held.reader.readTails(QUERY);
  expect([...tails!.keys()]).toEqual(['DRIVES']);
  expect(tails!.get('DRIVES')).toEqual({
    fixS: [50, 29.7, 5].map((minutes) => minutesAgo(minutes) / 1000),
    latE5: [3_450_000, 3_470_300, 3_495_000],
    lngE5: [-10_100_000, -10_100_000, -10_100_000],
  });
  expect(await held.reader.readTails({ ...QUERY, usdot: '2' })).toEqual(new Map());
  // A map that is a turn of the world away, or shows the date line too.
  for (const box of [
    { west: 258, east: 260 },
    { west: -462, east: -460 },
    { west: 170, east: 260 },
  ])
    expect([...(await held.reader.readTails({ ...QUERY, ...box }))!.keys()]).toEqual(['DRIVES']);
  expect(await held.reader.readTails({ ...QUERY, west: 170, east: 250 })).toEqual(new Map());
  expect(await held.reader.readTails({ ...QUERY, seen: new Set(['STANDS']) })).toEqual(new Map());
});

test('where too many units are, none has a tail', async () => {
  const fixes = Array.from({ length: MOST_TAILS + 1 }, (_, i) => ({ unit: `U${i}`, fixMs: minutesAgo(5) }));
  await held.write({ usdot: '1', seenMs: minutesAgo(5), changes: changesOf(minutesAgo(5), fixes) });
  expect(await held.reader.readTails(QUERY)).toBeNull();
  // Not too many of those that the viewer may see.
  expect(await held.reader.readTails({ ...QUERY, seen: new Set(['U1']) })).toEqual(new Map());
});

test('a tail of hours goes on in the archive', async () => {
  for (const minutes of [230, 150, 60, 5]) await record('DRIVES', minutes, 35 - minutes / 1000);
  await held.archive(NOW_MS);
  const open = await held.pool.query('SELECT min(seen_ms)::float8 AS oldest FROM linehaul.fixes');
  expect(open.rows[0].oldest).toBeGreaterThan(minutesAgo(230));
  const tails = await held.reader.readTails({ ...QUERY, minutes: 240 });
  expect(tails!.get('DRIVES')!.fixS).toEqual([230, 150, 60, 5].map((minutes) => minutesAgo(minutes) / 1000));
});
