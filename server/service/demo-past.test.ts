import { expect, it } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import type { Env } from '@/lib/config/env';
import { Recorder } from '@/lib/recording/recorder';
import type { Log } from '@/lib/base/log';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { STATUSES } from '@/lib/motion/status';
import { openPool, setUpRecording } from '@/testing/history/recording';
import { createDemoPast, recordDemoPast, recordPastAt } from './demo-past';
import { HOUR_MS } from '@/lib/base/time';
import { createLazy } from '@/lib/base/lazy';
import { createAudit } from '@/lib/audit/audit';
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
  });

it('a demo fleet has a past at its first start, with most of its trucks moving, and no second one', async () => {
  const past = createDemoPast({
    units: 40,
    fromMs: TO_MS - 3 * HOUR_MS,
    toMs: TO_MS,
    activeWindowMs: HOUR_MS,
  });
  const recorder = openRecorder();
  expect(await recorder.recordPast(past)).toBe(true);
  expect(await recorder.recordPast(past)).toBe(false);
  await recorder.close();

  const { reader } = held;
  const coverage = { fromMs: TO_MS - 3 * HOUR_MS, toMs: TO_MS, state: 'answered', problem: null };
  expect(await reader.readCoverage(USDOT, 0, TO_MS)).toEqual([coverage]);
  const fleet = (await reader.readFleetAt(USDOT, TO_MS - HOUR_MS))!;
  const moving = fleet.identities.filter(
    (identity, row) => identity && STATUSES[fleet.columns.status[row]!] === 'moving',
  );
  expect(moving.length).toBeGreaterThan(15);
  const [{ key }] = moving as [NonNullable<(typeof moving)[number]>];
  const trail = await reader.readTrail(USDOT, key, TO_MS - HOUR_MS, TO_MS);
  expect(trail.length).toBeGreaterThan(25);
  expect((await reader.readCounts(USDOT, 0, TO_MS)).length).toBe(18);
});

/** Makes the past of a demo fleet as the composition does; `close` ends its connections. */
const openServer = (names = new Map<string, string | null>()) => {
  const opened = createLazy(async () => openDatabase(held.database.databaseUrl, APPLICATION_PART, quiet));
  const database = { open: opened.open };
  const learnNames = (_: string, identities: readonly UnitIdentity[]): void =>
    identities.forEach(({ key, truckNumber }) => names.set(key, truckNumber));
  const server = {
    ...{ database, feeds: { learnNames }, clock: { ...systemClock, nowMs: () => TO_MS }, log: quiet },
    audit: createAudit({ open: database.open, clock: systemClock }),
  };
  return {
    database,
    make: async (units: number, hours: number) => {
      const env = { demoUnits: units, demoHistoryHours: hours, activeWindowMs: 30 * 60_000 } as Env;
      const recorder = openRecorder();
      await recordDemoPast(recorder, env, held.reader, server);
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

/** How many of each kind of thing a fleet has. */
const countThings = async (): Promise<Record<string, number>> => {
  const counts = {
    ...{ yards: `sites WHERE kind = 'yard'`, customers: `sites WHERE kind = 'customer'` },
    ...{ fuelStops: `sites WHERE kind = 'fuel'`, rules: 'alert_rules', tags: 'unit_tags' },
    ...{ visits: 'site_visits WHERE left_ms IS NOT NULL', notes: 'unit_notes', contacts: 'unit_contacts' },
    ...{ views: 'saved_views', open: 'alerts WHERE closed_ms IS NULL AND acknowledged_by IS NULL' },
    ...{ taken: 'alerts WHERE acknowledged_by IS NOT NULL', closed: 'alerts WHERE closed_ms IS NOT NULL' },
    deliveries: 'alert_deliveries',
  };
  const texts = Object.entries(counts).map(
    ([name, of]) => `(SELECT count(*)::int FROM linehaul.${of}) AS "${name}"`,
  );
  const [row] = await held.database.query(`SELECT ${texts.join(', ')}`);
  return row as Record<string, number>;
};

it('has sites with visits, rules with alerts, notes, tags, contacts and a view, once, and not again what is removed', async () => {
  const server = openServer();
  await server.make(80, 8);
  const made = await countThings();
  expect(made).toMatchObject({ yards: 2, customers: 3, fuelStops: 1, rules: 4, notes: 5, views: 1 });
  // No one is sent a message about the past.
  expect(made.deliveries).toBe(0);
  for (const kind of ['visits', 'open', 'taken', 'closed', 'tags', 'contacts'])
    expect(made[kind], kind).toBeGreaterThan(0);
  await held.database.query('DELETE FROM linehaul.sites');
  await server.make(80, 8);
  expect(await countThings()).toMatchObject({ yards: 0, rules: 4, notes: 5, views: 1 });
  await server.close();
});

it('ends with its server', async () => {
  const recorder = openRecorder();
  const fromMs = TO_MS - 500 * HOUR_MS;
  const making = recorder.recordPast(
    createDemoPast({ units: 1, fromMs, toMs: TO_MS, activeWindowMs: HOUR_MS }),
  );
  await expect.poll(() => held.reader.readCoverageAt(USDOT, TO_MS)).not.toBeNull();
  await recorder.close();
  await making;
  expect((await held.reader.readCoverageAt(USDOT, TO_MS))!.toMs).toBeLessThan(TO_MS);
});

it('is recorded by the command line, unless there is one', async () => {
  const record = () =>
    recordPastAt(held.database.databaseUrl, { units: 5, seed: 1, hours: 2 }, new AbortController().signal);
  expect(await record()).toBe(true);
  expect(await record()).toBe(false);
  const { fromMs, toMs } = (await held.reader.readCoverageAt(USDOT, Date.now()))!;
  expect(toMs - fromMs).toBe(2 * HOUR_MS);
});
