import 'server-only';
import { and, eq, inArray, lt } from 'drizzle-orm';
import { repeat, type Clock } from '@/lib/base/clock';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { Log } from '@/lib/base/log';
import { inTransaction } from '@/lib/database/database';
import { distanceM } from '@/lib/geo/geodesy';
import type { Load } from '@/lib/loads/load';
import type { LoadInput } from '@/lib/loads/schema';
import { changeLoad, endLoad, readLoads } from '@/lib/loads/server/loads';
import { loadStops, loads as loadTable } from '@/lib/loads/server/tables';
import { listSites } from '@/lib/sites/server/site-repository';
import { startScans } from '@/lib/sites/server/site-scans';
import { siteScans, sites as siteTable } from '@/lib/sites/server/tables';
import type { DemoFleet } from '@/service/simulator/demo-fleet';
import { specimenOf } from '@/service/simulator/specimens';
import { DAY_SHIFT, toContext, type SampleContext } from './sample-data';
import {
  addSampleLoads,
  countNumbers,
  isResting,
  NOT_MOVING_MS,
  planSampleLoads,
  SAMPLE_NAMES,
  type SampleLoad,
  type SampleName,
} from './sample-loads';

/** What a load of the demo is planned and judged by. */
export type KeptLoad = Pick<
  Load,
  'id' | 'state' | 'verdict' | 'noWindow' | 'trucks' | 'endedMs' | 'stops' | 'madeBy'
>;

/** What the dispatcher of the demo does at a moment. */
export interface LoadPlan {
  /** Loads that are ended by hand. */
  ended: number[];
  /** Loads that get a truck, by its VIN. */
  given: { id: number; vin: string }[];
  added: SampleLoad[];
}

/** A load without a truck gets one so long before its pickup. */
const GIVEN_BEFORE_MS = 4 * HOUR_MS;
/** A load whose truck did not come is given up so long after its last appointment. */
const GIVEN_UP_AFTER_MS = 8 * HOUR_MS;
/** The stop of a load and the dock of its truck are one place. */
const SAME_PLACE_M = 2000;

const truckOf = ({ trucks }: KeptLoad): string | null =>
  trucks.find(({ toMs }) => toMs === null)?.unit ?? null;

/** Which of the demo's states a load is in. */
export const toSampleNames = (
  load: KeptLoad,
  isNotMoving: (vin: string) => boolean,
): readonly SampleName[] => {
  const { state, verdict, noWindow, trucks } = load;
  const vin = truckOf(load);
  if (state === 'delivered') return ['delivered'];
  if (state === 'closed') return ['ended by hand'];
  if (state === 'noTruck' || vin === null) return ['no truck'];
  const isOnTime = verdict === 'onTime';
  const isSilent = verdict === 'unknown' && (noWindow === 'silent' || noWindow === 'notSeen');
  const found: [SampleName, boolean][] = [
    ['swapped trucks', trucks.length > 1],
    ['silent truck', isSilent],
    ['at delivery', state === 'atDelivery'],
    ['at pickup', state === 'atPickup'],
    ['not moving', state.startsWith('to') && !isSilent && isNotMoving(vin)],
    ['late', verdict === 'late'],
    ['at risk', verdict === 'atRisk'],
    ['in transit', state === 'toDelivery' && isOnTime],
    ['on the way to pickup', state === 'toPickup' && isOnTime],
  ];
  return found.flatMap(([name, isSo]) => (isSo ? [name] : []));
};

const isGivenUp = ({ state, stops }: KeptLoad, nowMs: number): boolean => {
  const lastMs = Math.max(...stops.map(({ appointment }) => appointment?.toMs ?? 0));
  return lastMs > 0 && !state.startsWith('at') && nowMs - lastMs > GIVEN_UP_AFTER_MS;
};

/** A truck without a load that comes to the pickup of one in time, and goes on to its delivery; null: there is none. */
const findTruck = (
  fleet: DemoFleet,
  { stops }: KeptLoad,
  loaded: ReadonlySet<string>,
  nowMs: number,
): string | null => {
  const [from, to] = [stops[0]!, stops.at(-1)!];
  // Of a stop whose site was removed it is not known where it is.
  if (stops.some(({ siteId }) => siteId === null)) return null;
  const found = fleet.vehicles.findIndex(({ vin }, unit) => {
    if (loaded.has(vin) || specimenOf(unit) !== null) return false;
    const [next, after] = fleet.dockStaysOf(unit, nowMs).filter(({ fromMs }) => fromMs > nowMs);
    return (
      next !== undefined &&
      after !== undefined &&
      next.fromMs < (from.appointment?.toMs ?? Infinity) &&
      distanceM(next.at, from) < SAME_PLACE_M &&
      distanceM(after.at, to) < SAME_PLACE_M
    );
  });
  return fleet.vehicles[found]?.vin ?? null;
};

/** What the dispatcher of the demo does with its loads, so that each state goes on to be seen. `recent`: what was added within the hour. */
export const planLoads = (
  fleet: DemoFleet,
  loads: readonly KeptLoad[],
  { fromMs, nowMs, recent }: { fromMs: number; nowMs: number; recent: ReadonlySet<SampleName> },
): LoadPlan => {
  const plan: LoadPlan = { ended: [], given: [], added: [] };
  // What users removed stays removed.
  if (!loads.some(({ madeBy }) => madeBy === DAY_SHIFT)) return plan;
  const unitOf = new Map(fleet.vehicles.map(({ vin }, unit) => [vin, unit]));
  const isNotMoving = (vin: string): boolean => {
    const unit = unitOf.get(vin);
    return unit !== undefined && isResting(fleet, unit, nowMs, NOT_MOVING_MS);
  };
  const loaded = new Set(loads.flatMap((load) => (load.endedMs === null ? (truckOf(load) ?? []) : [])));
  const seen = new Set<SampleName>(recent);
  for (const load of loads) {
    const isOwn = load.madeBy === DAY_SHIFT && load.endedMs === null;
    const pickupMs = load.stops[0]?.appointment?.fromMs ?? Infinity;
    if (isOwn && isGivenUp(load, nowMs)) plan.ended.push(load.id);
    else if (isOwn && load.state === 'noTruck' && pickupMs - nowMs < GIVEN_BEFORE_MS) {
      const vin = findTruck(fleet, load, loaded, nowMs);
      if (vin !== null) plan.given.push({ id: load.id, vin });
      if (vin !== null) loaded.add(vin);
    } else for (const name of toSampleNames(load, isNotMoving)) seen.add(name);
  }
  const names = SAMPLE_NAMES.filter((name) => !seen.has(name));
  plan.added = planSampleLoads(fleet, { fromMs, nowMs, names, loaded });
  return plan;
};

/** Held while the loads are looked after. */
const KEEP_LOCK = 0x444c4f44;
const LOOK_EVERY_MS = MINUTE_MS;
/** What was added and did not become what it was added for is tried again after so long. */
const AGAIN_AFTER_MS = HOUR_MS;
const LISTED_MS = 7 * DAY_MS;

interface KeeperServer extends SampleContext {
  clock: Clock;
  log: Log;
  /** Has the feed read what it watches the fleet for. */
  reload: (usdot: string) => void;
}

interface KeptFleet {
  usdot: string;
  fleet: DemoFleet;
  /** Since when its trucks are recorded. */
  fromMs: number;
}

/** Searches the recording for visits to the circles of loads. */
const searchCircles = async ({ database, clock }: KeeperServer, usdot: string, ids: readonly number[]) => {
  const { orm } = await database.open();
  const circles = await orm
    .selectDistinct({ id: siteTable.id })
    .from(loadStops)
    .innerJoin(siteTable, and(eq(siteTable.id, loadStops.siteId), siteTable.isOfLoad))
    .where(inArray(loadStops.loadId, [...ids]));
  await startScans(
    orm,
    usdot,
    circles.map(({ id }) => id),
    clock.nowMs(),
  );
};

/** Looks after the loads once; true where something was changed. */
export const lookAfterLoads = async (
  server: KeeperServer,
  { usdot, fleet, fromMs }: KeptFleet,
  addedMs: Map<SampleName, number>,
): Promise<boolean> => {
  const { orm, pool } = await server.database.open();
  const nowMs = server.clock.nowMs();
  const loads = await readLoads(pool, usdot, { endedAfterMs: nowMs - LISTED_MS, nowMs });
  const recent = new Set([...addedMs].flatMap(([name, ms]) => (nowMs - ms < AGAIN_AFTER_MS ? [name] : [])));
  const { ended, given, added } = planLoads(fleet, loads, { fromMs, nowMs, recent });
  const context = toContext(server);
  for (const id of ended) await endLoad(context, usdot, id);
  for (const { id, vin } of given) {
    const load = loads.find((each) => each.id === id)!;
    await changeLoad(context, usdot, id, { ...toInput(load), unit: vin });
  }
  if (added.length > 0) {
    const references = await orm
      .select({ reference: loadTable.reference })
      .from(loadTable)
      .where(eq(loadTable.usdot, usdot));
    const firstNumber = countNumbers(references.map(({ reference }) => reference));
    const sites = await listSites(orm, usdot);
    const ids = await addSampleLoads(added, { usdot, sites, firstNumber }, (atMs) =>
      toContext(server, DAY_SHIFT, atMs),
    );
    for (const { name } of added) addedMs.set(name, nowMs);
    await searchCircles(server, usdot, ids);
  }
  return ended.length + given.length + added.length > 0;
};

const toInput = ({ reference, po, bol, customer, note, tags, stops }: Load): LoadInput => ({
  ...{ reference, po, bol, customer, note, tags, unit: null },
  stops: stops.map(({ kind, siteId, address, appointment, freeMin, contactName, contactPhone }) => ({
    ...{ kind, siteId, address, appointment, freeMin, contactName, contactPhone, place: null },
  })),
});

const isSearching = async ({ database }: KeeperServer, usdot: string): Promise<boolean> => {
  const { orm } = await database.open();
  const [scan] = await orm
    .select({ siteId: siteScans.siteId })
    .from(siteScans)
    .where(and(eq(siteScans.usdot, usdot), lt(siteScans.share, 1)))
    .limit(1);
  return scan !== undefined;
};

/** Gives the demo new loads as old ones end, by one server at a time; the returned function stops that. */
export const keepLoads = (server: KeeperServer, kept: KeptFleet): (() => Promise<void>) => {
  const { clock, log, reload } = server;
  const { usdot } = kept;
  const addedMs = new Map<SampleName, number>();
  /** Visits are being found, which the feed is yet to read. */
  let isSearched = false;
  const look = async (): Promise<void> => {
    const { pool } = await server.database.open();
    const isChanged = await inTransaction(pool, async (lock) => {
      const { rows } = await lock.query<{ ours: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS ours', [
        KEEP_LOCK,
      ]);
      return rows[0]!.ours && (await lookAfterLoads(server, kept, addedMs));
    });
    const isFound = isSearched && !(await isSearching(server, usdot));
    if (isChanged || isFound) reload(usdot);
    isSearched = isChanged || (isSearched && !isFound);
  };
  const warn = (error: unknown) =>
    log.warn({ reason: String(error) }, 'The loads of the demo are not looked after.');
  return repeat(clock, LOOK_EVERY_MS, () => look().catch(warn), LOOK_EVERY_MS);
};
