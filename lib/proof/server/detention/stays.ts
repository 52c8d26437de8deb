import 'server-only';
import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { partsOf, type JudgedStop, type StopVisit } from '@/lib/arrivals/load';
import { AppError } from '@/lib/base/http/problems';
import type { TimeRange } from '@/lib/base/time';
import type { Executor } from '@/lib/database/database';
import type { Load } from '@/lib/loads/load';
import { readLoads } from '@/lib/loads/server/loads';
import type { Stay } from '../../evidence';
import type { StayRef } from '../../detention';
import type { StayTimes } from '@/lib/rules/sure-stay';

/** A stay of a truck that has ended, and the stop of the load that it was for. */
export interface FoundStay extends Stay {
  unit: string;
  siteId: number;
  load: Load | null;
  position: number | null;
  /** The stays of the trucks that had the load at the stop before. */
  earlier: readonly StopVisit[];
}

/** The first stay of a truck at a stop that is meant and touches a range, and those of the trucks before it; null: there is none. */
const findPart = (stop: JudgedStop, isMeant: (unit: string) => boolean, { fromMs, toMs }: TimeRange) => {
  const parts = partsOf(stop);
  const index = parts.findIndex(
    (part) =>
      isMeant(part.unit) &&
      part.arrivedMs <= toMs &&
      Math.max(part.arrivedMs, part.leftMs ?? Infinity) >= fromMs,
  );
  return index < 0 ? null : { part: parts[index]!, earlier: parts.slice(0, index) };
};

interface VisitRow extends Omit<Stay, 'leftMs'> {
  leftMs: number | null;
}

/** The times of some visits as text, and how long their trucks were away, which late fixes may show where they move no end. */
export const BASIS = sql`string_agg(concat_ws(' ', coalesce(arrived_after_ms, -1), arrived_ms, coalesce(left_ms, -1), coalesce(left_by_ms, -1), nullif(away_ms, 0)), ',' ORDER BY arrived_ms)`;

/** The visit of a truck to a site at a time, as it is known now; null: there is none. */
const readVisit = async (
  orm: Executor,
  usdot: string,
  { unit, siteId, atMs }: { unit: string; siteId: number; atMs: number },
): Promise<VisitRow | null> => {
  const { rows } = await orm.execute<VisitRow & Record<string, unknown>>(sql`
    SELECT arrived_after_ms::float8 AS "arrivedAfterMs", arrived_ms::float8 AS "arrivedMs",
      left_ms::float8 AS "leftMs", left_by_ms::float8 AS "leftByMs"
    FROM linehaul.site_visits
    WHERE usdot = ${usdot} AND site_id = ${siteId} AND unit = ${unit}
      AND arrived_ms <= ${atMs} AND (left_ms IS NULL OR greatest(left_ms, arrived_ms) >= ${atMs})
    ORDER BY arrived_ms DESC LIMIT 1`);
  return rows[0] ?? null;
};

/** Ids of the loads with a stop at a site that a truck had around a time. */
const listLoadIds = async (
  orm: Executor,
  usdot: string,
  { unit, siteId, fromMs, toMs }: { unit: string; siteId: number; fromMs: number; toMs: number },
): Promise<number[]> => {
  const { rows } = await orm.execute<{ id: number }>(sql`
    SELECT DISTINCT l.id::float8 AS id FROM linehaul.loads l
    JOIN linehaul.load_stops s ON s.load_id = l.id AND s.site_id = ${siteId}
    JOIN linehaul.load_trucks t ON t.load_id = l.id AND t.unit = ${unit}
      AND t.from_ms <= ${toMs} AND (t.to_ms IS NULL OR t.to_ms >= ${fromMs})
    WHERE l.usdot = ${usdot}`);
  return rows.map(({ id }) => id);
};

/** The stop of a load that a visit was for, also where its truck had the load for a part of it. */
const findStop = (loads: readonly Load[], siteId: number, unit: string, visit: TimeRange) => {
  for (const load of loads)
    for (const [position, stop] of load.judged.entries()) {
      const found =
        load.stops[position]?.siteId === siteId ? findPart(stop, (of) => of === unit, visit) : null;
      if (found) return { load, position, ...found };
    }
  return null;
};

/**
 * The stay that is meant, of a truck that has left. `seen`: the units that the viewer sees; null: all. Of others it is not even said
 * whether they were there. @throws AppError 'unknown-unit', 'unknown-load', 'unknown-visit', 'visit-lasts'
 */
export const findStay = async (
  { orm, pool }: { orm: Executor; pool: Pick<Pool, 'query'> },
  usdot: string,
  ref: StayRef,
  { seen, nowMs }: { seen: ReadonlySet<string> | null; nowMs: number },
): Promise<FoundStay> => {
  const isSeen = (unit: string): boolean => seen === null || seen.has(unit);
  if (ref.loadId != null && ref.position != null) {
    const [load] = await readLoads(pool, usdot, { endedAfterMs: 0, ids: [ref.loadId], nowMs });
    if (!load || (seen !== null && !load.trucks.some(({ unit }) => isSeen(unit))))
      throw new AppError('unknown-load');
    const [stop, judged] = [load.stops[ref.position], load.judged[ref.position]];
    const found =
      judged &&
      findPart(judged, (unit) => isSeen(unit) && (ref.unit == null || unit === ref.unit), {
        fromMs: ref.arrivedMs ?? -Infinity,
        toMs: ref.arrivedMs ?? Infinity,
      });
    if (!stop || !found || stop.siteId === null) throw new AppError('unknown-visit');
    const { part, earlier } = found;
    if (part.leftMs === null) throw new AppError('visit-lasts');
    const { unit, arrivedAfterMs, arrivedMs, leftMs, leftByMs } = part;
    return {
      ...{ unit, siteId: stop.siteId, load, position: ref.position, earlier },
      ...{ arrivedAfterMs, arrivedMs, leftMs, leftByMs },
    };
  }
  const { unit, siteId, arrivedMs: atMs } = ref as { unit: string; siteId: number; arrivedMs: number };
  if (!isSeen(unit)) throw new AppError('unknown-unit');
  const visit = await readVisit(orm, usdot, { unit, siteId, atMs });
  if (visit === null) throw new AppError('unknown-visit');
  if (visit.leftMs === null) throw new AppError('visit-lasts');
  const { leftMs } = visit;
  const ids = await listLoadIds(orm, usdot, { unit, siteId, fromMs: visit.arrivedMs, toMs: leftMs });
  const loads = ids.length === 0 ? [] : await readLoads(pool, usdot, { endedAfterMs: 0, ids, nowMs });
  const found = findStop(loads, siteId, unit, { fromMs: visit.arrivedMs, toMs: leftMs });
  const judged = found?.part;
  // A stop of a load may be several visits, of which the last one lasts.
  if (judged && judged.leftMs === null) throw new AppError('visit-lasts');
  const { arrivedAfterMs, arrivedMs, leftByMs } = judged ?? visit;
  return {
    ...{ unit, siteId, load: found?.load ?? null, position: found?.position ?? null },
    earlier: found?.earlier ?? [],
    ...{ arrivedAfterMs, arrivedMs, leftMs: judged?.leftMs ?? leftMs, leftByMs },
  };
};

/** The visits that a stay is of, and their times as text, which changes with each of them. */
export const readBasis = async (
  orm: Executor,
  usdot: string,
  { unit, siteId, arrivedMs, leftMs }: Pick<FoundStay, 'unit' | 'siteId' | 'arrivedMs' | 'leftMs'>,
): Promise<{ basis: string; visits: StayTimes[] }> => {
  const { rows } = await orm.execute<{ basis: string | null; visits: StayTimes[] | null }>(sql`
    SELECT ${BASIS} AS basis, json_agg(json_build_object('arrivedAfterMs', arrived_after_ms, 'arrivedMs', arrived_ms,
      'leftMs', left_ms, 'leftByMs', left_by_ms) ORDER BY arrived_ms) AS visits
    FROM linehaul.site_visits
    WHERE usdot = ${usdot} AND site_id = ${siteId} AND unit = ${unit}
      AND arrived_ms <= ${leftMs} AND (left_ms IS NULL OR left_ms >= ${arrivedMs})`);
  return { basis: rows[0]?.basis ?? '', visits: rows[0]?.visits ?? [] };
};
