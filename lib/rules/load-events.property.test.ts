import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MINUTE_MS } from '@/lib/base/time';
import { IS_LONG } from '@/testing/long';
import { START_MS } from '@/testing/motion/fixes';
import { fixedAt, siteOf } from '@/testing/sites/watched-units';
import { createTestFleet, type UnitFields } from '@/testing/view/fleet';
import { FleetWatch } from './fleet-watch';
import type { LoadEvent, WatchedLoad } from './load-watch';

const STOPS_M = [0, 60_000, 120_000];
const SITES = STOPS_M.map((northM, i) => siteOf(i + 1, northM));
const M_PER_MIN = 4000;
const LAST_MIN = 120;

/** Where a truck is that stands at each stop for so long, from a minute on. */
const driveFrom = (startMin: number, stands: readonly number[]) => {
  let min = startMin;
  const arrivals = STOPS_M.map((northM, i) => {
    const arrivedMin = min;
    min += stands[i]! + 15;
    return { northM, arrivedMin, leftMin: arrivedMin + stands[i]! };
  });
  return (atMin: number): { northM: number; isStanding: boolean } => {
    const last = arrivals.findLast(({ arrivedMin }) => arrivedMin <= atMin);
    if (!last) return { northM: (atMin - startMin) * M_PER_MIN, isStanding: false };
    const drivenMin = Math.max(0, atMin - last.leftMin);
    return { northM: last.northM + drivenMin * M_PER_MIN, isStanding: drivenMin === 0 };
  };
};

const truck = fc.record({
  startMin: fc.integer({ min: 2, max: 40 }),
  stands: fc.tuple(...STOPS_M.map(() => fc.integer({ min: 3, max: 15 }))),
  /** How late each fix becomes known, minutes: a later one may be known before. */
  delaysMin: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 15 })), {
    ...{ minLength: LAST_MIN, maxLength: LAST_MIN },
  }),
});

it('has the events of a load in the order of its stops, whatever the order of fixes', () => {
  fc.assert(
    fc.property(fc.record({ A: truck, B: truck }), fc.integer({ min: 1, max: 100 }), (trucks, swapMin) => {
      const swapMs = START_MS + swapMin * MINUTE_MS;
      const load: WatchedLoad = {
        ...{ id: 7, endedMs: null, visits: [], shown: [], known: null },
        stops: SITES.map(({ id }) => ({ siteId: id, kind: 'other', appointment: null })),
        places: SITES.map(({ shape }) => (shape.type === 'circle' ? shape : { lat: 0, lng: 0 })),
        trucks: [{ unit: 'A', fromMs: START_MS, toMs: null }],
      };
      const swapped = [
        { unit: 'A', fromMs: START_MS, toMs: swapMs },
        { unit: 'B', fromMs: swapMs, toMs: null },
      ];
      const watch = new FleetWatch();
      const configure = (given: WatchedLoad['trucks']): void =>
        watch.configure({ sites: SITES, rules: [], tags: {}, loads: [{ ...load, trucks: given }] });
      configure(load.trucks);
      const drives = Object.entries(trucks).map(([unit, { startMin, stands, delaysMin }]) => {
        const at = driveFrom(startMin, stands);
        return { unit, at, delaysMin };
      });
      // What is found later replaces what was found before.
      const found = new Map<string, LoadEvent>();
      for (let min = 0; min < LAST_MIN + 20; min += 1) {
        if (min === swapMin) configure(swapped);
        const shown = drives.flatMap(({ unit, at, delaysMin }): UnitFields[] => {
          // The newest that is known.
          const newest = delaysMin.findLastIndex((delayMin, fixMin) => fixMin + delayMin <= min);
          if (newest < 0) return [];
          const { northM, isStanding } = at(newest);
          return [fixedAt(unit, { min: newest, northM, status: isStanding ? 'stopped' : 'moving' })];
        });
        const seen = { seenMs: START_MS + min * MINUTE_MS, failure: null };
        for (const { events } of watch.observe(createTestFleet(shown), seen).loads ?? [])
          for (const event of events) {
            if (event.kind === 'arrived') found.delete(`passed ${event.position}`);
            found.set(`${event.kind} ${event.position}`, event);
          }
      }
      const order = ['passed', 'arrived', 'left', 'ended'];
      const events = [...found.values()].sort(
        (a, b) => a.position - b.position || order.indexOf(a.kind) - order.indexOf(b.kind),
      );
      const times = events.filter(({ kind }) => kind !== 'passed').map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      for (const { kind, position } of events)
        if (kind === 'passed') expect(found.has(`arrived ${position}`)).toBe(false);
    }),
    { numRuns: IS_LONG ? 500 : 8 },
  );
});
