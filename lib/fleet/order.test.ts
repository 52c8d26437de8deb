import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import type { TrackedUnit } from '@/lib/tracking/unit';
import type { KnownCarrier } from './unit/unit-record';
import type { FleetRows } from '@/lib/wire/fleet';
import { FleetTracker } from './fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import { identityOf, unitAt } from '@/testing/live/tracked-units';

const USDOT = '9000001';
const LATE = DEFAULT_LIVE_SETTINGS.motion.lateFixes;
const ROSTER = new Set(['DRIVES']);
const CARRIERS: KnownCarrier[] = ['DRIVES', 'STANDS'].map((vin) => ({
  carrier: { vin, mcNumber: 'MC-990002', usdot: '9000002', requestedAtMs: START_MS },
  times: 2,
}));

/** A browser's view of each unit, whatever its row is. */
const toWords = ({ identities, columns }: FleetRows) =>
  identities
    .map((identity, row) => ({
      identity,
      ...Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[row]])),
    }))
    .sort((a, b) => (a.identity!.key < b.identity!.key ? -1 : 1));

/** One answer's record of a unit: its position in its history, and the faults of the record. */
const recordArb = fc.record({
  northM: fc.constantFrom(0, 0, 5, 40, 800, 1600, 2400, 90_000),
  device: fc.constantFrom('D1', 'D1', 'D1', 'D2'),
  fault: fc.constantFrom(null, null, null, 'clockFault' as const),
  hasPlace: fc.constantFrom(true, true, true, false),
});
type Said = typeof recordArb extends fc.Arbitrary<infer T> ? T : never;

const toUnit = (key: string, half: number, { northM, device, fault, hasPlace }: Said): TrackedUnit => {
  const minutes = half / 2;
  const flags = fault === null ? [] : [{ flag: fault, text: 'Two clocks.' }];
  return {
    ...unitAt(key, minutes, northM, { identity: identityOf(key, { deviceId: `${key}-${device}` }) }),
    ...(hasPlace ? {} : { position: null }),
    flags: hasPlace ? flags : [...flags, { flag: 'noPosition', text: 'It gives none.' }],
  };
};

type Event = { kind: 'units'; units: TrackedUnit[] } | { kind: 'carrier'; known: KnownCarrier };

const NOW_MS = START_MS + 20 * MINUTE_MS;

/** Applies the events in their order, within moments of each other; then the polls continue for a while. */
const watch = (events: readonly Event[]) => {
  const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, USDOT);
  let nowMs = NOW_MS;
  for (const event of events) {
    if (event.kind === 'carrier') tracker.learnCarrier(event.known);
    else tracker.observe(event.units, ROSTER, ++nowMs);
  }
  return tracker;
};

/** The newest record of each unit, as every poll repeats it. */
const newestOf = (events: readonly Event[]): TrackedUnit[] => {
  const newest = new Map<string, TrackedUnit>();
  for (const event of events) {
    if (event.kind !== 'units') continue;
    for (const unit of event.units) {
      const held = newest.get(unit.identity.key);
      if (!held || held.fixAtMs! < unit.fixAtMs!) newest.set(unit.identity.key, unit);
    }
  }
  return [...newest.values()];
};

const storyArb = (answers: number) =>
  fc
    .array(fc.tuple(recordArb, recordArb), { minLength: answers, maxLength: answers })
    .map((said): Event[] => [
      ...said.map(([first, second], half): Event => ({
        kind: 'units',
        units: [toUnit('DRIVES', half, first), toUnit('STANDS', half, second)],
      })),
    ]);

describe('status and flags do not depend on the order in which answers arrive', () => {
  test('of a few answers of the provider, in any order at all', () => {
    fc.assert(
      fc.property(
        storyArb(2 * LATE - 1).chain((events) =>
          fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
        ),
        ([events, shuffled]) => {
          const inOrder = watch(events);
          const anyhow = watch(shuffled);
          expect(toWords(anyhow.copyRows())).toEqual(toWords(inOrder.copyRows()));
          for (const key of ['DRIVES', 'STANDS'])
            expect(anyhow.detail(key, 'e.1')).toEqual(inOrder.detail(key, 'e.1'));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('of many, each overtaken by a few', () => {
    fc.assert(
      fc.property(
        storyArb(20),
        fc.array(fc.integer({ min: 0, max: LATE - 1 }), { minLength: 20, maxLength: 20 }),
        (events, delays) => {
          const late = events
            .map((event, i) => ({ event, due: i + delays[i]! + (delays[i]! > 0 ? 0.5 : 0) }))
            .sort((a, b) => a.due - b.due)
            .map(({ event }) => event);
          expect(toWords(watch(late).copyRows())).toEqual(toWords(watch(events).copyRows()));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('of units and of carriers, once the next poll is in', () => {
    fc.assert(
      fc.property(
        storyArb(LATE).chain((events) => {
          const all = [...events, ...CARRIERS.map((known): Event => ({ kind: 'carrier', known }))];
          return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }));
        }),
        ([events, shuffled]) => {
          const carriers = new Map(CARRIERS.map((known) => [known.carrier.vin, known]));
          const settle = (order: readonly Event[]) => {
            const tracker = new FleetTracker(
              DEFAULT_LIVE_SETTINGS,
              USDOT,
              (vin) => carriers.get(vin) ?? null,
            );
            for (const event of order) {
              if (event.kind === 'carrier') tracker.learnCarrier(event.known);
              else tracker.observe(event.units, ROSTER, NOW_MS);
            }
            tracker.observe(newestOf(events), ROSTER, NOW_MS + MINUTE_MS);
            return toWords(tracker.copyRows());
          };
          expect(settle(shuffled)).toEqual(settle(events));
        },
      ),
      { numRuns: 200 },
    );
  });
});
