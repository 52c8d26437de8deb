import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { Viewer } from '@/lib/base/viewer';
import { loadInputSchema } from '@/lib/loads/schema';
import { addLoad, type LoadContext } from '@/lib/loads/server/loads';
import { addSite } from '@/lib/sites/server/sites';
import type { SignIn } from '@/server/sign-in';
import { MANAGER, createTestSignIn, toClient } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { START_MS } from '@/testing/motion/fixes';
import { siteOf } from '@/testing/sites/watched-units';
import { readFacilities, type FacilityQuery } from './facilities';

const USDOT = '9000001';
const ANN: Viewer = { ...MANAGER, id: 'a', name: 'Ann', email: 'ann@carrier.test', role: 'dispatcher' };

let database: TestDatabase;
let app: SignIn;
let context: LoadContext;
let yard = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ app } = createTestSignIn(database.databaseUrl));
  const clock = { nowMs: () => START_MS };
  context = { ...app, viewer: ANN, client: toClient(), clock, watch: { reload: () => undefined } };
  const { id: _id, ...site } = siteOf(1, 0, { name: 'Yard' });
  yard = (await addSite({ ...context, history: null }, USDOT, site)).id;
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** A visit from one minute to another, each a minute after the fix before. */
const addVisit = (siteId: number, unit: string, fromMin: number, toMin: number): Promise<unknown> =>
  database.query(
    `INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_after_ms, arrived_ms, left_ms, left_by_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      USDOT,
      siteId,
      unit,
      ...[fromMin - 1, fromMin, toMin, toMin + 1].map((min) => START_MS + min * MINUTE_MS),
    ],
  );

const read = async (changes: Partial<FacilityQuery> = {}) => {
  const { orm, pool } = await app.database.open();
  const query = {
    ...{ fromMs: START_MS, toMs: START_MS + 24 * HOUR_MS, zone: 'UTC', chosen: null },
    ...({ by: 'site', each: 'range' } as const),
    ...changes,
  };
  return readFacilities({ orm, pool, nowMs: START_MS + 24 * HOUR_MS }, USDOT, query);
};

it('has the visits to sites, and those of loads by customer, with appointments and statements of each', async () => {
  const appointment = { fromMs: START_MS, toMs: START_MS + HOUR_MS };
  const dock = { name: 'Dock 4', lat: 35.9, lng: -101 };
  const addOf = async (reference: string, customer: string, unit: string): Promise<number> => {
    const input = loadInputSchema.parse({
      ...{ reference, customer, unit },
      stops: [
        { kind: 'pickup', siteId: yard, place: null, appointment },
        { kind: 'delivery', siteId: null, place: dock, appointment: null },
      ],
    });
    return (await addLoad(context, USDOT, input)).id;
  };
  await addOf('1', 'Peachtree Paper', 'A');
  const second = await addOf('2', 'Acme', 'B');
  await addOf('3', 'ACME', 'C');
  // In time, and late: the truck was still outside a minute before.
  await addVisit(yard, 'A', 30, 90);
  await addVisit(yard, 'B', 80, 200);
  // Without a load.
  await addVisit(yard, 'D', 10, 40);
  const [{ siteId }] = (await database.query(
    `SELECT site_id AS "siteId" FROM linehaul.load_stops WHERE load_id = ${second} AND position = 1`,
  )) as [{ siteId: number }];
  await addVisit(siteId, 'B', 300, 330);

  const bySite = await read();
  expect(bySite.rows[0]!.billedCents ?? 0).toBe(0);
  expect(bySite.rows).toMatchObject([
    {
      name: 'Yard',
      visits: 3,
      stays: 3,
      medianMs: HOUR_MS,
      p90Ms: 2 * HOUR_MS,
      inTime: 1,
      late: 1,
      notSeen: 0,
    },
  ]);
  expect(bySite.all).toMatchObject([{ visits: 3, inTime: 1, late: 1 }]);
  const byCustomer = await read({ by: 'customer' });
  expect(byCustomer.rows).toMatchObject([
    // Its other load has not come to its stop yet.
    { name: 'Acme', visits: 2, medianMs: HOUR_MS / 2, inTime: 0, late: 1, notSeen: 0 },
    { name: 'Peachtree Paper', visits: 1, inTime: 1, late: 0 },
  ]);
  expect((await read({ chosen: new Set(['D']) })).rows).toMatchObject([{ visits: 1, inTime: 0, late: 0 }]);

  // As proof writes them.
  await database.query(`CREATE TABLE IF NOT EXISTS linehaul.detention_statements (usdot text, number text, revision int,
    unit text, site_id int, site_name text, load_id int8, position int2, reference text, customer text, time_zone text,
    arrived_ms int8, left_ms int8, basis text, billable_min int, most_min int, amount_cents int, issued_ms int8, first_ms int8)`);
  await database.query(
    `INSERT INTO linehaul.detention_statements (usdot, number, revision, unit, site_id, site_name, reference, customer,
       time_zone, arrived_ms, left_ms, basis, billable_min, amount_cents, issued_ms, first_ms)
     VALUES ($1, '7K3M', 1, 'B', $2, 'Yard', '2', 'Acme', 'UTC', $3, $3, '', 30, 4500, $3, $3)`,
    [USDOT, yard, START_MS + 80 * MINUTE_MS],
  );
  expect((await read()).rows).toMatchObject([{ statements: 1, billedCents: 4500 }]);
  const [acme, peachtree] = (await read({ by: 'customer' })).rows;
  expect([acme!.billedCents, peachtree!.billedCents]).toEqual([4500, 0]);
  expect((await read({ fromMs: START_MS + 12 * HOUR_MS })).rows).toEqual([]);
});
