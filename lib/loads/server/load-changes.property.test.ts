import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { Viewer } from '@/lib/base/viewer';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { readWatchedLoads } from '@/lib/recording/load-writer';
import { readWatchedVisits } from '@/lib/recording/visit-repository';
import { FleetWatch } from '@/lib/rules/fleet-watch';
import { listWatchedSites } from '@/lib/sites/server/site-repository';
import type { SignIn } from '@/server/sign-in';
import { MANAGER, createTestSignIn, toClient } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { IS_LONG } from '@/testing/long';
import { START_MS } from '@/testing/motion/fixes';
import { fixedAt } from '@/testing/sites/watched-units';
import { createTestFleet } from '@/testing/view/fleet';
import { loadInputSchema, type LoadInput } from '../schema';
import { addLoad, changeLoad, endLoad, readLoad, type LoadContext } from './loads';

const USDOT = '9000001';
const ANN: Viewer = { ...MANAGER, id: 'a', name: 'Ann', email: 'ann@carrier.test', role: 'dispatcher' };
const REFUSALS = ['load-ended'];

let database: TestDatabase;
let app: SignIn;
let nowMs: number;
let context: LoadContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ app } = createTestSignIn(database.databaseUrl));
  context = { ...app, viewer: ANN, client: toClient(), clock: { nowMs: () => nowMs } };
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const unitArb = fc.constantFrom('A', 'B', null);
/** Places 0 to 3, each a degree further north. */
const stopsArb = fc.record({
  places: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
  /** When the appointment of the first stop begins, in hours from the start; null: none. */
  beginsH: fc.option(fc.integer({ min: 0, max: 13 })),
});
type Stops = typeof stopsArb extends fc.Arbitrary<infer T> ? T : never;
const stepArb = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('change' as const), unit: unitArb, stops: stopsArb }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('poll' as const),
      unit: fc.constantFrom('A', 'B'),
      place: fc.option(fc.nat(3)),
      isStale: fc.boolean(),
    }),
  },
  // A visit that becomes known later, as when a device hands over late.
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('late' as const),
      unit: fc.constantFrom('A', 'B'),
      place: fc.nat(3),
      agoMin: fc.integer({ min: 3, max: 30 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
);

const toInput = (unit: string | null, { places, beginsH }: Stops): LoadInput =>
  loadInputSchema.parse({
    ...{ reference: '8841', unit },
    stops: places.map((place, i) => ({
      ...{ kind: 'delivery', siteId: null },
      appointment:
        i > 0 || beginsH === null
          ? null
          : { fromMs: START_MS + beginsH * HOUR_MS, toMs: START_MS + (beginsH + 1) * HOUR_MS },
      place: { name: `Dock ${place}`, lat: 35 + place, lng: -101 },
    })),
  });

/** A feed that may not have read the last change of the loads yet. */
class Feed {
  #watch = new FleetWatch();

  async read(): Promise<void> {
    const { orm, pool } = await app.database.open();
    const [sites, loads] = [await listWatchedSites(orm, USDOT), await readWatchedLoads(pool, USDOT)];
    const visits = await readWatchedVisits(pool, USDOT, nowMs);
    this.#watch.start({ config: { sites, rules: [], tags: {}, loads }, visits, alerts: [] });
  }

  /** Two fixes, so that a truck that stops at a place is there. */
  async poll(unit: string, place: number | null): Promise<void> {
    const history = new HistoryRepository((await app.database.open()).pool);
    for (const _ of [1, 2]) {
      nowMs += 2 * MINUTE_MS;
      const min = (nowMs - START_MS) / MINUTE_MS;
      const northM = place === null ? 55_000 + min * 100 : place * 111_195.08;
      const fleet = createTestFleet([
        fixedAt(unit, { min, northM, status: place === null ? 'moving' : 'stopped' }),
      ]);
      const watched = this.#watch.observe(fleet, { seenMs: nowMs, failure: null });
      await history.write({
        usdot: USDOT,
        seenMs: nowMs,
        changes: null,
        coverage: [],
        statusCounts: null,
        ...watched,
      });
    }
  }
}

/** A visit of two minutes to a place, where the load has a stop and no other visit is known then. */
const addLateVisit = (unit: string, place: number, agoMin: number) => {
  const arrivedMs = nowMs - agoMin * MINUTE_MS;
  return database.query(
    `insert into linehaul.site_visits (usdot, site_id, unit, arrived_ms, left_ms, left_by_ms, origin)
     select $1, s.id, $2, $3, $4, $4, 'late' from linehaul.sites s
     where (s.shape->>'lat')::float8 = $5 and not exists (select from linehaul.site_visits e
       where e.unit = $2 and e.arrived_ms <= $4 and coalesce(e.left_ms, $4) >= $3)
     limit 1`,
    [USDOT, unit, arrivedMs, arrivedMs + 2 * MINUTE_MS, 35 + place],
  );
};

const requireSound = async (id: number): Promise<void> => {
  const { load, events } = await readLoad(context, USDOT, id);
  const found = events.filter(({ actor }) => actor === null);
  // What is known of a truck at a stop is what its visits say now, in the order of the stops.
  const expected = load.judged.flatMap(({ visit, isPassed }, position) => [
    ...(isPassed ? [`passed ${position}`] : []),
    ...(visit ? [`arrived ${position} ${visit.unit} ${visit.arrivedMs}`] : []),
    ...(visit?.leftMs == null ? [] : [`left ${position} ${visit.unit} ${visit.leftMs}`]),
  ]);
  const told = found
    .filter(({ kind }) => kind !== 'ended')
    .map(({ kind, position, unit, atMs }) =>
      kind === 'passed' ? `passed ${position}` : `${kind} ${position} ${unit} ${atMs}`,
    );
  expect(told.reverse()).toEqual(expected);
  expect(load.trucks.filter(({ toMs }) => toMs === null).length).toBeLessThanOrEqual(1);
  for (const { fromMs, toMs } of load.trucks) expect(toMs ?? Infinity).toBeGreaterThan(fromMs);
  expect(load.endedMs !== null).toBe(['delivered', 'closed'].includes(load.state));
  const circles = await database.query('select id from linehaul.sites order by id', []);
  expect(circles.map(({ id: circle }) => circle)).toEqual(
    [...new Set(load.stops.map(({ siteId }) => siteId))].sort((a, b) => a! - b!),
  );
};

it(
  'whatever changes come between polls, events are those of its stops, each once, and no circle is left behind',
  async () => {
    const property = fc.asyncProperty(
      stopsArb,
      fc.array(stepArb, { maxLength: 14 }),
      async (stops, steps) => {
        await database.query('truncate linehaul.sites, linehaul.loads cascade', []);
        nowMs = START_MS;
        const { id } = await addLoad(context, USDOT, toInput('A', stops));
        const feed = new Feed();
        await feed.read();
        for (const step of steps) {
          nowMs += MINUTE_MS;
          if (step.kind === 'end') await endLoad(context, USDOT, id);
          if (step.kind === 'change')
            await changeLoad(context, USDOT, id, toInput(step.unit, step.stops)).catch(
              (error: { code?: string }) => {
                if (!REFUSALS.includes(error.code ?? '')) throw error;
              },
            );
          if (step.kind === 'late') await addLateVisit(step.unit, step.place, step.agoMin);
          if (step.kind !== 'poll') continue;
          if (!step.isStale) await feed.read();
          await feed.poll(step.unit, step.place);
        }
        await feed.read();
        await feed.poll('A', null);
        await requireSound(id);
      },
    );
    await fc.assert(property, { numRuns: IS_LONG ? 300 : 4 });
  },
  IS_LONG ? 600_000 : 20_000,
);
