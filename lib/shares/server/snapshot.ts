import 'server-only';
import type { Pool } from 'pg';
import { inTransaction } from '@/lib/database/database';
import type { Load } from '@/lib/loads/load';
import { readLoads } from '@/lib/loads/server/loads';
import { readLastMinutes } from '@/lib/recording/last-minutes';
import { readAwaitedMs, readLateFixes } from '@/lib/recording/visit-repository';
import type { EndedItem } from '@/lib/recording/share-writer';
import { toLoadEnd } from '@/lib/arrivals/load-end';
import { followUnits, toHorizonMs, type EndWatch, type Followed } from '@/lib/rules/held-back';
import type { LastMinutes } from '@/lib/rules/fleet-watch';
import type { LoadWindow } from '@/lib/rules/load-watch';
import type { Site, SiteVisit } from '@/lib/rules/site';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { TrailPart } from './trails';
import { findShare, standingOf, type ItemRow, type ShareRow } from './share-rows';

type Run = Pick<Pool, 'query'>;

/** The moment that a link shows, Unix ms; a delayed one shows full minutes. */
export const toMomentMs = ({ delayMin }: Pick<ShareRow, 'delayMin'>, nowMs: number): number =>
  delayMin === 0 ? nowMs : Math.floor(nowMs / MINUTE_MS - delayMin) * MINUTE_MS;

/** What a fleet's loads and trucks are known by, for the items of a link that go on. */
export interface ItemFacts {
  item: ItemRow;
  load: Load | null;
  /** The truck that it is about as of the link's moment, and when it counts, Unix ms; null: none. */
  truck: TrailPart | null;
  /** All trucks that it was about by then. */
  trucks: readonly TrailPart[];
  /** Fixes that are later are not shown, Unix ms. */
  horizonMs: number;
  /** Sites at whose edges a position must be sure. */
  sites: readonly Site[];
  /** Windows of its load that were shown, oldest first. */
  windows: readonly LoadWindow[];
  /** When polls found what happened at its stops, Unix ms. */
  found: readonly { kind: string; position: number; seenMs: number }[];
}

/** The names of an item that has ended, as far as there are any. */
interface EndedName {
  reference: string | null;
  /** Of a truck that the maker of the link sees. */
  number: string | null;
}

/** The data of a link's view, as of one moment of the database. */
export interface Snapshot {
  share: ShareRow;
  nowMs: number;
  /** What is shown is as of then, Unix ms. */
  momentMs: number;
  facts: readonly ItemFacts[];
  followed: Followed;
  /** The newest names and drivers of its trucks, by key. */
  names: ReadonlyMap<string, UnitIdentity>;
  drivers: ReadonlyMap<string, string>;
  /** The names of items that have ended, by their places. */
  endedNames: ReadonlyMap<number, EndedName>;
  /** The site where it ends. */
  endSite: { name: string } | null;
  /** Ends that are known and were not stored yet. */
  ended: readonly EndedItem[];
}

const NO_ROWS: Followed = { rows: new Map(), presences: new Map(), unsureMs: null };

/** Longer than an arrival is in progress while answers come. */
const ANSWERED_MS = 15 * MINUTE_MS;
/** A truck that had a load until so long before the newest poll may turn out to have arrived with it. */
const RECENT_MS = HOUR_MS;

const READ_SITES = `
  SELECT id, name, kind, color, notes, opening_hours AS "openingHours", margin_m AS "marginM", shape
  FROM linehaul.sites WHERE usdot = $1 AND id = ANY ($2)`;

const READ_VISITS = `
  SELECT site_id AS "siteId", unit, arrived_after_ms::float8 AS "arrivedAfterMs", arrived_ms::float8 AS "arrivedMs",
    left_ms::float8 AS "leftMs", left_by_ms::float8 AS "leftByMs"
  FROM linehaul.site_visits
  WHERE usdot = $1 AND unit = ANY ($2) AND site_id = ANY ($3) AND (left_ms IS NULL OR left_ms > $4)
  ORDER BY arrived_ms`;

const READ_WINDOWS = `
  SELECT load_id::float8 AS "loadId", "window", shown FROM linehaul.load_states WHERE load_id = ANY ($1::int8[])`;

const READ_FOUND = `
  SELECT load_id::float8 AS "loadId", kind, position, max(seen_ms)::float8 AS "seenMs" FROM linehaul.load_events
  WHERE load_id = ANY ($1::int8[]) AND actor IS NULL GROUP BY 1, 2, 3`;

const READ_NAMES = `
  SELECT DISTINCT ON (unit) unit, identity FROM linehaul.unit_identities
  WHERE usdot = $1 AND unit = ANY ($2) ORDER BY unit, seen_ms DESC`;

const READ_ENDED_NAMES = `
  SELECT i.position, i.unit, l.reference, u.number FROM linehaul.share_items i
  LEFT JOIN linehaul.loads l ON l.id = i.load_id
  LEFT JOIN LATERAL (
    SELECT identity->>'truckNumber' AS number FROM linehaul.unit_identities
    WHERE usdot = $2 AND unit = i.unit ORDER BY seen_ms DESC LIMIT 1
  ) u ON true
  WHERE i.share_id = $1 AND i.ended_ms IS NOT NULL`;

const READ_DRIVERS = `SELECT unit, driver FROM linehaul.unit_contacts WHERE usdot = $1 AND unit = ANY ($2) AND driver <> ''`;

const READ_SEEN = `SELECT DISTINCT unit FROM linehaul.unit_tags WHERE usdot = $1 AND tag = ANY ($2)`;

/** Trucks of a load that have it, or had it lately. */
const recentTrucks = ({ trucks }: Load, nowMs: number) =>
  trucks.filter(({ toMs }) => toMs === null || toMs > nowMs - RECENT_MS);

const isPresent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

/** The site ids where an item may end by an arrival, and by a departure. */
const toEndSites = (share: ShareRow, load: Load | null): { arrivals: number[]; departure: number | null } => {
  if (load === null) {
    const { endsOn, endsAtSite } = share;
    if (endsAtSite === null) return { arrivals: [], departure: null };
    return endsOn === 'arrival'
      ? { arrivals: [endsAtSite], departure: null }
      : { arrivals: [], departure: endsOn === null ? null : endsAtSite };
  }
  const last = load.stops.length - 1;
  const isAtStop = share.endsOn === 'arrival' || share.endsOn === 'departure';
  const target = isAtStop ? Math.min(share.endsAtStop ?? last, last) : last;
  const first = share.endsOn === 'arrival' ? target : target + 1;
  const departure = share.endsOn === 'arrival' ? last : target;
  return {
    // A stop after it is an end too: it was passed.
    arrivals: isAtStop ? load.stops.slice(first).flatMap(({ siteId }) => siteId ?? []) : [],
    departure: load.stops[departure]?.siteId ?? null,
  };
};

const toEnded = (
  share: ShareRow,
  item: ItemRow,
  load: Load | null,
  visits: readonly SiteVisit[],
  nowMs: number,
) => {
  const { endsOn, endsAtStop, endsAtSite, id: shareId } = share;
  const about = { shareId, position: item.position };
  if (item.unit === null) {
    if (load === null) return { ...about, endedMs: nowMs, endedBy: 'removed' as const };
    // A visit may be recorded by a poll, and the load be judged by the next one, as where its truck has just got another key.
    const leftMs = load.state === 'delivered' ? load.judged.at(-1)!.visit!.leftMs : null;
    const isClosed = load.endedBy !== null;
    const end = toLoadEnd(
      { ...load, isClosed, endedMs: load.endedMs ?? leftMs },
      { on: endsOn, stop: endsAtStop },
    );
    if (end) return { ...about, endedMs: end.atMs, endedBy: end.by };
    // No fix can show its end any more.
    const stop = endsOn === 'delivery' ? null : endsAtStop;
    const isLost =
      endsOn !== null && load.stops[Math.min(stop ?? Infinity, load.stops.length - 1)]!.siteId === null;
    return isLost ? { ...about, endedMs: nowMs, endedBy: 'removed' as const } : null;
  }
  if (endsOn === null) return null;
  if (endsAtSite === null) return { ...about, endedMs: nowMs, endedBy: 'removed' as const };
  const ends = visits
    .filter(
      ({ unit, siteId, arrivedMs }) =>
        unit === item.unit && siteId === endsAtSite && arrivedMs > (item.visitsAfterMs ?? 0),
    )
    .flatMap(({ arrivedMs, leftMs }) => (endsOn === 'arrival' ? arrivedMs : (leftMs ?? [])));
  return ends.length === 0 ? null : { ...about, endedMs: Math.min(...ends), endedBy: endsOn };
};

const listUnits = (items: readonly { item: ItemRow; load: Load | null }[], nowMs: number): string[] => [
  ...new Set(
    items.flatMap(({ item, load }) =>
      load === null ? (item.unit ?? []) : recentTrucks(load, nowMs).map(({ unit }) => unit),
    ),
  ),
];

/** The trucks of an item by a moment that the maker of its link sees, and when they counted. */
const toTrucks = (
  { item, load }: { item: ItemRow; load: Load | null },
  seen: ReadonlySet<string> | null,
): TrailPart[] => {
  const trucks =
    load === null ? (item.unit === null ? [] : [{ unit: item.unit, fromMs: 0, toMs: null }]) : load.trucks;
  return trucks
    .filter(({ unit }) => seen === null || seen.has(unit))
    .map(({ unit, fromMs, toMs }) => ({ unit, fromMs, toMs: toMs ?? Infinity }));
};

type OpenItem = Pick<ItemFacts, 'item' | 'load'>;

/** What polls found of loads. */
const readFound = async (run: Run, ids: readonly number[]) => ({
  states: (
    await run.query<{ loadId: number; window: LoadWindow | null; shown: LoadWindow[] }>(READ_WINDOWS, [ids])
  ).rows,
  events: (await run.query<ItemFacts['found'][number] & { loadId: number }>(READ_FOUND, [ids])).rows,
});

/** What the items of a link that have ended are called, by their places. */
const readEndedNames = async (
  run: Run,
  { id, usdot, items }: ShareRow,
  seen: ReadonlySet<string> | null,
): Promise<Map<number, EndedName>> => {
  if (items.every(({ endedMs }) => endedMs === null)) return new Map();
  const { rows } = await run.query<EndedName & { position: number; unit: string | null }>(READ_ENDED_NAMES, [
    id,
    usdot,
  ]);
  return new Map(
    rows.map(({ position, unit, reference, number }) => [
      position,
      { reference, number: seen === null || seen.has(unit ?? '') ? number : null },
    ]),
  );
};

/** The items of a link that go on, with their loads. */
const readItems = async (run: Run, { usdot, items }: ShareRow, nowMs: number): Promise<OpenItem[]> => {
  const open = items.filter(({ endedMs }) => endedMs === null);
  const ids = open.flatMap(({ loadId }) => loadId ?? []);
  const loads = ids.length === 0 ? [] : await readLoads(run, usdot, { endedAfterMs: 0, ids, nowMs });
  return open.map((item) => ({ item, load: loads.find(({ id }) => id === item.loadId) ?? null }));
};

/** Reads a link and what it shows in a transaction whose statements see one moment. */
const readAll = async (run: Run, tokenHash: string, nowMs: number): Promise<Snapshot | null> => {
  const share = await findShare(run, tokenHash);
  if (share === null || standingOf(share, nowMs).state !== 'open') return null;
  const { usdot, endsAtSite, madeMs } = share;
  const items = await readItems(run, share, nowMs);
  const ends = items.map(({ load }) => toEndSites(share, load));
  const siteIds = [...ends.flatMap(({ arrivals, departure }) => [...arrivals, departure]), endsAtSite].filter(
    isPresent,
  );
  // What its trucks kept may show an end before the newest polls.
  const awaitedMs = siteIds.length === 0 ? null : await readAwaitedMs(run, usdot);
  const momentMs = Math.min(toMomentMs(share, nowMs), (awaitedMs ?? Infinity) - 1);
  const units = listUnits(items, momentMs);
  const sites = (await run.query<Site>(READ_SITES, [usdot, siteIds])).rows;
  const visits = (await run.query<SiteVisit>(READ_VISITS, [usdot, units, siteIds, madeMs - RECENT_MS])).rows;
  const late = siteIds.length === 0 ? [] : await readLateFixes(run, usdot, units);
  const { followed, seen, ...texts } = await readUnits(run, share, units, sites, nowMs);
  const loadIds = items.flatMap(({ load }) => load?.id ?? []);
  const { states, events } = await readFound(run, loadIds);
  const facts = items.map((each, i): ItemFacts => {
    const arrivals = sites.filter(({ id }) => ends[i]!.arrivals.includes(id));
    const departure = sites.find(({ id }) => id === ends[i]!.departure) ?? null;
    const trucks = toTrucks(each, seen);
    const ending = each.load ? recentTrucks(each.load, nowMs) : [{ unit: each.item.unit ?? '', toMs: null }];
    const watches = ending.map(({ unit, toMs }): EndWatch => {
      const isOfUnit = (each: { unit: string }): boolean => each.unit === unit;
      return {
        ...{ unit, untilMs: toMs, arrivals, departure },
        ...{ visits: visits.filter(isOfUnit), late: late.filter(isOfUnit) },
      };
    });
    const state = states.find(({ loadId }) => loadId === each.load?.id);
    return {
      ...each,
      truck: trucks.find(({ fromMs, toMs }) => fromMs <= momentMs && toMs > momentMs) ?? null,
      trucks,
      horizonMs: toHorizonMs(watches, followed),
      sites: departure ? [...arrivals, departure] : arrivals,
      windows: [...(state?.shown ?? []), ...(state?.window ? [state.window] : [])],
      found: events.filter(({ loadId }) => loadId === each.load?.id),
    };
  });
  const ended = items.flatMap(({ item, load }) => toEnded(share, item, load, visits, nowMs) ?? []);
  const endSite = sites.find(({ id }) => id === endsAtSite) ?? null;
  const endedNames = await readEndedNames(run, share, seen);
  return { share, nowMs, momentMs, facts, followed, ...texts, endedNames, endSite, ended };
};

/** Whether the provider failed for so long that what was in progress before may not be in what was read. */
const isCut = ({ coverage, fromMs }: LastMinutes): boolean => {
  const answered = coverage.filter(({ state }) => state === 'answered');
  const answeredMs = answered.reduce((sum, each) => sum + each.toMs - Math.max(fromMs, each.fromMs), 0);
  return answeredMs < ANSWERED_MS && coverage.some((each) => each.fromMs < fromMs);
};

/** How the trucks of a link were seen, what they are called, and which of them its maker sees. */
const readUnits = async (
  run: Run,
  { usdot, makerTags }: ShareRow,
  units: readonly string[],
  sites: readonly Site[],
  nowMs: number,
) => {
  const past = await readLastMinutes(run, usdot, nowMs, units);
  const names = await run.query<{ unit: string; identity: UnitIdentity }>(READ_NAMES, [usdot, units]);
  const drivers = await run.query<{ unit: string; driver: string }>(READ_DRIVERS, [usdot, units]);
  const seen = makerTags && (await run.query<{ unit: string }>(READ_SEEN, [usdot, makerTags])).rows;
  let followed = NO_ROWS;
  if (past) {
    followed = followUnits(past, sites);
    const unsureMs = Math.max(followed.unsureMs ?? 0, isCut(past) ? past.fromMs : 0) || null;
    followed = { ...followed, unsureMs };
  }
  return {
    followed,
    names: new Map(names.rows.map(({ unit, identity }) => [unit, identity])),
    drivers: new Map(drivers.rows.map(({ unit, driver }) => [unit, driver])),
    seen: seen && new Set(seen.map(({ unit }) => unit)),
  };
};

/** A link that goes on, with what it shows, as of one moment; null: there is none. */
export const readSnapshot = (pool: Pool, tokenHash: string, nowMs: number): Promise<Snapshot | null> =>
  inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return readAll(client, tokenHash, nowMs);
  });
