import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeLoad, toVerdict, type PlannedLoad, type StopVisit } from './load';

const hour = 3_600_000;
const visitOf = (unit: string, siteId: number, fromH: number, toH: number | null): StopVisit => ({
  ...{ siteId, unit, arrivedAfterMs: null, arrivedMs: fromH * hour },
  ...{ leftMs: toH === null ? null : toH * hour, leftByMs: null },
});
const load = (more: Partial<PlannedLoad> = {}): PlannedLoad => ({
  id: 1,
  stops: [
    { siteId: 1, kind: 'pickup', appointment: null },
    { siteId: 2, kind: 'delivery', appointment: null },
  ],
  trucks: [{ unit: 'A', fromMs: 0, toMs: null }],
  endedMs: null,
  ...more,
});

describe('judgeLoad', () => {
  it.each<[string, StopVisit[], string, number | null]>([
    ['nothing seen', [], 'toPickup', 0],
    ['at the pickup', [visitOf('A', 1, 1, null)], 'atPickup', 0],
    ['it has left the pickup', [visitOf('A', 1, 1, 2)], 'toDelivery', 1],
    ['at the delivery', [visitOf('A', 1, 1, 2), visitOf('A', 2, 5, null)], 'atDelivery', 1],
    ['delivered', [visitOf('A', 1, 1, 2), visitOf('A', 2, 5, 6)], 'delivered', null],
    ['another truck was at the pickup', [visitOf('B', 1, 1, 2)], 'toPickup', 0],
    ['it came back to the pickup', [visitOf('A', 1, 1, 2), visitOf('A', 1, 3, null)], 'atPickup', 0],
    ['it was there before it had the load', [visitOf('A', 1, -5, -3)], 'toPickup', 0],
  ])('%s', (_, visits, state, next) => {
    expect(judgeLoad(load(), visits)).toMatchObject({ state, next });
  });

  it('does not guess what happened at a stop that was passed', () => {
    const judged = judgeLoad(load(), [visitOf('A', 2, 5, null)]);
    expect(judged.state).toBe('atDelivery');
    expect(judged.stops[0]).toEqual({ visit: null, isPassed: true });
  });

  it('follows the load to another truck', () => {
    const swapped = load({
      trucks: [
        { unit: 'A', fromMs: 0, toMs: 3 * hour },
        { unit: 'B', fromMs: 3 * hour, toMs: null },
      ],
    });
    const pickup = visitOf('A', 1, 1, 2);
    expect(judgeLoad(swapped, [pickup, visitOf('A', 2, 5, 6)])).toMatchObject({
      state: 'toDelivery',
      unit: 'B',
    });
    expect(judgeLoad(swapped, [pickup, visitOf('B', 2, 5, 6)])).toMatchObject({ state: 'delivered' });
    // At the stop itself each truck has its own part of the stay, while it had the load.
    const sureOf = (visit: StopVisit): StopVisit => ({
      ...visit,
      sure: { fromMs: visit.arrivedMs, toMs: visit.leftMs!, away: [] },
    });
    const [first, ...others] = judgeLoad(swapped, [
      ...[sureOf(visitOf('A', 1, 1, 4)), sureOf(visitOf('B', 1, 2, 5)), visitOf('B', 2, 6, null)],
    ]).stops;
    expect(first!.visit).toMatchObject({ unit: 'A', arrivedMs: hour, leftMs: 5 * hour });
    expect(first!.visit!.sure).toEqual({ fromMs: hour, toMs: 5 * hour, away: [] });
    expect(first!.parts).toMatchObject([
      { unit: 'A', arrivedMs: hour, leftMs: 3 * hour, sure: { fromMs: hour, toMs: 3 * hour } },
      { unit: 'B', arrivedMs: 3 * hour, leftMs: 5 * hour, sure: { fromMs: 3 * hour, toMs: 5 * hour } },
    ]);
    expect(others[0]).not.toHaveProperty('parts');
  });

  it('is taken on at a stop by a truck that has waited there', () => {
    const relay = load({
      stops: [1, 2, 3].map((siteId) => ({ siteId, kind: 'other', appointment: null })),
      trucks: [
        { unit: 'A', fromMs: 0, toMs: 6 * hour },
        { unit: 'B', fromMs: 6 * hour, toMs: null },
      ],
    });
    const pickup = visitOf('A', 1, 1, 2);
    const waits = visitOf('B', 2, 0.5, 6.5);
    for (const comes of [[visitOf('A', 2, 5, 7)], []]) {
      const { stops, state } = judgeLoad(relay, [waits, pickup, ...comes]);
      expect(state).toBe('toOther');
      expect(stops[0]).toEqual({ visit: pickup, isPassed: false });
      // It arrived with its truck, or else by when the other one had it.
      expect(stops[1]!.visit).toMatchObject({
        arrivedMs: (comes.length > 0 ? 5 : 6) * hour,
        leftMs: 6.5 * hour,
      });
    }
    // A truck that got the load while it stood at the pickup was there before.
    expect(judgeLoad(relay, [visitOf('B', 1, 5, 7)]).stops[0]!.visit!.arrivedMs).toBe(5 * hour);
  });

  it('does not count a visit long before the appointment', () => {
    const appointment = { fromMs: 30 * hour, toMs: 32 * hour };
    const planned = load({ stops: [{ siteId: 1, kind: 'pickup', appointment }] });
    expect(judgeLoad(planned, [visitOf('A', 1, 1, 2)]).state).toBe('toPickup');
    expect(judgeLoad(planned, [visitOf('A', 1, 1, 2), visitOf('A', 1, 29, null)]).state).toBe('atPickup');
  });

  it('goes to the same site twice for two stops', () => {
    const round = load({
      stops: [1, 2, 1].map((siteId) => ({ siteId, kind: 'other', appointment: null })),
    });
    const visits = [visitOf('A', 1, 1, 2), visitOf('A', 2, 3, 4), visitOf('A', 1, 5, null)];
    expect(judgeLoad(round, visits)).toMatchObject({ state: 'atOther', next: 2 });
    expect(judgeLoad(round, visits.slice(0, 1))).toMatchObject({ state: 'toOther', next: 1 });
  });
});

const visits = fc.array(
  fc
    .record({
      unit: fc.constantFrom('A', 'B', 'C'),
      siteId: fc.integer({ min: 1, max: 4 }),
      fromH: fc.integer({ min: -10, max: 60 }),
      hours: fc.integer({ min: 0, max: 8 }),
      isOpen: fc.boolean(),
    })
    .map(({ unit, siteId, fromH, hours, isOpen }) =>
      visitOf(unit, siteId, fromH, isOpen && fromH > 50 ? null : fromH + hours),
    ),
  { maxLength: 15 },
);
const loads = fc
  .record({
    siteIds: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 5 }),
    swapH: fc.option(fc.integer({ min: 1, max: 50 })),
    appointmentH: fc.option(fc.integer({ min: 0, max: 50 })),
  })
  .map(({ siteIds, swapH, appointmentH }) =>
    load({
      stops: siteIds.map((siteId, i) => ({
        siteId,
        kind: 'other',
        appointment:
          i === 0 && appointmentH !== null
            ? { fromMs: appointmentH * hour, toMs: (appointmentH + 2) * hour }
            : null,
      })),
      trucks:
        swapH === null
          ? [{ unit: 'A', fromMs: 0, toMs: null }]
          : [
              { unit: 'A', fromMs: 0, toMs: swapH * hour },
              { unit: 'B', fromMs: swapH * hour, toMs: null },
            ],
    }),
  );

it('puts what happened in the order of time, whatever the order in which it became known', () => {
  fc.assert(
    fc.property(loads, visits, fc.integer(), (planned, seen, seed) => {
      const judged = judgeLoad(planned, seen);
      const shuffled = seen.toSorted(
        (a, b) => ((a.arrivedMs * 31 + seed) % 97) - ((b.arrivedMs * 31 + seed) % 97),
      );
      expect(judgeLoad(planned, shuffled.reverse())).toEqual(judged);
      const stays = judged.stops.flatMap(({ visit }) => (visit ? [visit] : []));
      for (const { arrivedMs, leftMs } of stays) expect(leftMs ?? Infinity).toBeGreaterThanOrEqual(arrivedMs);
      stays.slice(1).forEach((stay, i) => expect(stay.arrivedMs).toBeGreaterThanOrEqual(stays[i]!.leftMs!));
      const last = judged.stops.findLastIndex(({ visit }) => visit !== null);
      judged.stops.forEach(({ visit, isPassed }, i) => expect(isPassed).toBe(visit === null && i < last));
      for (const { unit } of stays) expect(['A', 'B']).toContain(unit);
      if (judged.state === 'delivered') expect(judged.next).toBeNull();
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['no appointment', null, null, { fromMs: 1, toMs: 2 }, 0, 'none'],
  ['in time', { fromMs: 5, toMs: 10 }, null, { fromMs: 6, toMs: 10 }, 0, 'onTime'],
  ['at risk', { fromMs: 5, toMs: 10 }, null, { fromMs: 6, toMs: 11 }, 0, 'atRisk'],
  ['late', { fromMs: 5, toMs: 10 }, null, { fromMs: 11, toMs: 12 }, 0, 'late'],
  ['no window', { fromMs: 5, toMs: 10 }, null, null, 0, 'unknown'],
  ['no window, and it is over', { fromMs: 5, toMs: 10 }, null, null, 11, 'late'],
  ['came in time', { fromMs: 5, toMs: 10 }, { arrivedAfterMs: 9, arrivedMs: 12 }, null, 20, 'onTime'],
  ['came late', { fromMs: 5, toMs: 10 }, { arrivedAfterMs: 11, arrivedMs: 12 }, null, 20, 'late'],
] as const)('%s', (_, appointment, arrival, window, nowMs, verdict) => {
  expect(toVerdict({ siteId: 1, appointment }, arrival, window, nowMs)).toBe(verdict);
});

it('says nothing of a stop whose site was removed', () => {
  expect(toVerdict({ siteId: null, appointment: { fromMs: 5, toMs: 10 } }, null, null, 11)).toBe('unknown');
});
