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
import { toUnit } from '@/service/answer/unit';
import { DEMO_SEED } from '@/service/demo/seed';
import { createSimulatedFaults } from '@/service/demo/simulated-faults';
import type { Unit } from '@/service/contract';
import { createDemoFleet } from '@/service/simulator/demo-fleet';
import { DEMO_CARRIER } from '@/service/simulator/vehicles';
import type { FixInput } from '@/service/store/inputs';
import { HOUR_MS } from '@/lib/base/time';

/** The newest hour is polled more often: a feed starts from it. */
const [STEP_MS, NEWEST_STEP_MS] = [5 * 60_000, 2 * 60_000];
/** The past of a larger fleet would take minutes. */
const MOST_UNITS = 2000;
const MOST_LOST = 20;
/** The default of ACTIVE_WINDOW_MIN. */
const ACTIVE_WINDOW_MS = 30 * 60_000;

interface DemoPastOptions {
  units: number;
  seed?: number;
  fromMs: number;
  toMs: number;
  activeWindowMs: number;
}

/** Whether a device has lost its position: the service then counts the report, and moves no vehicle. */
const isLost = ({ lat, lng }: FixInput): boolean => lat === 0 && lng === 0;

/** The answers that the demo's service would have given between two moments. */
export const createDemoPast = ({
  units,
  seed = DEMO_SEED,
  fromMs,
  toMs,
  activeWindowMs,
}: DemoPastOptions): MadePast => {
  const fleet = createDemoFleet({ units, seed });
  const faults = createSimulatedFaults(fleet);
  const vehicles = fleet.vehicles.map((vehicle, id) => ({
    ...vehicle,
    ...{ id, registeredUsdot: null, registeredMcNumber: null },
  }));

  const readUnit = (index: number, atMs: number): Unit[] => {
    let reportAtMs = fleet.lastReportAt(index, atMs);
    let report = reportAtMs === null ? null : fleet.reportAt(index, reportAtMs);
    for (let lost = 0; lost < MOST_LOST && report !== null && isLost(report); lost++) {
      reportAtMs = fleet.lastReportAt(index, reportAtMs! - 1);
      report = reportAtMs === null ? null : fleet.reportAt(index, reportAtMs);
    }
    if (report === null || isLost(report) || atMs - reportAtMs! > activeWindowMs) return [];
    return [toUnit(vehicles[index]!, { ...report, vehicleId: index, orderAtMs: reportAtMs! })];
  };

  return {
    usdot: DEMO_CARRIER.usdot,
    fromMs,
    toMs,
    stepMsAt: (atMs) => (atMs < toMs - HOUR_MS ? STEP_MS : NEWEST_STEP_MS),
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
    intervalMs: NEWEST_STEP_MS,
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

/** Records the past of the demo fleet up to now at its first start. Never rejects. */
export const recordDemoPast = async (
  recorder: Recorder,
  { demoUnits: units, demoHistoryHours: hours, activeWindowMs }: Env,
  reader: Pick<HistoryReader, 'readNames'>,
  { feeds, clock, log }: { feeds: Pick<Feeds, 'learnNames'>; clock: Clock; log: Log },
): Promise<void> => {
  if (units > MOST_UNITS) return;
  const toMs = clock.nowMs();
  const past = createDemoPast({ units, fromMs: toMs - hours * HOUR_MS, toMs, activeWindowMs });
  try {
    if (!(await recorder.recordPast(past))) return;
    // The feed may have read the recording before it was made.
    feeds.learnNames(past.usdot, [...(await reader.readNames(past.usdot, null)).values()]);
    log.info({ hours }, 'The demo fleet has a recorded past.');
  } catch (error) {
    log.warn({ reason: String(error) }, 'The past of the demo fleet could not be recorded.');
  }
};
