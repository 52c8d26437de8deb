import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { setUpRecording } from '@/testing/history/recording';
import { readFleetGrades } from './grades';
import { createReadArrivals } from './read-arrivals';
import { arrivalGrades, loadStops, loads } from './tables';

const USDOT = '1234567';
const NOW = 20_700 * DAY_MS;
const held = setUpRecording();

it('says how often windows held by lead time, how wide they were, and which missed by the most', async () => {
  const orm = drizzle({ client: held.pool });
  const at = new Date(NOW);
  const [load] = await orm
    .insert(loads)
    .values({ usdot: USDOT, reference: '8841', madeBy: 'a', createdAt: at, updatedAt: at })
    .returning();
  const stop = { kind: 'delivery' as const, name: 'Plant', lat: 35, lng: -101, timeZone: 'America/Chicago' };
  const arrivals = [-50, -10, 10, 30, 200].map((min) => min * MINUTE_MS);
  for (const [position, offMs] of arrivals.entries()) {
    await orm.insert(loadStops).values({ ...stop, loadId: load!.id, position });
    // Windows of an hour, of which the one that missed by the most is old.
    const arrivedMs = NOW - (offMs > HOUR_MS ? 60 : 1) * DAY_MS;
    await orm.insert(arrivalGrades).values({
      ...{ loadId: load!.id, position, leadMs: HOUR_MS, usdot: USDOT, unit: 'A', arrivedMs },
      ...{ shownMs: arrivedMs - HOUR_MS, fixMs: arrivedMs - HOUR_MS, by: 'roads', isStanding: false },
      ...{ fromMs: arrivedMs - offMs - 20 * MINUTE_MS, toMs: arrivedMs - offMs + 20 * MINUTE_MS },
      ...{ stops: 0, expectedMs: HOUR_MS, distM: 60_000 },
    });
  }
  const database = { open: async () => ({ pool: held.pool, orm }) };
  const clock = { nowMs: () => NOW };
  const { leads, worst } = await readFleetGrades({ database, clock }, USDOT, { days: 30 });
  const lead = { leadMs: HOUR_MS, arrivals: 4, held: 2, early: 1, late: 1, widthMs: 40 * MINUTE_MS };
  expect(leads).toEqual([lead]);
  expect(worst.map(({ reference, stop: name, missedMs }) => [reference, name, missedMs / MINUTE_MS])).toEqual(
    [
      ['8841', 'Plant', -30],
      ['8841', 'Plant', 10],
    ],
  );
  expect((await readFleetGrades({ database, clock }, USDOT, { days: 90 })).worst[0]!.missedMs).toBe(
    180 * MINUTE_MS,
  );
  expect(await readFleetGrades({ database, clock }, '9', { days: 90 })).toEqual({ leads: [], worst: [] });

  // A feed begins with those of the last weeks.
  const log = { warn: (fields: object) => expect(fields).toBeNull() };
  const history = { reader: held.reader, archive: { learned: { readThroughMs: async () => null } } } as never;
  const read = createReadArrivals({ history, database, clock, log });
  const start = await read(USDOT, { throughMs: null, hasGrades: false, units: [] });
  expect(start!.grades.map(({ was }) => was).toSorted()).toEqual(['after', 'before', 'within', 'within']);
  expect(start!.grades[0]).toMatchObject({ by: 'roads', actualMs: HOUR_MS, expectedMs: HOUR_MS });
});
