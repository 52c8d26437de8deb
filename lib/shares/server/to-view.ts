import 'server-only';
import lookUpZone from '@photostructure/tz-lookup';
import { isGraded } from '@/lib/arrivals/grades';
import { toArrival } from '@/lib/arrivals/interval';
import { toVerdict, type JudgedStop, type StopVisit } from '@/lib/arrivals/load';
import type { Load } from '@/lib/loads/load';
import { STATUSES } from '@/lib/motion/status';
import type { LoadWindow } from '@/lib/rules/load-watch';
import { pickRow, type SeenRow, type ShownRow } from '@/lib/rules/held-back';
import { distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { NOT_DERIVED } from '@/lib/wire/fleet';
import { roundLeftM, type TakenPosition } from '../blur';
import { AREA_RADIUS_M } from '../schema';
import type { SharedItem, SharedStop, SharedWindow, ShareView } from '../view';
import type { ItemFacts, Snapshot } from './snapshot';
import type { ItemRow, ShareRow } from './share-rows';

/** Where nothing says which clock is meant. */
const USUAL_ZONE = 'America/Chicago';

const NOTHING_SHOWN = {
  ...{ truckNumber: null, driver: null, vin: null, plate: null, position: null, status: null },
  ...{ speedKph: null, headingDeg: null, next: null, window: null, leftM: null, verdict: null },
  ...{ stops: [], trail: [], endedMs: null },
} as const satisfies Partial<SharedItem>;

/** What is shown of an item. */
interface Shown {
  share: ShareRow;
  facts: ItemFacts;
  row: ShownRow | null;
  /** As of when, Unix ms. */
  asOfMs: number;
  /** What is shown where it is blurred; null: nothing was taken. */
  taken: TakenPosition | null;
}

/** What a view needs besides its snapshot, by the places of items. */
export interface ShownParts {
  /** The rows of a delayed link at its moment, which the snapshot does not have; null: none. */
  rows: ReadonlyMap<number, ShownRow | null> | null;
  taken: ReadonlyMap<number, TakenPosition>;
  trails: ReadonlyMap<number, readonly LatLng[]>;
}

const has = ({ fields }: ShareRow, field: ShareRow['fields'][number]): boolean => fields.includes(field);

const toTitle = ({ alias }: ItemRow, load: Load | null, number: string | null): string => {
  // A customer knows a load by its references; an alias is one of its truck.
  if (load === null) return alias || (number ?? '');
  return [load.reference, load.po, load.bol].filter((text) => text !== '').join(' · ');
};

/**
 * A stop as far as it was known, Unix ms: what its visit shows is left out until polls have found it, and where the maker of
 * the link does not see its truck.
 */
const toKnown = (
  { visit, isPassed }: JudgedStop,
  position: number,
  { facts: { found, horizonMs, trucks }, asOfMs }: Omit<Shown, 'taken'>,
): JudgedStop => {
  const isKnown = (kind: string, ms: number): boolean =>
    ms <= Math.min(asOfMs, horizonMs) &&
    found.every((each) => each.kind !== kind || each.position !== position || each.seenMs <= asOfMs);
  const isSeen = trucks.some(({ unit }) => unit === visit?.unit);
  if (visit === null || !isSeen || !isKnown('arrived', visit.arrivedMs))
    return { visit: null, isPassed: isPassed && isKnown('passed', 0) };
  const hasLeft = visit.leftMs !== null && isKnown('left', visit.leftMs);
  return { visit: hasLeft ? visit : { ...visit, leftMs: null, leftByMs: null }, isPassed };
};

/** When a stop was left, as far as its truck had the load and the fixes about that may be shown, Unix ms. */
const toLeft = (
  { unit, arrivedMs, leftMs, leftByMs }: StopVisit,
  { facts: { load, horizonMs }, asOfMs }: Omit<Shown, 'taken'>,
): SharedStop['left'] => {
  if (leftMs === null) return null;
  const had = load!.trucks.findLast(
    (truck) => truck.unit === unit && truck.fromMs <= Math.max(arrivedMs, leftMs),
  );
  const untilMs = Math.min(had?.toMs ?? Infinity, horizonMs, asOfMs);
  const isSeen = leftByMs !== null && leftByMs <= untilMs;
  return { afterMs: Math.min(leftMs, untilMs), byMs: isSeen ? leftByMs : null };
};

const toStop = (
  load: Load,
  position: number,
  { visit, isPassed }: JudgedStop,
  shown: Omit<Shown, 'taken'>,
): SharedStop => {
  const { kind, name, lat, lng, timeZone, appointment } = load.stops[position]!;
  return {
    ...{ kind, name, lat, lng, timeZone, appointment, isPassed },
    arrived: visit && toArrival(visit),
    left: visit && toLeft(visit, shown),
  };
};

/** The stop that is next by what is known; null: none. */
const toNext = (known: readonly JudgedStop[]): number | null => {
  const last = known.findLastIndex(({ visit }) => visit !== null);
  if (last < 0) return 0;
  const next = known[last]!.visit!.leftMs === null ? last : last + 1;
  return next < known.length ? next : null;
};

/** What is known of a load's stops, the next of them, and when its truck is there. */
export const toKnownWay = (shown: Omit<Shown, 'taken'>) => {
  const { facts, row, asOfMs } = shown;
  const { load, windows, truck } = facts;
  if (load === null) return null;
  const known = load.judged.map((stop, position) => toKnown(stop, position, shown));
  const next = toNext(known);
  const arrival = next === null ? null : known[next]!.visit;
  const window =
    row === null || next === null || arrival !== null
      ? null
      : (windows.findLast(
          ({ position, unit, fixAtMs, shownMs }) =>
            position === next && unit === truck?.unit && fixAtMs <= row.position.fixMs && shownMs <= asOfMs,
        ) ?? null);
  return { load, known, next, arrival, window };
};

/** A window as a link shows it. */
export const toSharedWindow = (
  window: Pick<LoadWindow, 'fromMs' | 'toMs' | 'grades'> | null,
): SharedWindow | null => window && { fromMs: window.fromMs, toMs: window.toMs, isGraded: isGraded(window) };

/** What is shown of a load's way as of a moment, Unix ms: its stops, the next one and when the truck is there. */
const toWay = (
  shown: Shown,
  momentMs: number,
): Pick<SharedItem, 'next' | 'window' | 'leftM' | 'verdict' | 'stops'> => {
  const { share, taken, asOfMs } = shown;
  const way = has(share, 'window') || has(share, 'stops') ? toKnownWay(shown) : null;
  if (way === null) return { next: null, window: null, leftM: null, verdict: null, stops: [] };
  const { load, known, next, arrival } = way;
  const stops = known.map((stop, position) => toStop(load, position, stop, shown));
  const arriving = { window: null, leftM: null, verdict: null } as Pick<
    SharedItem,
    'window' | 'leftM' | 'verdict'
  >;
  if (has(share, 'window') && next !== null) {
    const isExact = share.precision === 'exact';
    const isOnWay = !isExact && arrival === null;
    const window = isExact
      ? toSharedWindow(way.window)
      : isOnWay && taken?.next === next
        ? taken.window
        : null;
    Object.assign(arriving, {
      window,
      leftM: isExact
        ? (way.window?.distM ?? null)
        : taken && isOnWay
          ? roundLeftM(distanceM(taken, load.stops[next]!))
          : null,
      // By what is shown, so that it says no more.
      verdict: toVerdict(load.stops[next]!, arrival, window, isExact ? asOfMs : momentMs),
    });
  }
  if (has(share, 'stops')) return { ...arriving, next, stops };
  // A window says where its truck arrives.
  return { ...arriving, next: next === null ? null : 0, stops: next === null ? [] : [stops[next]!] };
};

const toPosition = ({ share: { precision }, row, taken }: Shown): SharedItem['position'] => {
  if (row === null) return null;
  if (precision === 'exact') {
    const { lat, lng, fixMs } = row.position;
    return { lat, lng, precision, radiusM: 0, fixAtMs: fixMs };
  }
  return (
    taken && { lat: taken.lat, lng: taken.lng, precision, radiusM: AREA_RADIUS_M, fixAtMs: taken.fixAtMs }
  );
};

/** What a truck did at its fix that is shown. */
export const toStatus = (
  { position: { fixMs }, status: { status, sinceMs } }: ShownRow,
  { load, truck }: ItemFacts,
): NonNullable<SharedItem['status']> => {
  // A truck is late since a time at which it was not seen: what is shown ends with its fix.
  const isOfTruck = sinceMs !== null && sinceMs <= fixMs && sinceMs >= (load ? truck!.fromMs : 0);
  return { status: STATUSES[status] ?? 'unknown', sinceMs: isOfTruck ? sinceMs : null };
};

const toMotion = (shown: Shown): Pick<SharedItem, 'position' | 'status' | 'speedKph' | 'headingDeg'> => {
  const { share, facts, row, taken } = shown;
  if (row === null) return { position: null, status: null, speedKph: null, headingDeg: null };
  const { speedKph, headingDeg } = row.position;
  const isExact = share.precision === 'exact';
  const isDirected = isExact && has(share, 'heading');
  const status = isExact ? toStatus(row, facts) : (taken?.status ?? null);
  return {
    position: toPosition(shown),
    status: has(share, 'status') ? status : null,
    speedKph: isDirected && speedKph !== NOT_DERIVED ? speedKph : null,
    headingDeg: isDirected && headingDeg !== NOT_DERIVED ? headingDeg : null,
  };
};

/** The row that may be shown of an item's truck; null: none. */
export const toShownRow = (
  { momentMs, followed, share: { endsMs } }: Snapshot,
  { truck, load, horizonMs, sites }: ItemFacts,
  rows: readonly SeenRow[] = followed.rows.get(truck?.unit ?? '') ?? [],
): ShownRow | null =>
  truck &&
  pickRow(rows, {
    // A truck by itself is shown where it was before its link was made.
    fromMs: load === null ? 0 : truck.fromMs,
    toMs: Math.min(momentMs, truck.toMs - 1, endsMs ?? Infinity),
    ...{ horizonMs, momentMs, sites },
  });

/** What is stored as taken of the truck that an item is about; null: nothing is, or it is of the truck before. */
export const takenOf = ({ item: { taken }, truck }: ItemFacts): TakenPosition | null =>
  taken?.unit === truck?.unit ? taken : null;

const toItem = (snapshot: Snapshot, facts: ItemFacts, parts: ShownParts): SharedItem => {
  const { share, momentMs, names, drivers } = snapshot;
  const { item, load, truck } = facts;
  const row = parts.rows ? (parts.rows.get(item.position) ?? null) : toShownRow(snapshot, facts);
  const taken = takenOf({ ...facts, item: { ...item, taken: parts.taken.get(item.position) ?? null } });
  const shown = { share, facts, row, asOfMs: row?.asOfMs ?? momentMs, taken };
  const name = truck ? names.get(truck.unit) : undefined;
  const number = has(share, 'truckNumber') ? (name?.truckNumber ?? null) : null;
  const driver = has(share, 'driver') ? (drivers.get(truck?.unit ?? '') ?? '') : '';
  const plate = [name?.plateState, name?.plateNumber].filter(Boolean).join(' ');
  return {
    ...NOTHING_SHOWN,
    kind: load === null ? 'truck' : 'load',
    title: toTitle(item, load, number),
    truckNumber: item.alias || number,
    driver: driver.split(/\s+/)[0] || null,
    vin: has(share, 'vin') ? (name?.vin ?? null) : null,
    plate: has(share, 'plate') ? plate || null : null,
    ...toMotion(shown),
    ...toWay(shown, momentMs),
    trail: (row && parts.trails.get(item.position)) ?? [],
  };
};

/** An item that has ended is named, so that it can be told from the others, and nothing else of it is shown. */
const toEndedItem = ({ endedNames, share }: Snapshot, item: ItemRow): SharedItem => {
  const { reference = null, number = null } = endedNames.get(item.position) ?? {};
  const { unit, alias, endedMs } = item;
  const own = alias || (has(share, 'truckNumber') ? number : null);
  return {
    ...NOTHING_SHOWN,
    kind: unit === null ? 'load' : 'truck',
    title: (unit === null ? reference : own) ?? '',
    endedMs,
  };
};

/** What ends a link, for its page to say. */
const toEnd = ({ share, facts, endSite }: Snapshot): ShareView['end'] => {
  const { endsMs, endsOn, endsAtStop } = share;
  const stops = facts.find(({ load }) => load !== null)?.load?.stops ?? [];
  const stop = facts.length === 1 ? stops[Math.min(endsAtStop ?? Infinity, stops.length - 1)] : undefined;
  return { endsMs, on: endsOn, at: endsOn === null ? null : (endSite?.name ?? stop?.name ?? null) };
};

/** The zone whose clock is read at the next stop that is shown, or where the truck is. */
const toZone = (items: readonly SharedItem[]): string => {
  const item = items.find(({ endedMs }) => endedMs === null);
  if (!item) return USUAL_ZONE;
  const { next, stops, position } = item;
  const stop = next === null ? stops.at(-1) : stops[next];
  return stop?.timeZone ?? (position ? lookUpZone(position.lat, position.lng) : USUAL_ZONE);
};

/** What a link shows by a snapshot. */
export const toView = (snapshot: Snapshot, parts: ShownParts, carrier: string): ShareView => {
  const { share, nowMs, facts } = snapshot;
  const items = share.items.map((row) => {
    const of = facts.find(({ item }) => item.position === row.position);
    return of ? toItem(snapshot, of, parts) : toEndedItem(snapshot, row);
  });
  return {
    carrier,
    nowMs,
    delayMin: share.delayMin,
    items,
    end: toEnd(snapshot),
    timeZone: toZone(items),
    frameOrigins: share.frameOrigins,
  };
};
