import type { LastMinutes } from './fleet-watch';
import { signedDistanceM } from './geofence';
import { PastRows, listMoments } from './past-rows';
import { toPollStep } from './poll-step';
import type { Site, SiteVisit } from './site';
import { FUTURE_MS, SiteTracker, UNTRUSTED_FLAGS, type Presence } from './site-tracker';
import { NO_POSITION, type Columns, type FleetRows } from '@/lib/wire/fleet';
import { getOrMake } from '@/lib/base/maps';
import { DEGREES_PER_E5, type LatLng } from '@/lib/geo/units';

/** A poll that changed nothing is not recorded: the past is looked at so often, ms. */
const TICK_MS = 10_000;

/** A unit as the map showed it from a poll on, Unix ms. */
export interface SeenRow extends LatLng {
  seenMs: number;
  /** 0: it has no position. */
  fixMs: number;
  /** Indexes and values as those of the wire columns. */
  status: number;
  sinceMs: number | null;
  /** As of when its position was first seen, which it is judged by. */
  flags: number;
  coarseM: number;
  speedKph: number;
  headingDeg: number;
}

/** A truck whose arrival at a site or departure from one is an end. */
export interface EndWatch {
  unit: string;
  /** What it does until then counts, Unix ms; null: always. */
  untilMs: number | null;
  /** An arrival at one of these is an end. */
  arrivals: readonly Site[];
  /** A departure from it is an end; null: none is. */
  departure: Site | null;
  /** Its recorded visits to these sites. */
  visits: readonly SiteVisit[];
  /** Fixes that came late and have not been judged yet. */
  late?: readonly (LatLng & { fixMs: number })[];
}

/** How units were seen in the last minutes of a recording, and what was in progress at the end. */
export interface Followed {
  /** By unit, in the order of polls: only those in which it changed. */
  rows: ReadonlyMap<string, readonly SeenRow[]>;
  /** Visits and coming arrivals by unit. */
  presences: ReadonlyMap<string, readonly Presence[]>;
  /** Polls until then were lost, Unix ms; null: none. */
  unsureMs: number | null;
}

const copyRows = ({ rows, identities, columns }: FleetRows): FleetRows => {
  const copies = Object.entries(columns).map(([name, column]) => [name, column.slice()]);
  return { rows, identities, columns: Object.fromEntries(copies) as Columns };
};

/** A row of a fleet as it was seen at a time, Unix ms. */
export const toSeen = ({ columns }: FleetRows, row: number, seenMs: number): SeenRow => {
  const hasPosition = columns.latE5[row] !== NO_POSITION && columns.fixAtS[row] !== 0;
  return {
    seenMs,
    fixMs: hasPosition ? columns.fixAtS[row]! * 1000 : 0,
    lat: columns.latE5[row]! * DEGREES_PER_E5,
    lng: columns.lngE5[row]! * DEGREES_PER_E5,
    status: columns.status[row]!,
    sinceMs: columns.sinceS[row]! * 1000 || null,
    flags: columns.flags[row]!,
    coarseM: columns.coarseM[row]!,
    speedKph: columns.speedKph[row]!,
    headingDeg: columns.headingDeg[row]!,
  };
};

const isSame = (a: SeenRow, b: SeenRow): boolean =>
  (Object.keys(a) as (keyof SeenRow)[]).every((name) => name === 'seenMs' || a[name] === b[name]);

/** A row whose position was seen before is doubted as it was then. */
const withDoubt = (seen: SeenRow, was: SeenRow | undefined): SeenRow =>
  was && was.fixMs === seen.fixMs && was.lat === seen.lat && was.lng === seen.lng
    ? { ...seen, flags: was.flags, coarseM: was.coarseM }
    : seen;

/** Replays the last minutes of some units as the tracker of their fleet saw them. */
export const followUnits = (past: LastMinutes, sites: readonly Site[]): Followed => {
  const tracker = new SiteTracker();
  tracker.configure(sites);
  const played = new PastRows(past);
  const coverage = past.coverage.map(({ fromMs, toMs, state }) => ({
    ...{ from: Math.max(0, fromMs - past.fromMs), to: toMs - past.fromMs },
    state,
  }));
  const rows = new Map<string, SeenRow[]>();
  const newestMs = new Map<string, number>();
  let before: FleetRows | null = null;
  for (const [moment, isFailing] of listMoments(past, coverage, TICK_MS)) {
    const seenMs = past.fromMs + moment;
    const now = copyRows(played.at(moment));
    now.identities.forEach((identity, row) => {
      if (!identity) return;
      const list = getOrMake(rows, identity.key, () => []);
      const was = list.at(-1);
      const seen = withDoubt(toSeen(now, row, seenMs), was);
      const heldMs = newestMs.get(identity.key) ?? 0;
      // A server that has just started may show an older fix, which the tracker passes over.
      if (seen.fixMs > 0 && seen.fixMs < heldMs && heldMs <= seenMs + FUTURE_MS) return;
      if (isSure(seen, sites)) newestMs.set(identity.key, seen.fixMs);
      if (!was || !isSame(was, seen)) list.push(seen);
    });
    // Before these minutes only the newest rows are known; a failure changes only the time.
    if (moment < 0 || isFailing) continue;
    tracker.observe(toPollStep(before, now, seenMs));
    before = now;
  }
  const presences = new Map(
    (before?.identities ?? []).flatMap((identity, row) =>
      identity ? [[identity.key, tracker.presencesOf(row)] as const] : [],
    ),
  );
  const lost = past.coverage.filter(({ state, toMs }) => state === 'lost' && toMs > past.fromMs);
  return { rows, presences, unsureMs: lost.at(-1)?.toMs ?? null };
};

/** Whether a row shows where its unit is, also by the edges of these sites. */
export const isSure = ({ fixMs, flags, coarseM, ...at }: SeenRow, sites: readonly Site[]): boolean =>
  fixMs > 0 &&
  (flags & UNTRUSTED_FLAGS) === 0 &&
  (coarseM === 0 || sites.every(({ shape }) => coarseM <= Math.abs(signedDistanceM(shape, at))));

/** Whether a unit may be inside a site by a row that is doubted: a server that is restarted may judge it. */
const mayBeInside = ({ fixMs, coarseM, ...at }: SeenRow, { shape }: Site): boolean =>
  fixMs > 0 && signedDistanceM(shape, at) <= coarseM;

const isBeyond = (row: LatLng, { shape, marginM }: Site): boolean => signedDistanceM(shape, row) > marginM;

const isOf = ({ tracked, arrivedMs }: Presence, { siteId, ...visit }: SiteVisit): boolean =>
  siteId === tracked.site.id &&
  visit.arrivedMs <= arrivedMs &&
  (visit.leftMs === null || visit.leftMs >= arrivedMs);

/** The newest fix of a truck that cannot turn out to be later than its arrival, Unix ms; Infinity: none is in progress. */
const toArrivalMs = (
  { unit, untilMs, arrivals, visits }: EndWatch,
  { rows, presences, unsureMs }: Followed,
): number => {
  const ids = new Set(arrivals.map(({ id }) => id));
  const coming = (presences.get(unit) ?? []).filter(
    (presence) =>
      ids.has(presence.tracked.site.id) &&
      presence.arrivedMs < (untilMs ?? Infinity) &&
      !visits.some((visit) => isOf(presence, visit)),
  );
  const seen = rows.get(unit) ?? [];
  /** Whether it was not about to arrive at any of these any more, by what was seen after a time. */
  const isOverSince = (sites: readonly Site[], sinceMs: number): boolean =>
    sites.every((site) =>
      seen.some((row) => row.seenMs > sinceMs && isSure(row, arrivals) && isBeyond(row, site)),
    );
  const doubted = seen.find(
    (row) =>
      !isSure(row, arrivals) &&
      !isOverSince(
        arrivals.filter((site) => mayBeInside(row, site)),
        row.seenMs,
      ),
  );
  const firstMs = Math.min(doubted?.fixMs ?? Infinity, ...coming.map(({ arrivedMs }) => arrivedMs));
  if (unsureMs === null || isOverSince(arrivals, unsureMs)) return firstMs;
  const lastSure = seen.findLast(({ seenMs, fixMs }) => seenMs < unsureMs && fixMs > 0);
  return Math.min(firstMs, lastSure?.fixMs ?? -Infinity);
};

/** The newest fix of a truck that cannot turn out to be later than its departure, Unix ms; Infinity: it is not there. */
const toDepartureMs = ({ unit, untilMs, departure, visits }: EndWatch, { rows }: Followed): number => {
  if (departure === null) return Infinity;
  const visit = visits.find(
    ({ siteId, leftMs, arrivedMs }) =>
      siteId === departure.id && leftMs === null && arrivedMs < (untilMs ?? Infinity),
  );
  if (!visit) return Infinity;
  const inside = (rows.get(unit) ?? []).findLast(
    (row) => isSure(row, [departure]) && signedDistanceM(departure.shape, row) <= 0,
  );
  return Math.max(visit.arrivedMs, inside?.fixMs ?? -Infinity);
};

/** The newest fix of a truck that cannot turn out to be later than a visit that its late fixes show, Unix ms; Infinity: they show none. */
const toLateMs = ({ untilMs, arrivals, departure, visits, late = [] }: EndWatch): number => {
  const isThere = visits.some(({ siteId, leftMs }) => siteId === departure?.id && leftMs === null);
  const sites = departure === null || isThere ? arrivals : [...arrivals, departure];
  const inside = late.filter(
    (fix) => fix.fixMs < (untilMs ?? Infinity) && sites.some((site) => !isBeyond(fix, site)),
  );
  return Math.min(Infinity, ...inside.map(({ fixMs }) => fixMs));
};

/** A truck that is about to arrive where it leaves next is seen there until it does; another one has its place meanwhile. */
const withArrivals = (watch: EndWatch): EndWatch =>
  watch.untilMs === null || watch.departure === null
    ? watch
    : { ...watch, arrivals: [...watch.arrivals, watch.departure] };

/**
 * Up to when fixes may be shown before an end is judged, Unix ms: none of them can turn out to be later than the end. An
 * arrival ends with its first fix inside, and a departure with the last one inside, but each is judged some fixes later.
 * Late fixes at a site of an end hold back what is newer until they are judged. Those that come after newer fixes were
 * shown may show that the end was earlier.
 */
export const toHorizonMs = (watches: readonly EndWatch[], followed: Followed): number =>
  Math.min(
    Infinity,
    ...watches.map((watch) =>
      Math.min(toArrivalMs(withArrivals(watch), followed), toDepartureMs(watch, followed), toLateMs(watch)),
    ),
  );

/** How a unit is shown: the newest row that may be, and its status as of then; null: no fix may be. */
export interface ShownRow {
  position: SeenRow;
  status: SeenRow;
  /** As of then, Unix ms: what became known later is not shown. */
  asOfMs: number;
}

/** What of a unit may be shown, Unix ms. */
export interface ShownPart {
  /** Fixes in [fromMs, toMs]. */
  fromMs: number;
  toMs: number;
  /** Nothing from a fix on that is later. */
  horizonMs: number;
  /** What was known by then. */
  momentMs: number;
  /** Sites about whose edges a position must be sure. */
  sites: readonly Site[];
}

/** The newest row of a unit that may be shown; null: none. */
export const pickRow = (
  rows: readonly SeenRow[],
  { fromMs, toMs, horizonMs, momentMs, sites }: ShownPart,
): ShownRow | null => {
  const hidden = rows.find(({ fixMs }) => fixMs > horizonMs);
  const untilMs = Math.min(momentMs, (hidden?.seenMs ?? Infinity) - 1);
  const position = rows.findLast(
    (row) => row.seenMs <= untilMs && row.fixMs >= fromMs && row.fixMs <= toMs && isSure(row, sites),
  );
  if (!position) return null;
  // A newer fix that is not shown, as one in doubt, shows nothing else either.
  const next = rows.find(({ seenMs, fixMs }) => seenMs > position.seenMs && fixMs > position.fixMs);
  const asOfMs = Math.min(untilMs, (next?.seenMs ?? Infinity) - 1);
  return { position, status: rows.findLast(({ seenMs }) => seenMs <= asOfMs)!, asOfMs };
};
