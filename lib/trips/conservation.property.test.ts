import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceM } from '@/lib/geo/geodesy';
import { DEFAULT_MOTION_SETTINGS as settings } from '@/lib/motion/settings';
import { createRandom } from '@/testing/motion/fixes';
import { toFix } from '@/testing/motion/work';
import type { RecordedFix } from './trail';
import { toDay, type Day } from './trips';
import { HOUR_MS } from '@/lib/base/time';

const dayOf = (fixes: readonly RecordedFix[]): Day => {
  const [fromMs, toMs] = [fixes[0]!.fixAtMs, fixes[fixes.length - 1]!.fixAtMs + 1];
  const answered = {
    fromMs: fromMs - HOUR_MS,
    toMs: toMs + HOUR_MS,
    state: 'answered',
    problem: null,
  } as const;
  return toDay({ fixes, coverage: [answered], fromMs, toMs, nowMs: toMs }, settings);
};

/** A part of a unit's day: it goes so far in a direction in each of some reports. */
const part = fc.record({
  reports: fc.integer({ min: 1, max: 12 }),
  everyS: fc.constantFrom(5, 10, 30, 60, 300, 900, 2400),
  kph: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 110, noNaN: true })),
  headingDeg: fc.integer({ min: 0, max: 359 }),
  turnDeg: fc.constantFrom(0, 0, 90, 180),
  noiseM: fc.constantFrom(0, 3, 3, 30),
});
type Part = typeof part extends fc.Arbitrary<infer T> ? T : never;

const toFixes = (parts: readonly Part[], draw: () => number): RecordedFix[] => {
  const fixes: RecordedFix[] = [];
  let [atS, eastM, northM] = [0, 0, 0];
  for (const { reports, everyS, kph, headingDeg, turnDeg, noiseM } of parts)
    for (let i = 0; i < reports; i++) {
      const heading = ((headingDeg + i * turnDeg) * Math.PI) / 180;
      const stepM = (kph / 3.6) * Math.min(everyS, 900);
      atS += everyS;
      eastM += stepM * Math.sin(heading);
      northM += stepM * Math.cos(heading);
      const off = (): number => (2 * draw() - 1) * noiseM;
      const fix = toFix({ atS, eastM: eastM + off(), northM: northM + off() });
      fixes.push({ ...fix, isByReceipt: false });
    }
  return fixes;
};

const anyDay = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 1e9 }))
  .map(([parts, seed]) => toFixes(parts, createRandom(seed)));

test('each line between two fixes is driven, or over a gap, or drift within a stop, and these add up to the trail', () => {
  fc.assert(
    fc.property(anyDay, (fixes) => {
      const day = dayOf(fixes);
      const { points } = day.trail;
      let [drivenM, bridgedM, driftM, lineM] = [0, 0, 0, 0];
      for (const [i, to] of points.entries()) {
        const from = points[i - 1];
        if (from === undefined) continue;
        const leg = { fromMs: from.fixAtMs, toMs: to.fixAtMs };
        const meters = distanceM(from, to);
        const [driven, bridged] = [day.distances.driven(leg), day.distances.bridged(leg)];
        expect(Math.min(driven, bridged)).toBeCloseTo(0, 5);
        const isDrift = Math.max(driven, bridged) < 1e-6;
        if (!isDrift) expect(driven + bridged).toBeCloseTo(meters, 5);
        else if (to.link === 'seen' && meters > 0) {
          // All of a line of drift is within one stop.
          const segment = day.segments.find(({ fromMs, toMs }) => fromMs <= leg.fromMs && toMs >= leg.toMs);
          expect(segment?.kind).toBe('stopped');
        }
        lineM += meters;
        drivenM += driven;
        bridgedM += bridged;
        driftM += isDrift ? meters : 0;
      }
      expect(drivenM + bridgedM + driftM).toBeCloseTo(lineM, 3);
      expect(day.totals.drivenM).toBeCloseTo(drivenM, 3);
      expect(day.totals.bridgedM).toBeCloseTo(bridgedM, 3);
      const trips = day.entries.reduce((sum, each) => sum + (each.kind === 'trip' ? each.drivenM : 0), 0);
      expect(trips).toBeCloseTo(drivenM, 3);
    }),
    { numRuns: 60 },
  );
});

test('a stop has no fix that is farther from its place than its noise allows', () => {
  fc.assert(
    fc.property(anyDay, (fixes) => {
      const { segments, trail } = dayOf(fixes);
      for (const { kind, fromMs, toMs } of segments) {
        if (kind !== 'stopped') continue;
        const inside = trail.points.filter(({ fixAtMs }) => fixAtMs >= fromMs && fixAtMs <= toMs);
        const [lats, lngs] = [inside.map(({ lat }) => lat), inside.map(({ lng }) => lng)];
        const corner = (pick: (...values: number[]) => number) => ({
          lat: pick(...lats),
          lng: pick(...lngs),
        });
        expect(distanceM(corner(Math.min), corner(Math.max))).toBeLessThanOrEqual(settings.placeM + 1);
      }
    }),
    { numRuns: 300 },
  );
});
