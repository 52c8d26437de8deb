import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { Viewer } from '@/lib/base/viewer';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { readWatchedLoads } from '@/lib/recording/load-writer';
import { readWatchedVisits } from '@/lib/recording/visit-repository';
import { FleetWatch } from '@/lib/rules/fleet-watch';
import { listWatchedSites } from '@/lib/sites/server/site-repository';
import { addSite, listFleetSites, removeSite } from '@/lib/sites/server/sites';
import type { SignIn } from '@/server/sign-in';
import { MANAGER, createTestSignIn, toClient } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { fixedAt, siteOf } from '@/testing/sites/watched-units';
import { createTestFleet, type UnitFields } from '@/testing/view/fleet';
import { START_MS } from '@/testing/motion/fixes';
import {
  readEndedLoads,
  readLoads as readHeldLoads,
  readLoad as readShownLoad,
  type HeldLoads,
} from '../answers';
import type { Load } from '../load';
import { loadInputSchema, type LoadInput } from '../schema';
import { pastLoadsAnswer, toPastMarks } from '../past-loads';
import { truckLoadsAnswer } from '../truck-loads';
import { readLoadList } from './load-lists';
import {
  addLoad,
  changeLoad,
  endLoad,
  listEndedLoads,
  listLoads,
  readLoad,
  removeLoad,
  type LoadContext,
} from './loads';
import { readPastLoads, readTruckLoads } from './truck-loads';

const USDOT = '9000001';
const ANN: Viewer = { ...MANAGER, id: 'a', name: 'Ann', email: 'ann@carrier.test', role: 'dispatcher' };

let database: TestDatabase;
let app: SignIn;
let nowMs = START_MS;
let context: LoadContext;
let history: HistoryRepository;
let watch: FleetWatch;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ app } = createTestSignIn(database.databaseUrl));
  context = {
    ...app,
    viewer: ANN,
    client: toClient(),
    clock: { nowMs: () => nowMs },
    watch: { reload: () => undefined },
  };
  history = new HistoryRepository((await app.database.open()).pool);
});
beforeEach(async () => {
  nowMs = START_MS;
  await database.query('truncate linehaul.sites, linehaul.loads cascade');
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** A watch as a feed begins it, also after a restart. */
const start = async (): Promise<void> => {
  const { orm, pool } = await app.database.open();
  watch = new FleetWatch();
  const [sites, loads] = [await listWatchedSites(orm, USDOT), await readWatchedLoads(pool, USDOT)];
  const visits = await readWatchedVisits(pool, USDOT, nowMs);
  watch.start({ config: { sites, rules: [], tags: {}, loads }, visits, alerts: [] });
};

const poll = async (min: number, units: UnitFields[]): Promise<void> => {
  nowMs = START_MS + min * MINUTE_MS;
  const watched = watch.observe(createTestFleet(units), { seenMs: nowMs, failure: null });
  const entry = { usdot: USDOT, seenMs: nowMs, changes: null, coverage: [], statusCounts: null, ...watched };
  // A server that is killed after its write, before it knows of that, writes again.
  await history.write(entry);
  await history.write(entry);
};

const addYard = async (northM: number): Promise<number> => {
  const { id: _id, ...site } = siteOf(1, northM, { name: `Yard ${northM}` });
  return (await addSite({ ...context, history: null }, USDOT, site)).id;
};

const inputOf = async (more: Partial<LoadInput> = {}): Promise<LoadInput> =>
  loadInputSchema.parse({
    ...{ reference: '8841', po: 'PO 17', customer: 'Peachtree Paper', unit: 'A' },
    stops: [
      { kind: 'pickup', siteId: await addYard(0), place: null, appointment: null },
      {
        ...{ kind: 'delivery', siteId: null, place: { name: 'Dock 4', lat: 35.9, lng: -101 } },
        appointment: { fromMs: START_MS + HOUR_MS, toMs: START_MS + 4 * HOUR_MS },
      },
    ],
    ...more,
  });

const statesOf = async () => {
  const { loads } = await listLoads(context, USDOT);
  return loads.map(
    ({ reference, state, verdict, window }) => `${reference} ${state} ${verdict} ${window !== null}`,
  );
};

it('takes a load from its making to its end, with every event once however often the server restarts', async () => {
  const { id } = await addLoad(context, USDOT, await inputOf());
  expect(await statesOf()).toEqual(['8841 toPickup none false']);
  // The circle of a stop is no site that users manage.
  expect((await listFleetSites(context, USDOT)).sites).toHaveLength(1);
  await start();
  await poll(1, [fixedAt('A', { min: 1, northM: 0, status: 'stopped' })]);
  await poll(3, [fixedAt('A', { min: 3, northM: 0, status: 'stopped' })]);
  expect(await statesOf()).toEqual(['8841 atPickup none false']);
  const [none, later] = (await readLoad(context, USDOT, id)).load.later;
  expect([none, later?.verdict]).toEqual([null, 'atRisk']);
  // From 20 minutes to three hours at the pickup, then 100 km.
  expect((later!.window!.fromMs - START_MS) / HOUR_MS).toBeCloseTo(1.4, 0);
  expect((later!.window!.toMs - START_MS) / HOUR_MS).toBeCloseTo(5.7, 0);
  await poll(10, [fixedAt('A', { min: 10, northM: 5000, status: 'moving' })]);
  expect(await statesOf()).toEqual(['8841 toDelivery onTime true']);
  expect((await readLoad(context, USDOT, id)).load.later).toEqual([null, null]);
  await start();
  await poll(60, [fixedAt('A', { min: 60, northM: 100_000, status: 'moving' })]);
  await poll(62, [fixedAt('A', { min: 62, northM: 100_075, status: 'stopped' })]);
  await poll(64, [fixedAt('A', { min: 64, northM: 100_075, status: 'stopped' })]);
  await start();
  await poll(90, [fixedAt('A', { min: 90, northM: 110_000, status: 'moving' })]);
  expect(await statesOf()).toEqual(['8841 delivered none false']);
  const { events, load } = await readLoad(context, USDOT, id);
  expect(events.map(({ kind, position }) => `${kind} ${position}`).reverse()).toEqual([
    ...['truck -1', 'arrived 0', 'left 0', 'arrived 1', 'left 1', 'ended 1'],
  ]);
  expect(load.judged.every(({ visit }) => visit !== null)).toBe(true);
  // The past names it with what it did then.
  const range = { fromMs: START_MS, toMs: START_MS + 3 * HOUR_MS };
  const { loads } = await readPastLoads(context, USDOT, range);
  const doneAt = (min: number) => toPastMarks(loads, START_MS + min * MINUTE_MS).map((mark) => mark.label);
  expect([-1, 0, 2, 5, 30, 95].map(doneAt)).toEqual([
    ...[[], ['on the way to pickup'], ['at pickup'], ['in transit'], ['in transit'], []],
  ]);
  expect((await readPastLoads(context, USDOT, { fromMs: 0, toMs: START_MS })).loads).toEqual([]);
  expect(await readWatchedLoads((await app.database.open()).pool, USDOT)).toEqual([]);
});

it('has in its history a visit that becomes known late, and no longer that none was seen', async () => {
  const { id } = await addLoad(context, USDOT, await inputOf());
  const kindsOf = async () =>
    (await readLoad(context, USDOT, id)).events.map(({ kind, position }) => `${kind} ${position}`).reverse();
  await start();
  await poll(60, [fixedAt('A', { min: 60, northM: 100_075, status: 'stopped' })]);
  await poll(64, [fixedAt('A', { min: 64, northM: 100_075, status: 'stopped' })]);
  expect(await kindsOf()).toEqual(['truck -1', 'passed 0', 'arrived 1']);
  const { siteId } = (await readLoad(context, USDOT, id)).load.stops[0]!;
  await database.query(
    `insert into linehaul.site_visits (usdot, site_id, unit, arrived_ms, left_ms, left_by_ms, origin)
     values ($1, $2, 'A', $3, $4, $4, 'late')`,
    [USDOT, siteId, START_MS + 5 * MINUTE_MS, START_MS + 20 * MINUTE_MS],
  );
  const expected = ['truck -1', 'arrived 0', 'left 0', 'arrived 1'];
  expect(await kindsOf()).toEqual(expected);
  // A feed that finds it with its next start says nothing else.
  await start();
  await poll(66, [fixedAt('A', { min: 66, northM: 100_075, status: 'stopped' })]);
  expect(await kindsOf()).toEqual(expected);
});

it('lists what has changed since a version, which with what was held is the whole list', async () => {
  let runMs = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (runMs += 1));
  let held: HeldLoads | undefined;
  /** Reads as a browser does; the references that came. */
  const read = async (afterMs = 0): Promise<string[]> => {
    runMs += afterMs;
    let sent: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      const since = new URL(url, 'http://localhost').searchParams.get('since') ?? undefined;
      const body = await readLoadList(context, USDOT, since);
      sent = (JSON.parse(body) as { loads: Load[] }).loads.map(({ reference }) => reference);
      return new Response(body);
    });
    held = await readHeldLoads(USDOT, held, new AbortController().signal);
    const whole = (await listLoads(context, USDOT)).loads;
    if (afterMs > 0) expect(held.loads.toSorted((a, b) => a.id - b.id)).toEqual(whole);
    return sent;
  };
  onTestFinished(() => {
    clock.mockRestore();
    vi.unstubAllGlobals();
  });
  const input = await inputOf();
  const { id } = await addLoad(context, USDOT, input);
  const other = await addLoad(context, USDOT, { ...input, reference: '8842', unit: 'B' });
  expect(await read(1)).toEqual(['8841', '8842']);
  const before = held;
  expect(await read(1)).toEqual([]);
  expect(held).toBe(before);
  nowMs += MINUTE_MS;
  await changeLoad(context, USDOT, other.id, { ...input, reference: '8843', unit: 'B' });
  expect(await read(1)).toEqual(['8843']);
  // What polls find is read again once twenty times as long has passed as the last reading took.
  await start();
  await poll(3, [fixedAt('A', { min: 3, northM: 5000, status: 'moving' })]);
  expect(await read(11_000)).toEqual(['8841', '8843']);
  await poll(4, [fixedAt('A', { min: 4, northM: 0, status: 'stopped' })]);
  expect(await read(0)).toEqual([]);
  expect(await read(11_000)).toEqual(['8841']);
  await endLoad(context, USDOT, other.id);
  expect(await read(1)).toEqual(['8843']);
  await removeLoad(context, USDOT, id);
  expect(await read(1)).toEqual([]);
  expect(held!.loads.map(({ reference }) => reference)).toEqual(['8843']);
  // No change of a load: its site is removed.
  await database.query('delete from linehaul.sites');
  expect(await read(121_000)).toEqual(['8843']);
  nowMs += 8 * 24 * HOUR_MS;
  expect(await read(1)).toEqual([]);
  expect(held!.loads).toEqual([]);
});

it('goes on with another truck, and keeps who changed it and when', async () => {
  const input = await inputOf();
  const { id } = await addLoad(context, USDOT, input);
  nowMs += HOUR_MS;
  const before = (await readLoad(context, USDOT, id)).load;
  const kept = before.stops.map(({ siteId }, i) => ({ ...input.stops[i]!, siteId, place: null }));
  await changeLoad(context, USDOT, id, { ...input, unit: 'B', stops: kept });
  const { load } = await readLoad(context, USDOT, id);
  expect(
    load.trucks.map(({ unit, fromMs, toMs }) => [unit, fromMs - START_MS, toMs && toMs - START_MS]),
  ).toEqual([
    ['A', 0, HOUR_MS],
    ['B', HOUR_MS, null],
  ]);
  expect(load.stops).toEqual(before.stops);
  // The past says which truck had it when.
  const range = { fromMs: START_MS, toMs: START_MS + 3 * HOUR_MS };
  const hadOf = async (unit: string) =>
    (await readTruckLoads(context, USDOT, unit, range)).loads.map(({ reference, fromMs, toMs }) => [
      ...[reference, fromMs - START_MS, toMs && toMs - START_MS],
    ]);
  expect(await hadOf('A')).toEqual([['8841', 0, HOUR_MS]]);
  expect(await hadOf('B')).toEqual([['8841', HOUR_MS, null]]);
  expect(await hadOf('C')).toEqual([]);
  const { loads: past } = await readPastLoads(context, USDOT, range);
  const trucksAt = (atMs: number) => toPastMarks(past, START_MS + atMs).map(({ unit }) => unit);
  expect([0, HOUR_MS - 1, HOUR_MS].map(trucksAt)).toEqual([['A'], ['A'], ['B']]);
});

it('says nothing of a load that has another truck until that is judged, also where a poll knew the truck before', async () => {
  const full = await inputOf();
  const input = { ...full, stops: [full.stops[1]!] };
  const { id } = await addLoad(context, USDOT, input);
  await start();
  await poll(60, [fixedAt('A', { min: 60, northM: 5000, status: 'moving' })]);
  expect(await statesOf()).toEqual(['8841 toDelivery onTime true']);
  nowMs += MINUTE_MS;
  await changeLoad(context, USDOT, id, { ...input, unit: 'B' });
  expect(await statesOf()).toEqual(['8841 toDelivery unknown false']);
  await poll(62, [fixedAt('A', { min: 62, northM: 6000, status: 'moving' })]);
  expect(await statesOf()).toEqual(['8841 toDelivery unknown false']);
  // No reason is that of the truck before.
  const reasonOf = async () => (await readLoad(context, USDOT, id)).load.noWindow;
  for (const unit of ['C', 'D']) {
    await changeLoad(context, USDOT, id, { ...input, unit });
    expect(await reasonOf()).toBe('waits');
    await start();
    await poll((nowMs - START_MS) / MINUTE_MS + 1, [
      fixedAt('A', { min: 64, northM: 7000, status: 'moving' }),
    ]);
    expect(await reasonOf()).toBe('notSeen');
  }
});

it('keeps the circle of a place, the visits to it and their events over a change, and records nothing where nothing changes', async () => {
  const input = await inputOf();
  const { id } = await addLoad(context, USDOT, input);
  await start();
  await poll(60, [fixedAt('A', { min: 60, northM: 100_075, status: 'stopped' })]);
  await poll(62, [fixedAt('A', { min: 62, northM: 100_075, status: 'stopped' })]);
  const { load: before, events } = await readLoad(context, USDOT, id);
  expect(events.map(({ kind, position }) => `${kind} ${position}`)).toContain('arrived 1');
  const audited = () => database.query('select action from linehaul.audit_log where subject = $1', ['8841']);
  const records = (await audited()).length;
  await changeLoad(context, USDOT, id, input);
  expect(await audited()).toHaveLength(records);
  await changeLoad(context, USDOT, id, { ...input, note: 'Call first', tags: ['hot', 'hot'] });
  const { load, events: kept } = await readLoad(context, USDOT, id);
  expect(load).toEqual({ ...before, note: 'Call first', tags: ['hot'] });
  expect(kept).toEqual(events);
  // A stop before it: what happened stands at its new place in the order.
  const [pickup, delivery] = input.stops;
  await changeLoad(context, USDOT, id, { ...input, stops: [pickup!, pickup!, delivery!] });
  await start();
  await poll(64, [fixedAt('A', { min: 64, northM: 100_075, status: 'stopped' })]);
  const { load: moved, events: again } = await readLoad(context, USDOT, id);
  expect([moved.state, moved.next]).toEqual(['atDelivery', 2]);
  expect(again.map(({ kind, position }) => `${kind} ${position}`).sort()).toEqual(
    ['arrived 2', 'passed 0', 'passed 1', 'truck -1'].sort(),
  );
});

it('writes nothing that a poll found of stops that a load had before', async () => {
  const input = await inputOf();
  const { id } = await addLoad(context, USDOT, input);
  await start();
  // The feed has not read the change yet.
  await changeLoad(context, USDOT, id, { ...input, stops: [input.stops[1]!] });
  await poll(1, [fixedAt('A', { min: 1, northM: 0, status: 'stopped' })]);
  await poll(3, [fixedAt('A', { min: 3, northM: 0, status: 'stopped' })]);
  const { events, load } = await readLoad(context, USDOT, id);
  expect(events.map(({ kind }) => kind)).toEqual(['truck']);
  expect(load).toMatchObject({ state: 'toDelivery', next: 0 });
});

it('judges a delivered load again whose stops change, and keeps truck and stops of one that was ended by hand', async () => {
  const full = await inputOf();
  const input = { ...full, stops: [full.stops[1]!] };
  const { id } = await addLoad(context, USDOT, input);
  await start();
  await poll(60, [fixedAt('A', { min: 60, northM: 100_075, status: 'stopped' })]);
  await poll(62, [fixedAt('A', { min: 62, northM: 100_075, status: 'stopped' })]);
  await poll(90, [fixedAt('A', { min: 90, northM: 110_000, status: 'moving' })]);
  expect(await statesOf()).toEqual(['8841 delivered none false']);
  const { orm, pool } = await app.database.open();
  // The circle of its stop is watched no longer.
  expect((await listWatchedSites(orm, USDOT)).map(({ name }) => name)).toEqual(['Yard 0']);
  await expect(changeLoad(context, USDOT, id, { ...input, unit: 'B' })).rejects.toMatchObject({
    code: 'load-ended',
  });
  const stop = { ...input.stops[0]!, place: { name: 'Dock 9', lat: 36.5, lng: -101 } };
  await changeLoad(context, USDOT, id, { ...input, stops: [...input.stops, stop] });
  expect(await statesOf()).toEqual(['8841 toDelivery unknown false']);
  expect(await readWatchedLoads(pool, USDOT)).toHaveLength(1);
  await endLoad(context, USDOT, id);
  await expect(changeLoad(context, USDOT, id, input)).rejects.toMatchObject({ code: 'load-ended' });
  await changeLoad(context, USDOT, id, { ...input, stops: [...input.stops, stop], note: 'Paid' });
  expect((await readLoad(context, USDOT, id)).load).toMatchObject({ note: 'Paid', state: 'closed' });
});

it('takes no circle of another load, and no site and no load of another fleet', async () => {
  const input = await inputOf();
  const { id } = await addLoad(context, USDOT, input);
  const { siteId } = (await readLoad(context, USDOT, id)).load.stops[1]!;
  const stops = [{ ...input.stops[1]!, siteId, place: null }];
  const other = { ...input, reference: '2', stops };
  await expect(addLoad(context, USDOT, other)).rejects.toMatchObject({ code: 'unknown-site' });
  await expect(addLoad(context, '9000002', { ...input, stops: [input.stops[0]!] })).rejects.toMatchObject({
    code: 'unknown-site',
  });
  for (const work of [
    () => changeLoad(context, '9000002', id, other),
    () => endLoad(context, '9000002', id),
    () => removeLoad(context, '9000002', id),
  ])
    await expect(work()).rejects.toMatchObject({ code: 'unknown-load' });
  await changeLoad(context, USDOT, id, { ...input, stops });
  expect((await readLoad(context, USDOT, id)).load.stops).toMatchObject([{ siteId, name: 'Dock 4' }]);
});

it('gives each truck some time, whatever the clock says and however many change a load at once', async () => {
  const input = await inputOf();
  const { id } = await addLoad(context, USDOT, input);
  await changeLoad(context, USDOT, id, { ...input, unit: null });
  await changeLoad(context, USDOT, id, { ...input, unit: 'B' });
  nowMs -= HOUR_MS;
  await Promise.all(['C', 'D', 'E', 'D'].map((unit) => changeLoad(context, USDOT, id, { ...input, unit })));
  const { trucks } = (await readLoad(context, USDOT, id)).load;
  expect(trucks.filter(({ toMs }) => toMs === null)).toHaveLength(1);
  for (const [i, { fromMs, toMs }] of trucks.entries()) {
    expect(toMs ?? Infinity).toBeGreaterThan(fromMs);
    expect(trucks[i + 1]?.fromMs ?? Infinity).toBeGreaterThanOrEqual(toMs ?? 0);
  }
  const added = await Promise.allSettled(
    ['X', 'X', 'X'].map((reference) => addLoad(context, USDOT, { ...input, reference })),
  );
  expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
});

it('says why there is no window, also between polls, and that a truck is inside before its visit is sure', async () => {
  const input = await inputOf();
  const ends = { fromMs: START_MS, toMs: START_MS + 10 * MINUTE_MS };
  const timed = { ...input, unit: null, stops: [{ ...input.stops[0]!, appointment: ends }, input.stops[1]!] };
  const { id } = await addLoad(context, USDOT, timed);
  const read = async () => {
    const { state, noWindow, verdict, window } = (await readLoad(context, USDOT, id)).load;
    return [state, noWindow, verdict, window && window.toMs > nowMs];
  };
  expect(await read()).toEqual(['noTruck', 'noTruck', 'unknown', null]);
  await start();
  await poll(0, [fixedAt('A', { min: 0, northM: 4000, status: 'moving' })]);
  const { stops } = (await readLoad(context, USDOT, id)).load;
  const kept = stops.map(({ siteId }, i) => ({ ...timed.stops[i]!, siteId, place: null }));
  await changeLoad(context, USDOT, id, { ...timed, unit: 'A', stops: kept });
  expect(await read()).toEqual(['toPickup', 'waits', 'unknown', null]);
  await start();
  await poll(1, [fixedAt('A', { min: 1, northM: 3000, status: 'moving' })]);
  nowMs += 8.5 * MINUTE_MS;
  expect(await read()).toEqual(['toPickup', null, 'atRisk', true]);
  await poll(9.75, [fixedAt('A', { min: 9.75, northM: 0, status: 'moving' })]);
  nowMs += MINUTE_MS;
  expect(await read()).toEqual(['toPickup', 'atStop', 'onTime', null]);
  await poll(11, [fixedAt('A', { min: 11, northM: 0, status: 'stopped' })]);
  expect(await read()).toEqual(['atPickup', 'atStop', 'onTime', null]);
});

it('judges nothing at a stop whose site was removed, and takes it again as a place', async () => {
  const input = await inputOf();
  const { id } = await addLoad(context, USDOT, input);
  await removeSite({ ...context, history: null }, USDOT, input.stops[0]!.siteId!);
  const { stops } = (await readLoad(context, USDOT, id)).load;
  expect(stops[0]).toMatchObject({ siteId: null, name: 'Yard 0' });
  await expect(changeLoad(context, USDOT, id, input)).rejects.toMatchObject({ code: 'unknown-site' });
  const { name, lat, lng } = stops[0]!;
  const place = { ...input.stops[0]!, siteId: null, place: { name, lat, lng } };
  await changeLoad(context, USDOT, id, { ...input, stops: [place, input.stops[1]!] });
  expect((await readLoad(context, USDOT, id)).load.stops[0]).toMatchObject({ name: 'Yard 0', isOwn: true });
});

it('shows a user of some tags the loads of trucks with them, and names no other truck', async () => {
  const input = await inputOf({ unit: 'A' });
  const { id } = await addLoad(context, USDOT, input);
  const other = await addLoad(context, USDOT, { ...input, reference: '2', unit: 'B' });
  await addLoad(context, USDOT, { ...input, reference: '3', unit: null });
  await changeLoad(context, USDOT, other.id, { ...input, reference: '2', unit: 'A' });
  await database.query(`insert into linehaul.unit_tags (usdot, tag, unit) values ($1, 'reefers', 'A')`, [
    USDOT,
  ]);
  const limited = { ...context, viewer: { ...ANN, tags: ['reefers'] } };
  const { loads } = await listLoads(limited, USDOT);
  expect(loads.map(({ reference, trucks }) => [reference, trucks.map(({ unit }) => unit)])).toEqual([
    ['8841', ['A']],
    ['2', ['', 'A']],
  ]);
  const { events } = await readLoad(limited, USDOT, other.id);
  expect(events.map(({ unit }) => unit)).toEqual(['A', '']);
  const range = { fromMs: START_MS, toMs: START_MS + HOUR_MS };
  const past = await readPastLoads(limited, USDOT, range);
  expect(past.loads.map(({ reference, trucks }) => [reference, trucks.map(({ unit }) => unit)])).toEqual([
    ['8841', ['A']],
    ['2', ['A']],
  ]);
  await changeLoad(context, USDOT, id, { ...input, unit: 'B' });
  await expect(readLoad(limited, USDOT, id)).rejects.toMatchObject({ code: 'unknown-load' });
});

it('refuses a reference that another load has, an unknown site and an unknown load', async () => {
  const input = await inputOf();
  await addLoad(context, USDOT, input);
  await expect(addLoad(context, USDOT, input)).rejects.toMatchObject({ code: 'load-reference-taken' });
  const stops = [{ ...input.stops[0]!, siteId: 99_999 }];
  await expect(addLoad(context, USDOT, { ...input, reference: '2', stops })).rejects.toMatchObject({
    code: 'unknown-site',
  });
  await expect(readLoad(context, USDOT, 99_999)).rejects.toMatchObject({ code: 'unknown-load' });
  await expect(readLoad(context, '9000002', 1)).rejects.toMatchObject({ code: 'unknown-load' });
});

it('ends a load by hand, and removes one with the circles of its stops', async () => {
  const { id } = await addLoad(context, USDOT, await inputOf());
  await endLoad(context, USDOT, id);
  await endLoad(context, USDOT, id);
  const { load, events } = await readLoad(context, USDOT, id);
  expect([load.state, load.endedBy]).toEqual(['closed', 'ann@carrier.test']);
  expect(events.filter(({ kind }) => kind === 'closed')).toHaveLength(1);
  await removeLoad(context, USDOT, id);
  expect(await statesOf()).toEqual([]);
  const { orm } = await app.database.open();
  expect(await listWatchedSites(orm, USDOT)).toHaveLength(1);
});

it('finds the loads that ended long ago by their day, or by a reference', async () => {
  const input = await inputOf({ reference: 'Old 1' });
  const { id } = await addLoad(context, USDOT, input);
  await addLoad(context, USDOT, { ...input, reference: 'Old 2' });
  nowMs = START_MS + HOUR_MS;
  await endLoad(context, USDOT, id);
  nowMs = START_MS + 400 * HOUR_MS;
  const find = async (fromMs: number, toMs: number, text = '') =>
    (await listEndedLoads(context, USDOT, { fromMs, toMs, find: text })).loads.map(
      ({ reference }) => reference,
    );
  expect((await listLoads(context, USDOT)).loads.map(({ reference }) => reference)).toEqual(['Old 2']);
  expect(await find(START_MS, START_MS + 24 * HOUR_MS)).toEqual(['Old 1']);
  expect(await find(START_MS + 24 * HOUR_MS, nowMs)).toEqual([]);
  expect(await find(0, nowMs, 'old 1')).toEqual(['Old 1']);
  expect(await find(0, nowMs, 'po 17')).toEqual(['Old 1']);
  expect(await find(0, nowMs, '%')).toEqual([]);
});

it('answers what browsers read', async () => {
  const { id } = await addLoad(context, USDOT, await inputOf());
  await start();
  await poll(1, [fixedAt('A', { min: 1, northM: 5000, status: 'moving' })]);
  const range = { fromMs: START_MS, toMs: START_MS + 24 * HOUR_MS };
  const { signal } = new AbortController();
  const serve = (answer: unknown): void =>
    void vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer)));
  onTestFinished(() => void vi.unstubAllGlobals());
  /** With a window, and once it has ended. */
  const readAll = async (): Promise<void> => {
    serve(JSON.parse(await readLoadList(context, USDOT, undefined)));
    expect((await readHeldLoads(USDOT, undefined, signal)).loads).toHaveLength(1);
    serve(await readLoad(context, USDOT, id));
    expect((await readShownLoad(USDOT, id, signal)).load.id).toBe(id);
  };
  await readAll();
  await endLoad(context, USDOT, id);
  await readAll();
  const ended = { ...range, find: '' };
  serve(await listEndedLoads(context, USDOT, ended));
  expect((await readEndedLoads(USDOT, ended, signal)).loads.map((load) => load.id)).toEqual([id]);
  expect(pastLoadsAnswer.parse(await readPastLoads(context, USDOT, range)).loads).toHaveLength(1);
  expect(truckLoadsAnswer.parse(await readTruckLoads(context, USDOT, 'A', range)).loads).toHaveLength(1);
});
