import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Viewer } from '@/lib/base/viewer';
import type { SignIn } from '@/server/sign-in';
import { MANAGER, createTestSignIn, toClient } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { dumpDatabase } from '@/testing/dump';
import { START_MS } from '@/testing/motion/fixes';
import { loadImportSchema, type ImportedLoad } from '../schema';
import { importLoads } from './load-import';
import { endLoad, listLoads, type LoadContext } from './loads';

const USDOT = '9000001';
const ANN: Viewer = { ...MANAGER, id: 'a', name: 'Ann', email: 'ann@carrier.test', role: 'dispatcher' };

let database: TestDatabase;
let app: SignIn;
let context: LoadContext;
let reloads: number;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ app } = createTestSignIn(database.databaseUrl));
  context = {
    ...{ ...app, viewer: ANN, client: toClient(), clock: { nowMs: () => START_MS } },
    watch: { reload: () => void (reloads += 1) },
  };
});
beforeEach(async () => {
  reloads = 0;
  await database.query('truncate linehaul.sites, linehaul.loads cascade');
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const toLoads = (references: string[], more: Partial<ImportedLoad> = {}): ImportedLoad[] =>
  loadImportSchema.parse({
    isPreview: false,
    loads: references.map((reference, at) => ({
      ...{ reference, po: 'PO 17', unit: 'A' },
      stops: [
        {
          kind: 'delivery',
          siteId: null,
          place: { name: 'Dock 4', lat: 35 + at, lng: -101 },
          appointment: null,
        },
      ],
      ...more,
    })),
  }).loads;

const run = async (loads: ImportedLoad[], isPreview = false) =>
  (await importLoads(context, USDOT, { loads, isPreview })).results.map(
    ({ reference, kind, message }) => `${reference} ${kind}${message === null ? '' : `: ${message}`}`,
  );
/** All rows, but what a server stores when it starts. */
const dump = async () => {
  const {
    'linehaul.settings': _,
    'linehaul.revisions': _old,
    ...rest
  } = await dumpDatabase(database.databaseUrl);
  return rest;
};

it('does what its preview says, which stores nothing, and nothing more when it comes again', async () => {
  const before = await dump();
  expect(await run(toLoads(['1', '2']), true)).toEqual(['1 added', '2 added']);
  expect([await dump(), reloads]).toEqual([before, 0]);
  expect(await run(toLoads(['1', '2']))).toEqual(['1 added', '2 added']);
  expect(reloads).toBe(1);
  const imported = await dump();
  expect(await run(toLoads(['1', '2']), true)).toEqual(['1 unchanged', '2 unchanged']);
  expect(await run(toLoads(['1', '2']))).toEqual(['1 unchanged', '2 unchanged']);
  expect([await dump(), reloads]).toEqual([imported, 1]);
});

it('leaves what a file does not have', async () => {
  await run(toLoads(['1']));
  const [{ po: _po, unit: _unit, ...rest } = toLoads(['1'])[0]!] = toLoads(['1'], {
    customer: 'Peachtree Paper',
  });
  expect(await run([rest])).toEqual(['1 changed']);
  const [load] = (await listLoads(context, USDOT)).loads;
  expect(load).toMatchObject({
    po: 'PO 17',
    customer: 'Peachtree Paper',
    trucks: [{ unit: 'A', toMs: null }],
  });
  expect(await run(toLoads(['1'], { unit: null }))).toEqual(['1 changed']);
  expect((await listLoads(context, USDOT)).loads[0]).toMatchObject({ state: 'noTruck' });
});

it('leaves the parts of stops that a file does not have, and says what the load is then', async () => {
  const zone = 'America/New_York';
  const place = { name: 'Peachtree DC', lat: 33.64, lng: -84.43 };
  const pickup = { place: { name: 'Dock 4', lat: 35, lng: -101 }, freeMin: 60, contactName: 'Kim' };
  const appointment = { from: '2026-03-03T13:00', to: '2026-03-03T15:00' };
  await run([{ reference: '1', pickup, delivery: { place, appointment } }]);
  const [before] = (await listLoads(context, USDOT)).loads;
  const times = { fromMs: Date.parse('2026-03-03T18:00Z'), toMs: Date.parse('2026-03-03T20:00Z') };
  expect(before!.stops[1]).toMatchObject({ timeZone: zone, appointment: times });
  const loads = [{ reference: '1', unit: 'A', delivery: { contactName: 'Lee' } }];
  const { results } = await importLoads(context, USDOT, { loads, isPreview: true });
  expect(results).toMatchObject([
    {
      ...{ kind: 'changed', ofTruck: 1 },
      stops: [
        { name: 'Dock 4', appointment: null },
        { name: 'Peachtree DC', timeZone: zone, appointment: times },
      ],
    },
  ]);
  await run(loads);
  const [after] = (await listLoads(context, USDOT)).loads;
  expect(after!.stops).toEqual([before!.stops[0], { ...before!.stops[1], contactName: 'Lee' }]);
  expect(await run([{ reference: '2', unit: 'A' }])).toEqual(['2 refused: The load has no stop.']);
  const reversed = { from: '2026-03-03T13:00', to: '2026-03-03T12:00' };
  expect(await run([{ reference: '1', delivery: { appointment: reversed } }])).toEqual([
    '1 refused: The appointment of the delivery ends before it begins.',
  ]);
});

it('imports none where one is refused, and says which and why', async () => {
  await run(toLoads(['1']));
  const [held] = (await listLoads(context, USDOT)).loads;
  await endLoad(context, USDOT, held!.id);
  const before = await dump();
  const stops = [{ ...toLoads(['3'])[0]!.stops![0]!, siteId: 99_999, place: null }];
  const loads = [...toLoads(['0', '1'], { unit: 'B' }), ...toLoads(['3'], { stops }), ...toLoads(['0'])];
  for (const isPreview of [true, false]) {
    expect(await run(loads, isPreview)).toEqual([
      '0 added',
      '1 refused: A load that was ended by hand keeps its stops.',
      '3 refused: The fleet has no such site any more.',
      '0 refused: Another load of the fleet has this reference.',
    ]);
    expect(await dump()).toEqual(before);
  }
});
