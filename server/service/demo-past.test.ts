import { expect, it } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import type { Env } from '@/lib/config/env';
import { Recorder } from '@/lib/recording/recorder';
import type { Log } from '@/lib/base/log';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { STATUSES } from '@/lib/motion/status';
import { MADE } from '@/lib/trips/coverage';
import { openPool, setUpRecording } from '@/testing/history/recording';
import { createDemoPast, listCoarseDays, openDemoPast, recordPastAt } from './demo-past';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { DAY_MS, HOUR_MS } from '@/lib/base/time';
import { distanceM } from '@/lib/geo/geodesy';
import { DEMO_SEED } from '@/service/demo/seed';
import { createDemoFleet } from '@/service/simulator/demo-fleet';
import { createLazy } from '@/lib/base/lazy';
import { lookAfterLoads } from './demo-loads';
import { removeKept } from './sample-data';
import { APPLICATION_PART, openDatabase } from '@/lib/database/database';

const TO_MS = Date.UTC(2026, 10, 17, 18, 30);
const USDOT = '9000001';
const held = setUpRecording();
const quiet = { info: () => undefined, warn: () => undefined, debug: () => undefined } as unknown as Log;

const openRecorder = (): Recorder =>
  new Recorder({
    open: async () => openPool(held.database.databaseUrl),
    clock: systemClock,
    log: { warn: () => undefined, error: () => undefined },
    intervalMs: 30_000,
    providerOf: () => 'Demo',
  });

it('a demo fleet has a past at its first start, with most of its trucks moving, and no second one', async () => {
  const past = createDemoPast({
    units: 40,
    fromMs: TO_MS - 3 * HOUR_MS,
    toMs: TO_MS,
    newestFromMs: TO_MS - HOUR_MS,
    activeWindowMs: HOUR_MS,
  });
  const recorder = openRecorder();
  const vin = past.fleet.vehicles[15]!.vin;
  const long = { fromMs: TO_MS - 27 * HOUR_MS, toMs: TO_MS - 3 * HOUR_MS };
  const days = [{ ...long, fixes: [{ unit: vin, fixAtMs: TO_MS - 20 * HOUR_MS, lat: 35.2, lng: -101.8 }] }];
  const made = await recorder.recordPast({ ...past, days });
  expect(await recorder.recordPast(past)).toBe(false);
  const { reader } = held;
  const coverage = { fromMs: TO_MS - HOUR_MS, toMs: TO_MS, state: 'answered', problem: null };
  if (made) await made.older;
  await recorder.close();
  // It is the provider of all that was made.
  expect(await held.database.query('SELECT from_ms::int, provider FROM linehaul.fleet_providers')).toEqual([
    { from_ms: 0, provider: 'Demo' },
  ]);

  const detailed = { ...coverage, fromMs: TO_MS - 3 * HOUR_MS, toMs: TO_MS - HOUR_MS };
  expect(await reader.readCoverage(USDOT, 0, TO_MS)).toEqual([
    { ...coverage, ...long, problem: MADE },
    detailed,
    coverage,
  ]);
  expect(await reader.readTrail(USDOT, vin, long.fromMs, long.toMs - HOUR_MS)).toMatchObject([{ lat: 35.2 }]);
  const fleet = (await reader.readFleetAt(USDOT, TO_MS - 2 * HOUR_MS))!;
  const moving = fleet.identities.filter(
    (identity, row) => identity && STATUSES[fleet.columns.status[row]!] === 'moving',
  );
  expect(moving.length).toBeGreaterThan(15);
  const [{ key }] = moving as [NonNullable<(typeof moving)[number]>];
  const trail = await reader.readTrail(USDOT, key, TO_MS - HOUR_MS, TO_MS);
  expect(trail.length).toBeGreaterThan(18);
  expect((await reader.readTrail(USDOT, key, detailed.fromMs, detailed.toMs)).length).toBeGreaterThan(20);
  expect((await reader.readCounts(USDOT, 0, TO_MS)).length).toBe(18);
});

it('the month before has no silence, and begins before it in each time zone', () => {
  const { fleet } = createDemoPast({ units: 2, fromMs: TO_MS, toMs: TO_MS, activeWindowMs: HOUR_MS });
  const days = [...listCoarseDays(fleet, TO_MS)];
  const times = days.flatMap(({ fixes }) => fixes.map(({ fixAtMs, unit }) => ({ fixAtMs, unit })));
  const { vin } = fleet.vehicles[0]!;
  const ofOne = times
    .filter(({ unit }) => unit === vin)
    .map(({ fixAtMs }) => fixAtMs)
    .sort((a, b) => a - b);
  expect(ofOne[0]).toBeLessThan(Date.UTC(2026, 9, 1) - 12 * HOUR_MS);
  const gaps = [...ofOne.slice(1), TO_MS].map((fixAtMs, i) => fixAtMs - ofOne[i]!);
  expect(Math.max(...gaps)).toBeLessThan(DEFAULT_MOTION_SETTINGS.silentAfterMs);
  expect(days.slice(1).every(({ toMs }, i) => toMs === days[i]!.fromMs)).toBe(true);
});

it('its trucks drive 8 to 11 hours a day before today, stop each night, and are where they are now', () => {
  const { fleet } = createDemoPast({ units: 40, fromMs: TO_MS, toMs: TO_MS, activeWindowMs: HOUR_MS });
  const STEP_MS = HOUR_MS / 6;
  const hours: number[] = [];
  for (const unit of fleet.vehicles.keys()) {
    for (let day = 2; day < 8; day++) {
      let [drivenMs, stoodMs, nightMs] = [0, 0, 0];
      for (let atMs = TO_MS - day * DAY_MS; atMs < TO_MS - (day - 1) * DAY_MS; atMs += STEP_MS) {
        const { isDriving } = fleet.stateAt(unit, atMs);
        const apartM = distanceM(fleet.stateAt(unit, atMs), fleet.stateAt(unit, atMs + STEP_MS));
        expect(apartM).toBeLessThan(130_000 / 6);
        drivenMs += isDriving ? STEP_MS : 0;
        stoodMs = isDriving ? 0 : stoodMs + STEP_MS;
        nightMs = Math.max(nightMs, stoodMs);
      }
      expect(drivenMs).toBeLessThan(14 * HOUR_MS);
      expect(nightMs).toBeGreaterThan(7 * HOUR_MS);
      hours.push(drivenMs / HOUR_MS);
    }
  }
  const mean = hours.reduce((sum, each) => sum + each, 0) / hours.length;
  expect(mean).toBeGreaterThan(7.5);
  expect(mean).toBeLessThan(11);
  const live = createDemoFleet({ units: 40, seed: DEMO_SEED });
  for (const unit of fleet.vehicles.keys())
    expect(fleet.reportAt(unit, TO_MS)).toEqual(live.reportAt(unit, TO_MS));
});

it('a truck that stands at the beginning of the newest part has stood since it came', async () => {
  const [fromMs, newestFromMs] = [TO_MS - 12 * HOUR_MS, TO_MS - HOUR_MS];
  const past = createDemoPast({ units: 60, fromMs, newestFromMs, toMs: TO_MS, activeWindowMs: HOUR_MS });
  const recorder = openRecorder();
  const made = await recorder.recordPast({
    ...past,
    makeWatch: async () => ({ sites: [], rules: [], tags: {} }),
  });
  if (made) await made.older;
  await recorder.close();
  const { identities, columns } = (await held.reader.readFleetAt(USDOT, TO_MS))!;
  const sinces = identities.flatMap((identity, row) =>
    identity && STATUSES[columns.status[row]!] === 'stopped' ? [columns.sinceS[row]! * 1000] : [],
  );
  const early = sinces.filter((ms) => ms < newestFromMs - HOUR_MS / 4);
  expect(early.length).toBeGreaterThan(3);
  expect(sinces.filter((ms) => Math.abs(ms - newestFromMs) < HOUR_MS / 30).length).toBeLessThan(
    early.length / 2,
  );
});

/** Makes the past of a demo fleet as the composition does; `close` ends its connections. */
const openServer = (names = new Map<string, string | null>()) => {
  const opened = createLazy(async () => openDatabase(held.database.databaseUrl, APPLICATION_PART, quiet));
  const database = { open: opened.open };
  const learnNames = (_: string, identities: readonly UnitIdentity[]): void =>
    identities.forEach(({ key, truckNumber }) => names.set(key, truckNumber));
  const server = {
    ...{ database, feeds: { learnNames }, reload: () => undefined, log: quiet },
    secret: 'a secret of a test, long enough to derive with',
    clock: { ...systemClock, nowMs: () => TO_MS },
  };
  return {
    database,
    make: async (units: number, hours: number) => {
      const env = { demoUnits: units, demoHistoryHours: hours, activeWindowMs: 30 * 60_000 } as Env;
      const recorder = openRecorder();
      const made = await openDemoPast(recorder, env, held.reader, server);
      made?.goOn();
      await made?.older;
      await made?.stop();
      await recorder.close();
    },
    close: () => opened.close(({ pool }) => pool.end()),
  };
};

it('gives the feed the names of its trucks, silent ones too', async () => {
  const names = new Map<string, string | null>();
  const server = openServer(names);
  await server.make(30, 1);
  await server.close();
  expect([...names.values()].filter((name) => name !== null).length).toBeGreaterThan(20);
});

it('a fleet of one truck, of which none has some of the tags, has a past too', async () => {
  const server = openServer();
  await server.make(1, 1);
  expect(await countThings()).toMatchObject({ yards: 2, customers: 3, rules: 7, tags: 2, views: 1 });
  await server.close();
});

/** How many of each kind of thing a fleet has. */
const countThings = async (): Promise<Record<string, number>> => {
  const counts = {
    ...{ yards: `sites WHERE kind = 'yard'`, customers: `sites WHERE kind = 'customer' AND NOT is_of_load` },
    ...{ fuelStops: `sites WHERE kind = 'fuel'`, rules: 'alert_rules', tags: 'unit_tags' },
    ...{ visits: 'site_visits WHERE left_ms IS NOT NULL', notes: 'unit_notes', contacts: 'unit_contacts' },
    ...{ views: 'saved_views', open: 'alerts WHERE closed_ms IS NULL AND acknowledged_by IS NULL' },
    ...{ taken: 'alerts WHERE acknowledged_by IS NOT NULL', closed: 'alerts WHERE closed_ms IS NOT NULL' },
    ...{ deliveries: 'alert_deliveries', loads: 'loads', judged: 'load_states', happened: 'load_events' },
    ...{ codes: 'pickup_codes', checks: `load_events WHERE kind = 'checked'` },
    ...{
      wrong: `load_events WHERE details ->> 'result' = 'other'`,
      near: `load_events WHERE details ->> 'result' = 'near'`,
    },
  };
  const texts = Object.entries(counts).map(
    ([name, of]) => `(SELECT count(*)::int FROM linehaul.${of}) AS "${name}"`,
  );
  const [row] = await held.database.query(`SELECT ${texts.join(', ')}`);
  return row as Record<string, number>;
};

/** A load whose truck comes to no stop is ended by hand, and where none is at a pickup one is added, of what the recording shows. */
const lookAfter = async ({ database }: ReturnType<typeof openServer>): Promise<void> => {
  const states = () =>
    held.database.query(
      'SELECT reference, ended_by IS NOT NULL AS "isByHand" FROM linehaul.loads ORDER BY id',
    );
  const ofState = (state: string) =>
    `(SELECT load_id FROM linehaul.load_states WHERE state = '${state}' ORDER BY load_id LIMIT 1)`;
  await held.database.query(
    `UPDATE linehaul.load_stops SET appointment_from_ms = 0, appointment_to_ms = 1 WHERE load_id = ${ofState('toPickup')}`,
  );
  await held.database.query(`DELETE FROM linehaul.loads WHERE id = ${ofState('atPickup')}`);
  const before = await states();
  const clock = { ...systemClock, nowMs: () => TO_MS };
  const past = createDemoPast({
    units: 80,
    fromMs: TO_MS - 8 * HOUR_MS,
    toMs: TO_MS,
    activeWindowMs: HOUR_MS,
  });
  const kept = { usdot: USDOT, fleet: past.fleet, fromMs: past.fromMs };
  const addedMs = new Map();
  const look = () => lookAfterLoads({ database, clock, log: quiet, reload: () => undefined }, kept, addedMs);
  expect(await look()).toBe(true);
  const after = await states();
  expect(after.length).toBeGreaterThan(before.length);
  expect(after.filter(({ isByHand }) => isByHand).length).toBe(
    before.filter(({ isByHand }) => isByHand).length + 1,
  );
  expect(await held.database.query('SELECT FROM linehaul.site_scans')).not.toEqual([]);
  // Trucks that are free again get the loads that could not be given before, and no more.
  let again = 0;
  while (await look()) again++;
  expect(again).toBeLessThan(4);
};

it('has sites with visits, rules with alerts, notes, tags, contacts and a view, once, and not again what is removed', async () => {
  const server = openServer();
  await server.make(80, 8);
  const made = await countThings();
  expect(made).toMatchObject({ yards: 2, customers: 3, fuelStops: 1, rules: 8, notes: 5, views: 1 });
  // A dock has checked another truck and the right one.
  expect(made).toMatchObject({ codes: 1, checks: 3, wrong: 1, near: 2 });
  // No one is sent a message about the past.
  expect(made.deliveries).toBe(0);
  for (const kind of ['visits', 'open', 'taken', 'closed', 'tags', 'contacts', 'loads', 'judged'])
    expect(made[kind], kind).toBeGreaterThan(0);
  await lookAfter(server);
  await held.database.query('DELETE FROM linehaul.sites');
  await server.make(80, 8);
  expect(await countThings()).toMatchObject({ yards: 0, rules: 8, notes: 5, views: 1 });
  // None of it is what a person did on this server, and all of it goes with the demo.
  expect(await held.database.query('SELECT action FROM linehaul.audit_log')).toEqual([]);
  await removeKept(server, USDOT);
  const recorder = openRecorder();
  await recorder.remove(USDOT);
  await recorder.close();
  const tables = await held.database.query(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'linehaul' AND column_name = 'usdot' AND table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables)
    expect([name, ...(await held.database.query(`SELECT usdot FROM linehaul.${String(name)}`))]).toEqual([
      name,
    ]);
  await server.close();
});

it('ends with its server, and what is older is not said to be recorded before all of it is', async () => {
  const recorder = openRecorder();
  const [fromMs, newestFromMs] = [TO_MS - 500 * HOUR_MS, TO_MS - HOUR_MS];
  const past = createDemoPast({ units: 1, fromMs, newestFromMs, toMs: TO_MS, activeWindowMs: HOUR_MS });
  const made = await recorder.recordPast(past);
  await recorder.close();
  if (made) await made.older;
  const newest = { fromMs: newestFromMs, toMs: TO_MS, state: 'answered', problem: null };
  expect(await held.reader.readCoverage(USDOT, 0, TO_MS)).toEqual([newest]);
});

it('is recorded by the command line, unless there is one', async () => {
  const record = () =>
    recordPastAt(held.database.databaseUrl, { units: 5, seed: 1, hours: 2 }, new AbortController().signal);
  expect(await record()).toBe(true);
  expect(await record()).toBe(false);
  const { fromMs, toMs } = (await held.reader.readCoverageAt(USDOT, Date.now()))!;
  expect(toMs - fromMs).toBe(2 * HOUR_MS);
});
