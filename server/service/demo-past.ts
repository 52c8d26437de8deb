import 'server-only';
import { systemClock, type Clock } from '@/lib/base/clock';
import type { Env } from '@/lib/config/env';
import { Recorder } from '@/lib/recording/recorder';
import { APPLICATION_PART, HISTORY_PART, openDatabase } from '@/lib/database/database';
import { migrateDatabase } from '@/lib/database/migrate';
import type { Log } from '@/lib/base/log';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { Feeds } from '@/lib/feeds/feeds';
import type { MadePast } from '@/lib/recording/made-past';
import type { WatchConfig } from '@/lib/rules/fleet-watch';
import { toUnit } from '@/service/answer/unit';
import { DEMO_SEED } from '@/service/demo/seed';
import { createSimulatedFaults } from '@/service/demo/simulated-faults';
import type { Unit } from '@/service/contract';
import { createDemoFleet, lastPositionAt, type DemoFleet } from '@/service/simulator/demo-fleet';
import { DEMO_CARRIER } from '@/service/simulator/vehicles';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { addWatchedSamples, addSampleWork, type SampleContext } from './sample-data';

/** The newer, the more often it is polled: a feed starts from the newest hours, and a page waits for all of it. */
const STEPS = [
  { untilMs: HOUR_MS, stepMs: 2 * MINUTE_MS },
  { untilMs: 6 * HOUR_MS, stepMs: 5 * MINUTE_MS },
  { untilMs: Infinity, stepMs: 10 * MINUTE_MS },
];
/** The past of a larger fleet would take minutes. */
const MOST_UNITS = 2000;
/** The default of ACTIVE_WINDOW_MIN. */
const ACTIVE_WINDOW_MS = 30 * 60_000;

interface DemoPastServer extends SampleContext {
  feeds: Pick<Feeds, 'learnNames'>;
  clock: Clock;
  log: Log;
}

interface DemoPastOptions {
  units: number;
  seed?: number;
  fromMs: number;
  toMs: number;
  activeWindowMs: number;
}

/** The answers that the demo's service would have given between two moments. */
export const createDemoPast = ({
  units,
  seed = DEMO_SEED,
  fromMs,
  toMs,
  activeWindowMs,
}: DemoPastOptions): MadePast & { fleet: DemoFleet } => {
  const fleet = createDemoFleet({ units, seed });
  const faults = createSimulatedFaults(fleet);
  const vehicles = fleet.vehicles.map((vehicle, id) => ({
    ...vehicle,
    ...{ id, registeredUsdot: null, registeredMcNumber: null },
  }));

  const readUnit = (index: number, atMs: number): Unit[] => {
    const last = lastPositionAt(fleet, index, atMs);
    if (last === null || atMs - last.atMs > activeWindowMs) return [];
    return [toUnit(vehicles[index]!, { ...last.report, vehicleId: index, orderAtMs: last.atMs })];
  };

  return {
    fleet,
    usdot: DEMO_CARRIER.usdot,
    fromMs,
    toMs,
    stepMsAt: (atMs) => STEPS.find(({ untilMs }) => toMs - atMs <= untilMs)!.stepMs,
    roster: new Set(faults.toVins(fleet.vehicles.map(({ vin }) => vin))),
    readRecords: (atMs) =>
      faults.toUnits(
        fleet.vehicles.flatMap((_, index) => readUnit(index, atMs)),
        atMs,
      ),
  };
};

/** Records a past of the demo fleet up to now in a database; false if there is one. */
export const recordPastAt = async (
  databaseUrl: string,
  { units, seed, hours }: { units: number; seed: number; hours: number },
  signal: AbortSignal,
): Promise<boolean> => {
  const recorder = new Recorder({
    open: async () => {
      await migrateDatabase(databaseUrl, APPLICATION_PART);
      return openDatabase(databaseUrl, HISTORY_PART, { warn: () => undefined, debug: () => undefined }).pool;
    },
    clock: systemClock,
    log: { warn: () => undefined, error: () => undefined },
    intervalMs: STEPS[0]!.stepMs,
  });
  const toMs = systemClock.nowMs();
  signal.addEventListener('abort', () => void recorder.close());
  try {
    return await recorder.recordPast(
      createDemoPast({ units, seed, fromMs: toMs - hours * HOUR_MS, toMs, activeWindowMs: ACTIVE_WINDOW_MS }),
    );
  } finally {
    await recorder.close();
  }
};

/** Records the past of the demo fleet up to now at its first start, and what its dispatchers did. Never rejects. */
export const recordDemoPast = async (
  recorder: Recorder,
  { demoUnits: units, demoHistoryHours: hours, activeWindowMs }: Env,
  reader: Pick<HistoryReader, 'readNames'>,
  { feeds, clock, log, ...server }: DemoPastServer,
): Promise<void> => {
  if (units > MOST_UNITS) return;
  const toMs = clock.nowMs();
  const fromMs = toMs - hours * HOUR_MS;
  const past = createDemoPast({ units, fromMs, toMs, activeWindowMs });
  const sample = { usdot: past.usdot, fleet: past.fleet, fromMs };
  let isNew = false;
  const makeWatch = async (): Promise<WatchConfig> => {
    const { config, ...begun } = await addWatchedSamples({ ...server, clock }, sample);
    ({ isNew } = begun);
    return config;
  };
  try {
    if (!(await recorder.recordPast({ ...past, makeWatch }))) return;
    if (isNew) await addSampleWork({ ...server, clock }, sample);
    // The feed may have read the recording before it was made.
    feeds.learnNames(past.usdot, [...(await reader.readNames(past.usdot, null)).values()]);
    log.info({ hours }, 'The demo fleet has a recorded past.');
  } catch (error) {
    log.warn({ reason: String(error) }, 'The past of the demo fleet could not be recorded.');
  }
};
