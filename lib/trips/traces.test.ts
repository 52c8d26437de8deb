import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { DEFAULT_MOTION_SETTINGS as settings } from '@/lib/motion/settings';
import { dayRange } from './days';
import { toDay } from './trips';
import type { RecordedFix } from './trail';
import { MINUTE_MS } from '@/lib/base/time';

const traces = process.env.LINEHAUL_TRACES;
const { fromMs, toMs } = dayRange('2017-03-21', 'America/Chicago');

/** The ten buses with the most fixes, each in order of time and each time once. */
const readBuses = (folder: string): RecordedFix[][] => {
  const text = readFileSync(join(folder, 'austin-buses-2017-03-21.csv'));
  const buses = new Map<string, Map<number, RecordedFix>>();
  for (const row of parse(text, { columns: true }) as Record<string, string>[]) {
    const fix = {
      ...{ lat: Number(row.latitude), lng: Number(row.longitude) },
      ...{ fixAtMs: Date.parse(row.timestamp!), isByReceipt: false },
    };
    if (fix.lat === 0 && fix.lng === 0) continue;
    const fixes = buses.get(row.vehicle_id!) ?? new Map<number, RecordedFix>();
    if (!fixes.has(fix.fixAtMs)) fixes.set(fix.fixAtMs, fix);
    buses.set(row.vehicle_id!, fixes);
  }
  return [...buses.values()]
    .sort((a, b) => b.size - a.size)
    .slice(0, 10)
    .map((fixes) => [...fixes.values()].sort((a, b) => a.fixAtMs - b.fixAtMs));
};

/** Meters on a flat map, which is enough within a town. */
const apartM = (a: RecordedFix, b: RecordedFix): number =>
  111_195 * Math.hypot(b.lat - a.lat, (b.lng - a.lng) * Math.cos(30.3 * (Math.PI / 180)));

/** Times in which all fixes are within 130 m of the first of them, for at least ten minutes and without a pause of ten. */
const findLongStops = (fixes: readonly RecordedFix[]): { fromMs: number; toMs: number }[] => {
  const stops: { fromMs: number; toMs: number }[] = [];
  for (let i = 0; i < fixes.length;) {
    let j = i;
    while (
      j + 1 < fixes.length &&
      apartM(fixes[i]!, fixes[j + 1]!) <= 130 &&
      fixes[j + 1]!.fixAtMs - fixes[j]!.fixAtMs < 10 * MINUTE_MS
    )
      j++;
    const stop = { fromMs: fixes[i]!.fixAtMs, toMs: fixes[j]!.fixAtMs };
    if (stop.toMs - stop.fromMs >= 10 * MINUTE_MS) stops.push(stop);
    i = Math.max(i + 1, j);
  }
  return stops;
};

test.skipIf(!traces)('the trips and stops of ten buses agree with a simple count, and fill the day', () => {
  const coverage = [{ fromMs, toMs, state: 'answered', problem: null } as const];
  let longStops = 0;
  for (const fixes of readBuses(traces!)) {
    const day = toDay({ fixes, coverage, fromMs, toMs, nowMs: toMs }, settings);
    const { movingMs, stoppedMs, silentMs, notRecordedMs, drivenM, bridgedM } = day.totals;
    expect((movingMs + stoppedMs + silentMs + notRecordedMs) / MINUTE_MS).toBe(24 * 60);
    for (const [i, each] of day.segments.entries())
      expect(each.fromMs).toBe(i === 0 ? fromMs : day.segments[i - 1]!.toMs);

    // Each long stand in one place is a stop, to a few minutes at either end.
    const stops = day.entries.filter(({ kind }) => kind === 'stop');
    for (const stop of findLongStops(fixes.filter(({ fixAtMs }) => fixAtMs >= fromMs && fixAtMs < toMs))) {
      longStops++;
      const middleMs = (stop.fromMs + stop.toMs) / 2;
      const found = day.segments.find((each) => each.fromMs <= middleMs && each.toMs >= middleMs);
      expect(found?.kind, new Date(middleMs).toISOString()).toBe('stopped');
    }
    // And where the list has a stop, the fixes are near one another.
    for (const { fromMs: since, toMs: until } of stops) {
      const inside = fixes.filter(({ fixAtMs }) => fixAtMs >= since && fixAtMs <= until);
      for (const fix of inside) expect(apartM(inside[0]!, fix)).toBeLessThan(600);
    }

    // What was not driven on a line is wander in one place: a small part.
    const lineM = fixes.slice(1).reduce((sum, fix, i) => sum + apartM(fixes[i]!, fix), 0);
    expect(drivenM + bridgedM).toBeLessThanOrEqual(lineM * 1.01);
    expect(drivenM + bridgedM).toBeGreaterThan(lineM * 0.85);
  }
  expect(longStops).toBeGreaterThan(20);
});
