import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { Arrivals } from './arrivals';
import type { RoadFix } from './drives';
import { packArrays } from './packed';
import { RESTED, drive } from './duty';
import type { Grade } from './grades';

/** A drive through corners given as [km east, km north] with a rest at the second one, and a fix each 30 s. */
const driveThrough = (corners: readonly [number, number][], kph: number, restMs: number): RoadFix[] => {
  const fixes: RoadFix[] = [];
  let fixAtMs = Date.UTC(2026, 5, 1);
  for (let i = 1; i < corners.length; i += 1) {
    const [[x0, y0], [x1, y1]] = [corners[i - 1]!, corners[i]!];
    const steps = Math.ceil((Math.hypot(x1 - x0, y1 - y0) / kph) * 120);
    for (let s = 0; s < steps; s += 1) {
      const [x, y] = [x0 + ((x1 - x0) * s) / steps, y0 + ((y1 - y0) * s) / steps];
      fixes.push({ lat: 35 + y / 111.2, lng: -97 + x / 91, fixAtMs });
      fixAtMs += 30 * SECOND_MS;
    }
    if (i === 1 && restMs > 0) fixes.push({ ...fixes.at(-1)!, fixAtMs: (fixAtMs += restMs) });
  }
  return fixes.length > 0 ? fixes : [{ lat: 35, lng: -97, fixAtMs }];
};

const position = fc.record({
  lat: fc.double({ min: 26, max: 48, noNaN: true }),
  lng: fc.double({ min: -122, max: -70, noNaN: true }),
});

const grade = fc.record({
  by: fc.constantFrom<Grade['by']>('interstates', 'line'),
  isStanding: fc.boolean(),
  stops: fc.double({ min: 0, max: 5, noNaN: true }),
  expectedMs: fc.integer({ min: MINUTE_MS, max: 12 * HOUR_MS }),
  actualMs: fc.integer({ min: 1, max: 48 * HOUR_MS }),
  was: fc.constantFrom<Grade['was']>('before', 'within', 'after'),
});

const shown = fc.record({
  from: position,
  to: position,
  /** How much of the way is left, in the direction of `to`. */
  leftShare: fc.constantFrom(0, 1e-6, 1e-3, 1),
  isStanding: fc.boolean(),
  drivenMs: fc.integer({ min: 0, max: 14 * HOUR_MS }),
  grades: fc.array(grade, { maxLength: 60 }),
  fixAtMs: fc.integer({ min: 1e12, max: 2e12 }),
  agesMs: fc.tuple(fc.integer({ min: 0, max: 6 * HOUR_MS }), fc.integer({ min: 0, max: 6 * HOUR_MS })),
  rhythmMs: fc.integer({ min: 0, max: 30 * MINUTE_MS }),
});

it('has windows that begin before they end, never before their fix, and that only widen with silence', () => {
  fc.assert(
    fc.property(
      shown,
      ({ from: far, to, leftShare, isStanding, drivenMs, grades, fixAtMs, agesMs, rhythmMs }) => {
        const from = {
          lat: to.lat + (far.lat - to.lat) * leftShare,
          lng: to.lng + (far.lng - to.lng) * leftShare,
        };
        const arrivals = new Arrivals();
        for (const one of grades) arrivals.grades.add(one);
        const duty = drive(RESTED, drivenMs);
        const estimate = arrivals.estimate({ ...from, fixAtMs, isStanding }, { ...to, key: 'stop' }, duty);
        // What is said to be rest is a part of what is expected.
        expect(estimate.restMs ?? 0).toBeLessThanOrEqual(estimate.expectedMs);
        const ages = agesMs.toSorted((a, b) => a - b);
        const first = arrivals.window(estimate, fixAtMs, rhythmMs);
        for (const ageMs of ages) {
          const { fromMs, toMs } = arrivals.window(estimate, fixAtMs + ageMs, rhythmMs);
          expect(fromMs).toBeGreaterThanOrEqual(fixAtMs);
          expect(toMs).toBeGreaterThan(fromMs);
          expect(fromMs).toBe(first.fromMs);
          // By as much as the truck has been silent for longer than usual, and never into the past.
          const widerMs = first.toMs + Math.max(0, ageMs - rhythmMs);
          expect(toMs).toBe(Math.max(widerMs, fixAtMs + ageMs + MINUTE_MS));
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('is the same after it was packed and unpacked, and learns on from there', () => {
  const corner = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 }));
  const driven = fc.record({
    stop: fc.constantFrom('yard', 'dock', 'plant'),
    corners: fc.array(corner, { minLength: 2, maxLength: 5 }),
    kph: fc.integer({ min: 20, max: 110 }),
    restMs: fc.integer({ min: 0, max: 2 * HOUR_MS }),
  });
  const learnAll = (arrivals: Arrivals, drives: readonly RoadFix[][], stops: readonly string[]): void =>
    drives.forEach((fixes, i) => {
      arrivals.learn(fixes);
      arrivals.learnArrival(stops[i]!, fixes);
    });
  fc.assert(
    fc.property(fc.array(driven, { minLength: 1, maxLength: 6 }), fc.nat(6), (all, split) => {
      const drives = all.map(({ corners, kph, restMs }) => driveThrough(corners, kph, restMs));
      const stops = all.map(({ stop }) => stop);
      const whole = new Arrivals();
      learnAll(whole, drives, stops);
      const first = new Arrivals();
      learnAll(first, drives.slice(0, split), stops);
      const copy = Arrivals.unpack(first.pack());
      learnAll(copy, drives.slice(split), stops.slice(split));
      expect(Buffer.compare(Buffer.from(copy.pack()), Buffer.from(whole.pack()))).toBe(0);
      const fix = { ...drives[0]![0]!, isStanding: false };
      const to = { ...drives.at(-1)!.at(-1)!, key: stops.at(-1)! };
      expect(copy.estimate(fix, to, RESTED)).toEqual(whole.estimate(fix, to, RESTED));
    }),
    { numRuns: 40 },
  );
});

it('does not unpack a part of what was packed, or another version', () => {
  const packed = new Arrivals().pack();
  fc.assert(
    fc.property(fc.nat(packed.byteLength - 1), (length) => {
      expect(() => Arrivals.unpack(packed.slice(0, length))).toThrow();
    }),
    { numRuns: 50 },
  );
  expect(() => Arrivals.unpack(packArrays({ version: 0, stops: [] }, {}))).toThrow('version 0');
});
