import 'server-only';
import { setImmediate as breathe } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { toFlagMask, STATUSES } from '@/lib/motion/status';
import type { LatLng } from '@/lib/geo/units';
import { clusterStops, type Stops } from '../cluster-stops';
import { SiteIndex, outsideM } from '@/lib/rules/geofence';
import type { Site } from '@/lib/rules/site';
import { LEAST_STOP_MIN, SUGGESTION_DAYS, type Suggestions } from '../answers';
import { DAY_MS, HOUR_MS } from '@/lib/base/time';
import { getOrMake, getOrRead } from '@/lib/base/maps';

/** More recorded states take too long to read: of a larger fleet fewer days are read. */
const MOST_STATES = 40_000_000;
const MOST_PLACES = 100;
const KEPT_MS = 10 * 60_000;
const FLEETS_KEPT = 4;

const STOPPED = STATUSES.indexOf('stopped');
const DOUBTFUL = toFlagMask(['clockFault', 'impossibleJump', 'implausiblePosition', 'frozenPosition']);
/** A coarser position tells no place, m. */
const MOST_COARSE_M = 100;

interface RecordedStops {
  fromMs: number;
  toMs: number;
  stops: Stops;
}

/** A fleet's stops, by unit and "since"; one lasts until the unit's next state, or an hour, as states are recorded hourly. */
const toQuery = (from: string, toMs: number): string => `
  SELECT dense_rank() OVER (ORDER BY unit)::DOUBLE, lat_e5::DOUBLE / 1e5, lng_e5::DOUBLE / 1e5, lasted_s::DOUBLE FROM (
    SELECT unit, median(lat_e5) AS lat_e5, median(lng_e5) AS lng_e5, max(until_ms) // 1000 - since_s AS lasted_s FROM (
      SELECT unit, status, since_s, lat_e5, lng_e5, flags, coarse_m,
        least(lead(seen_ms) OVER (PARTITION BY unit ORDER BY seen_ms), seen_ms + ${HOUR_MS}, ${toMs}) AS until_ms
      FROM ${from}
    )
    WHERE status = ${STOPPED} AND since_s > 0 AND lat_e5 IS NOT NULL AND flags & ${DOUBTFUL} = 0 AND coarse_m <= ${MOST_COARSE_M}
    GROUP BY unit, since_s
  ) WHERE lasted_s >= ${LEAST_STOP_MIN * 60}`;

/** The days whose states can be read: SUGGESTION_DAYS, or fewer of a very large fleet. */
const toRange = async (
  reader: Pick<HistoryReader, 'countStates'>,
  usdot: string,
  toMs: number,
): Promise<{ fromMs: number; toMs: number }> => {
  const range = { fromMs: toMs - SUGGESTION_DAYS * DAY_MS, toMs };
  const count = await reader.countStates(usdot, range);
  const days = count <= MOST_STATES ? SUGGESTION_DAYS : Math.max(1, (SUGGESTION_DAYS * MOST_STATES) / count);
  return { fromMs: toMs - Math.floor(days) * DAY_MS, toMs };
};

type Reader = Pick<HistoryReader, 'countStates' | 'readStates'>;

const readStops = async (reader: Reader, usdot: string, nowMs: number): Promise<RecordedStops> => {
  const range = await toRange(reader, usdot, nowMs);
  const columns = await reader.readStates(usdot, range, ({ duck, from }) =>
    duck.readNumbers(toQuery(from, nowMs)),
  );
  const [unit, lat, lng, lastedS] = columns ?? [];
  const none = new Float64Array(0);
  return {
    ...range,
    stops: { unit: unit ?? none, lat: lat ?? none, lng: lng ?? none, lastedS: lastedS ?? none },
  };
};

/** Read once for some minutes, in which people take up one suggestion after another. */
const held = new WeakMap<Reader, LRUCache<string, Promise<RecordedStops>>>();

const readHeldStops = (reader: Reader, usdot: string, nowMs: number): Promise<RecordedStops> => {
  const cache = getOrMake(held, reader, () => new LRUCache({ max: FLEETS_KEPT, ttl: KEPT_MS }));
  return getOrRead(cache, usdot, () => readStops(reader, usdot, nowMs));
};

const createIsOutside = (sites: readonly Site[]): ((at: LatLng) => boolean) => {
  const index = new SiteIndex(sites);
  return (at) =>
    !index.near(at).some((each) => {
      const { shape, marginM } = sites[each]!;
      return outsideM(shape, at) <= marginM;
    });
};

/** Places where the units of a fleet stopped often, and that are none of its sites. */
export const suggestSites = async (
  reader: Reader,
  usdot: string,
  sites: readonly Site[],
  nowMs: number,
): Promise<Suggestions> => {
  const { stops, ...range } = await readHeldStops(reader, usdot, nowMs);
  const found = await clusterStops(stops, createIsOutside(sites), () => breathe());
  return { ...range, stops: found.stops, places: found.places.slice(0, MOST_PLACES) };
};
