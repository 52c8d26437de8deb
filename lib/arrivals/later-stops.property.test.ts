import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { judgeLaterStops, type ChainedStop } from './later-stops';

const NOW_MS = Date.UTC(2026, 2, 2, 12);
const hours = (min: number, max: number) =>
  fc.integer({ min: min * 60, max: max * 60 }).map((minutes) => minutes * MINUTE_MS);
const ranges = fc.tuple(hours(-10, 60), hours(0, 6)).map(([from, long]) => ({
  fromMs: NOW_MS + from,
  toMs: NOW_MS + from + long,
}));
const stops = fc.array(
  fc.record({
    kind: fc.constant('delivery' as const),
    siteId: fc.constant(1),
    appointment: fc.option(ranges),
    lat: fc.double({ min: 26, max: 48, noNaN: true }),
    lng: fc.double({ min: -122, max: -70, noNaN: true }),
    dwell: fc.option(
      fc.tuple(hours(0, 2), hours(0, 6)).map(([lowMs, more]) => ({ lowMs, highMs: lowMs + more })),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);
const NONE = { visit: null, isPassed: false };
const visitAt = (arrivedMs: number) => ({
  visit: { siteId: 1, unit: 'A', arrivedAfterMs: null, arrivedMs, leftMs: null, leftByMs: null },
  isPassed: false,
});

it('has windows that begin before they end, and neither begin nor end before those of the stops before', () => {
  fc.assert(
    fc.property(stops, fc.nat({ max: 5 }), ranges, fc.option(hours(0, 20)), (chain, at, window, agoMs) => {
      const next = at % chain.length;
      const judged = chain.map((_, i) => (i === next && agoMs !== null ? visitAt(NOW_MS - agoMs) : NONE));
      const later = judgeLaterStops(chain, { next, stops: judged }, agoMs === null ? window : null, NOW_MS);
      expect(later.map((each) => each === null)).toEqual(chain.map((_, i) => i <= next));
      let before = agoMs === null ? window : { fromMs: NOW_MS, toMs: NOW_MS };
      for (const each of later.slice(next + 1)) {
        const { fromMs, toMs } = each!.window!;
        expect(fromMs).toBeLessThanOrEqual(toMs);
        expect(fromMs).toBeGreaterThanOrEqual(before.fromMs);
        expect(toMs).toBeGreaterThanOrEqual(before.toMs);
        before = { fromMs, toMs };
      }
    }),
    { numRuns: 100 },
  );
});

const at = (lat: number, appointmentH: number | null): ChainedStop => ({
  ...{ kind: 'delivery', siteId: 1, lat, lng: -101, dwell: { lowMs: HOUR_MS, highMs: HOUR_MS } },
  appointment:
    appointmentH === null
      ? null
      : { fromMs: NOW_MS + (appointmentH - 1) * HOUR_MS, toMs: NOW_MS + appointmentH * HOUR_MS },
});
const window = (fromH: number, toH: number) => ({
  fromMs: NOW_MS + fromH * HOUR_MS,
  toMs: NOW_MS + toH * HOUR_MS,
});

it('carries a late stop on to the ones after it, as far as there is no time to catch up', () => {
  const verdictsOf = (of: ReturnType<typeof window> | null, ...appointments: (number | null)[]) =>
    judgeLaterStops(
      [at(35, null), ...appointments.map((appointment, i) => at(35.5 + i / 2, appointment))],
      { next: 0, stops: [NONE, ...appointments.map(() => NONE)] },
      of,
      NOW_MS,
    ).map((each) => each?.verdict ?? null);
  expect(verdictsOf(window(1, 2), 6, 11)).toEqual([null, 'onTime', 'onTime']);
  expect(verdictsOf(window(3, 5), 6, 11)).toEqual([null, 'atRisk', 'onTime']);
  expect(verdictsOf(window(6, 7), 6, 11)).toEqual([null, 'late', 'atRisk']);
  expect(verdictsOf(window(6, 7), 6, null)).toEqual([null, 'late', 'none']);
  expect(verdictsOf(null, 6, -1)).toEqual([null, 'unknown', 'late']);
});
