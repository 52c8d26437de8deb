import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@/lib/base/clock';
import { countFleet } from '@/lib/fleet/poll-report';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { FleetWatch, joinWatched, type Watched, type WatchConfig } from '@/lib/rules/fleet-watch';
import type { WatchedLoad } from '@/lib/rules/load-watch';
import type { SiteVisit } from '@/lib/rules/site';
import type { FleetRows } from '@/lib/wire/fleet';
import { MINUTE_MS } from '@/lib/base/time';
import { createUnitsParser } from '@/lib/tracking/units-parser';
import type { HistoryRepository, RecordedDay } from './history-repository';

/** A provider of which it is known what it would have answered at any moment, as that of a simulated fleet. */
export interface MadePast {
  usdot: string;
  fromMs: number;
  toMs: number;
  /** What is newer than this is recorded first, with all visits and alerts. */
  newestFromMs: number;
  /** How long after a poll at a moment the next one is. */
  stepMsAt: (atMs: number) => number;
  roster: ReadonlySet<string>;
  /** Its answer, of some units where `only` names them by their numbers. */
  readRecords: (atMs: number, only?: readonly number[]) => readonly unknown[];
  /**
   * The numbers of the units that are polled before `newestFromMs`, and from when on: those that come to a site, have a load,
   * of which an alert may be open, or that stand at `newestFromMs`, so that their polls tell since when.
   */
  listPolled: (config: WatchConfig) => ReadonlyMap<number, number>;
  /** What is older than `newestFromMs` is recorded after this; absent: at once. */
  isReady?: Promise<void>;
  /** Days before `fromMs`, newest first, of which there are a few fixes of each unit alone; absent: none. */
  days?: Iterable<RecordedDay>;
  /** Makes the sites and rules by which it is judged; absent: there are none. */
  makeWatch?: () => Promise<WatchConfig>;
}

const createTracker = ({ usdot }: MadePast): FleetTracker =>
  new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, usdot);

/** The rows of the fleet after one more poll. */
const poll = (
  { usdot, roster, readRecords }: MadePast,
  tracker: FleetTracker,
  seenMs: number,
  only?: readonly number[],
) => {
  const parser = createUnitsParser(usdot, { ...systemClock, nowMs: () => seenMs });
  parser.take(readRecords(seenMs, only));
  tracker.observe(parser.end({ units: [] }).units, roster, seenMs);
  return tracker.copyRows();
};

/** Loads are judged by the last polls alone, with the visits that were found before: so long shows which truck does not move. */
const LOADS_MS = 80 * MINUTE_MS;

/** Loads with the visits of their trucks to their stops. */
const withVisits = (loads: readonly WatchedLoad[], visits: readonly SiteVisit[]): WatchedLoad[] =>
  loads.map((load) => {
    const sites = new Set(load.stops.map(({ siteId }) => siteId));
    const units = new Set(load.trucks.map(({ unit }) => unit));
    return { ...load, visits: visits.filter(({ siteId, unit }) => sites.has(siteId) && units.has(unit)) };
  });

/**
 * Records the newest part of a fleet's past by the rules of the live path, and all visits and alerts: before that part only
 * some units are polled. Ends early once `isEnded` is true.
 */
export const recordNewest = async (
  history: HistoryRepository,
  past: MadePast,
  isEnded: () => boolean,
): Promise<void> => {
  const { usdot, fromMs, toMs, newestFromMs, stepMsAt, makeWatch } = past;
  const tracker = createTracker(past);
  const watch = new FleetWatch();
  const config = await makeWatch?.();
  if (config) watch.configure({ ...config, loads: [] });
  const polled = config ? [...past.listPolled(config)] : [];
  const visits = new Map<string, SiteVisit>();
  let hasLoads = false;
  let written: Promise<unknown> = Promise.resolve();
  const write = async (entry: Parameters<HistoryRepository['write']>[0]): Promise<void> => {
    // The next step is computed while this one is written.
    await written;
    written = history.write(entry);
    // Its failure is thrown by the await above or below.
    written.catch(() => undefined);
  };
  const observe = (rows: FleetRows, atMs: number): Watched => {
    if (config && !hasLoads && toMs - atMs < LOADS_MS) {
      hasLoads = true;
      watch.configure({ ...config, loads: withVisits(config.loads ?? [], [...visits.values()]) });
    }
    const shown = watch.observe(rows, { seenMs: atMs, failure: null, renamed: tracker.takeRenamed() });
    for (const visit of shown.visits) visits.set(`${visit.siteId} ${visit.unit} ${visit.arrivedMs}`, visit);
    return shown;
  };
  let seenMs = config ? fromMs : newestFromMs;
  let before: Watched | null = null;
  for (; seenMs < newestFromMs && !isEnded(); seenMs += stepMsAt(seenMs)) {
    const units = polled.flatMap(([unit, fromAtMs]) => (fromAtMs <= seenMs ? [unit] : []));
    before = joinWatched(before, observe(poll(past, tracker, seenMs, units), seenMs));
  }
  // In one transaction, as each waits for the disk.
  if (before) await write({ usdot, seenMs, changes: null, statusCounts: null, coverage: [], ...before });
  // These fixes are recorded with the older part, and all rows with the next poll.
  tracker.takeChanges(tracker.copyRows());
  tracker.recordAll();
  for (; seenMs <= toMs && !isEnded(); seenMs += stepMsAt(seenMs)) {
    const rows = poll(past, tracker, seenMs);
    const changes = tracker.takeChanges(rows);
    const statusCounts = countFleet(rows, seenMs).byStatus;
    const shown = observe(rows, seenMs);
    const coverage = [{ fromMs: newestFromMs, toMs: seenMs, state: 'answered', problem: null } as const];
    await write({ usdot, seenMs, changes, statusCounts, coverage, ...shown });
  }
  await written;
};

/** The server answers its first pages meanwhile. */
const REST_MS = 15;

/** Records what is older than the newest part; the coverage of it is noted once all of it is there. */
export const recordOlder = async (
  history: HistoryRepository,
  past: MadePast,
  isEnded: () => boolean,
): Promise<void> => {
  const { usdot, fromMs, newestFromMs, stepMsAt } = past;
  const tracker = createTracker(past);
  for (let seenMs = fromMs; seenMs < newestFromMs; seenMs += stepMsAt(seenMs)) {
    await delay(REST_MS);
    if (isEnded()) return;
    const rows = poll(past, tracker, seenMs);
    const changes = tracker.takeChanges(rows);
    const statusCounts = countFleet(rows, seenMs).byStatus;
    // Names and motions are those of the newest part.
    await history.write({
      ...{ usdot, seenMs, statusCounts, coverage: [] },
      changes: changes && { ...changes, identities: null, motions: null },
    });
  }
  if (fromMs < newestFromMs) await history.beginEarlier(usdot, { fromMs, toMs: newestFromMs, fixes: [] });
  for (const day of past.days ?? []) {
    await delay(REST_MS);
    if (isEnded()) return;
    await history.beginEarlier(usdot, day);
  }
};
