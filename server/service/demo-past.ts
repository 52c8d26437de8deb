import 'server-only';
import { systemClock, type Clock } from '@/lib/base/clock';
import type { Env } from '@/lib/config/env';
import { Recorder } from '@/lib/recording/recorder';
import { APPLICATION_PART, HISTORY_PART, openDatabase } from '@/lib/database/database';
import { migrateDatabase } from '@/lib/database/migrate';
import type { Log } from '@/lib/base/log';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { Feeds } from '@/lib/feeds/feeds';
import type { RecordedDay } from '@/lib/recording/history-repository';
import type { MadePast } from '@/lib/recording/made-past';
import type { WatchConfig } from '@/lib/rules/fleet-watch';
import { siteAt } from '@/lib/rules/geofence';
import { listSites } from '@/lib/sites/server/site-repository';
import { startScans } from '@/lib/sites/server/site-scans';
import type { Site } from '@/lib/rules/site';
import { toUnit } from '@/service/answer/unit';
import { DEMO_SEED } from '@/service/demo/seed';
import { createSimulatedFaults } from '@/service/demo/simulated-faults';
import type { Unit } from '@/service/contract';
import { createDemoFleet, lastPositionAt, type DemoFleet } from '@/service/simulator/demo-fleet';
import { specimenOf, type Specimen } from '@/service/simulator/specimens';
import { DEMO_CARRIER } from '@/service/simulator/vehicles';
import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';
import { keepLoads } from './demo-loads';
import { addWatchedSamples, addSampleWork, takeSampleAlerts, type SampleContext } from './sample-data';

/** The newer, the more often it is polled: a feed starts from the newest hours, and a page waits for all of it. */
const STEPS = [
  { untilMs: HOUR_MS / 2, stepMs: 2 * MINUTE_MS },
  { untilMs: 6 * HOUR_MS, stepMs: 5 * MINUTE_MS },
  { untilMs: DAY_MS, stepMs: 10 * MINUTE_MS },
  { untilMs: Infinity, stepMs: 20 * MINUTE_MS },
];
/** A past of so many hours reaches back to the beginning of yesterday: then the month before is recorded too, coarsely. */
const WHOLE_HOURS = 48;
/** A feed starts from this; what is older is recorded when the server is ready. */
const NEWEST_MS = HOUR_MS;
/** So far back visits to sites are found before that, and older ones in the recording, as those to a new site are. */
const VISITS_MS = 12 * HOUR_MS;
/** The past of a larger fleet would take minutes. */
const MOST_UNITS = 2000;
/** The default of ACTIVE_WINDOW_MIN. */
const ACTIVE_WINDOW_MS = 30 * 60_000;

interface DemoPastServer extends SampleContext {
  /** Derives the code of a pickup. */
  secret: string;
  feeds: Pick<Feeds, 'learnNames'>;
  /** Has the feed of a fleet read what it is watched for. */
  reload: (usdot: string) => void;
  clock: Clock;
  log: Log;
}

interface DemoPastOptions {
  units: number;
  seed?: number;
  fromMs: number;
  toMs: number;
  /** From here on it is recorded first; absent: all of it. */
  newestFromMs?: number;
  activeWindowMs: number;
}

/** The answers that the demo's service would have given between two moments. */
export const createDemoPast = ({
  units,
  seed = DEMO_SEED,
  fromMs,
  toMs,
  newestFromMs = fromMs,
  activeWindowMs,
}: DemoPastOptions): MadePast & { fleet: DemoFleet } => {
  const fleet = createDemoFleet({ units, seed, nightsBeforeMs: toMs });
  const faults = createSimulatedFaults(fleet);
  const vehicles = fleet.vehicles.map((vehicle, id) => ({
    ...vehicle,
    ...{ id, registeredUsdot: null, registeredMcNumber: null },
  }));

  const all = fleet.vehicles.map((_, unit) => unit);

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
    newestFromMs,
    stepMsAt: (atMs) => STEPS.find(({ untilMs }) => toMs - atMs <= untilMs)!.stepMs,
    roster: new Set(faults.toVins(fleet.vehicles.map(({ vin }) => vin))),
    readRecords: (atMs, only = all) =>
      faults.toUnits(
        only.flatMap((index) => readUnit(index, atMs)),
        atMs,
      ),
    listPolled: (config) => listPolled(fleet, { fromMs, newestFromMs, toMs }, config),
  };
};

/** Devices with these faults report where a truck is, or are not looked at long enough to tell. */
const TRUSTED: ReadonlySet<Specimen | null> = new Set([
  ...([null, 'pausing', 'vanishing', 'dropped', 'leased', 'mismatched', 'renamed'] as const),
]);
/** Fixes that are closer than half an hour have no silence between them. */
const COARSE_STEP_MS = 28 * MINUTE_MS;

const toStep = (atMs: number): number => Math.ceil(atMs / COARSE_STEP_MS) * COARSE_STEP_MS;

/** The days before a moment, newest first, back to the beginning of the month before that moment in any time zone. */
export function* listCoarseDays(fleet: DemoFleet, untilMs: number): Generator<RecordedDay> {
  const until = new Date(untilMs);
  const beginMs = Date.UTC(until.getUTCFullYear(), until.getUTCMonth() - 1) - DAY_MS;
  const units = fleet.vehicles.flatMap(({ vin }, unit) =>
    TRUSTED.has(specimenOf(unit)) ? [{ vin, unit }] : [],
  );
  for (let toMs = untilMs; toMs > beginMs; toMs -= DAY_MS) {
    const fromMs = toMs - DAY_MS;
    const fixes = [];
    for (const { vin, unit } of units)
      for (let atMs = toStep(fromMs); atMs < toMs; atMs += COARSE_STEP_MS) {
        const { lat, lng } = fleet.stateAt(unit, atMs);
        fixes.push({ unit: vin, fixAtMs: atMs, lat, lng });
      }
    yield { fromMs, toMs, fixes };
  }
}

/** The faults by which trucks fall silent or leave the list. */
const FALLING_SILENT: ReadonlySet<Specimen | null> = new Set(['vanishing', 'dropped']);
/** No stop at a terminal is shorter. */
const SHORTEST_STOP_MS = 30 * MINUTE_MS;

/** A poll or two before it stood show that it drove. */
const DROVE_MS = 40 * MINUTE_MS;

/** The trucks that stand at a moment, by their numbers, and from when on they are to be polled to know since when. */
const listStanding = (fleet: DemoFleet, { fromMs, toMs }: TimeRange): Map<number, number> => {
  const standing = new Map<number, number>();
  for (const unit of fleet.vehicles.keys()) {
    let atMs = toMs;
    while (atMs > fromMs && !fleet.stateAt(unit, atMs).isDriving) atMs -= STEPS[0]!.stepMs;
    if (atMs < toMs) standing.set(unit, atMs - DROVE_MS);
  }
  return standing;
};

/** Whether a truck is at a site at some time. */
const isAtSite = (
  fleet: DemoFleet,
  unit: number,
  { fromMs, toMs }: TimeRange,
  sites: readonly Site[],
): boolean => {
  for (let atMs = fromMs; atMs <= toMs; atMs += SHORTEST_STOP_MS)
    if (siteAt(sites, fleet.stateAt(unit, atMs)) !== null) return true;
  return false;
};

/** The trucks that are polled before the newest part, and from when on. */
const listPolled = (
  fleet: DemoFleet,
  { fromMs, newestFromMs, toMs }: TimeRange & { newestFromMs: number },
  { sites, loads = [] }: WatchConfig,
): Map<number, number> => {
  const visitsFromMs = Math.max(fromMs, toMs - VISITS_MS);
  const managed = sites.filter(({ isOfLoad }) => !isOfLoad);
  const loadedFromMs = new Map<string, number>();
  for (const { trucks } of loads)
    for (const { unit, fromMs: atMs } of trucks)
      loadedFromMs.set(unit, Math.min(atMs - HOUR_MS, loadedFromMs.get(unit) ?? Infinity));
  const polled = listStanding(fleet, { fromMs, toMs: newestFromMs });
  for (const [unit, { vin }] of fleet.vehicles.entries()) {
    const times = [polled.get(unit), loadedFromMs.get(vin)].filter((atMs) => atMs !== undefined);
    if (FALLING_SILENT.has(specimenOf(unit))) times.push(fromMs);
    else if (isAtSite(fleet, unit, { fromMs: visitsFromMs, toMs }, managed)) times.push(visitsFromMs);
    if (times.length > 0) polled.set(unit, Math.min(...times));
  }
  return polled;
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
    const fromMs = toMs - hours * HOUR_MS;
    const past = createDemoPast({ units, seed, fromMs, toMs, activeWindowMs: ACTIVE_WINDOW_MS });
    const made = await recorder.recordPast(past);
    if (made) await made.older;
    return made !== false;
  } finally {
    await recorder.close();
  }
};

/** The past of the demo that the first page needs. */
export interface OpenedDemoPast {
  /** The server is ready: the rest is made. */
  goOn: () => void;
  /** Resolves once all of it is made. */
  older: Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Records the past of the demo fleet up to now at its first start, and what its dispatchers did, at first what the first page
 * needs. From then on its loads are looked after, until `stop`. Never rejects.
 */
export const openDemoPast = async (
  recorder: Recorder,
  env: Env,
  reader: Pick<HistoryReader, 'readNames'>,
  server: DemoPastServer,
): Promise<OpenedDemoPast | null> => {
  const { demoUnits: units, demoHistoryHours: hours } = env;
  if (units > MOST_UNITS) return null;
  const toMs = server.clock.nowMs();
  const past = createPastUntil(toMs, env);
  let goOn = (): void => undefined;
  const isReady = new Promise<void>((resolve) => (goOn = resolve));
  const made = await recordDemoPast(recorder, { past: { ...past, isReady }, hours }, reader, server);
  // Of an earlier start it is not known when its nights ended, and what was not recorded since.
  const kept = made ? past : { fleet: createDemoFleet({ units, seed: DEMO_SEED }), fromMs: toMs - HOUR_MS };
  const keeping = keepLoads(server, { usdot: past.usdot, fleet: kept.fleet, fromMs: kept.fromMs });
  const stop = (): Promise<void> => {
    goOn();
    return keeping();
  };
  return { goOn, older: made?.older ?? Promise.resolve(), stop };
};

const createPastUntil = (toMs: number, { demoUnits: units, demoHistoryHours, activeWindowMs }: Env) => {
  const fromMs = toMs - demoHistoryHours * HOUR_MS;
  const newestFromMs = Math.max(fromMs, toMs - NEWEST_MS);
  return createDemoPast({ units, fromMs, toMs, newestFromMs, activeWindowMs });
};

const recordDemoPast = async (
  recorder: Recorder,
  { past, hours }: { past: ReturnType<typeof createDemoPast> & Pick<MadePast, 'isReady'>; hours: number },
  reader: Pick<HistoryReader, 'readNames'>,
  { feeds, clock, log, ...server }: DemoPastServer,
): Promise<{ older: Promise<void> } | null> => {
  const { fromMs } = past;
  const sample = { usdot: past.usdot, fleet: past.fleet, fromMs, secret: server.secret };
  let isNew = false;
  const makeWatch = async (): Promise<WatchConfig> => {
    const { config, ...begun } = await addWatchedSamples({ ...server, clock }, sample);
    ({ isNew } = begun);
    return config;
  };
  const warn = (error: unknown): void =>
    log.warn({ reason: String(error) }, 'The past of the demo fleet could not be recorded.');
  try {
    const made = await recorder.recordPast({
      ...past,
      makeWatch,
      ...(hours >= WHOLE_HOURS && { days: listCoarseDays(past.fleet, fromMs) }),
    });
    if (!made) return null;
    if (isNew) await takeSampleAlerts({ ...server, clock }, sample, true);
    // The feed may have read the recording before it was made.
    feeds.learnNames(past.usdot, [...(await reader.readNames(past.usdot, null)).values()]);
    /** The visits of the days before are found in the recording, as those to a new site are. */
    const searchDays = async (): Promise<void> => {
      const { orm } = await server.database.open();
      const sites = await listSites(orm, past.usdot);
      await startScans(
        orm,
        past.usdot,
        sites.map(({ id }) => id),
        past.toMs - VISITS_MS,
      );
    };
    const work = past.isReady?.then(() => (isNew ? addSampleWork({ ...server, clock }, sample) : undefined));
    const note = () => log.info({ hours }, 'The demo fleet has a recorded past.');
    const older = isNew && hours * HOUR_MS > VISITS_MS ? made.older.then(searchDays) : made.older;
    return { older: Promise.all([older, work]).then(note).catch(warn) };
  } catch (error) {
    warn(error);
    return null;
  }
};
