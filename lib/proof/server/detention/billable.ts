import 'server-only';
import { sql } from 'drizzle-orm';
import { readSeenUnits } from '@/lib/access/unit-limit';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { toArrival, toDeparture } from '@/lib/arrivals/interval';
import type { Executor } from '@/lib/database/database';
import type { Load } from '@/lib/loads/load';
import { readLoads, toSitePosition } from '@/lib/loads/server/loads';
import type { SiteShape } from '@/lib/rules/site';
import { nameAmong } from '@/lib/view/unit-name';
import type { BillableStay, BillableStays, Missing } from '../../detention';
import { CLOCK_MS, findTerms, toBilling, type KeptTerms } from '../../terms';
import type { DetentionContext } from './statements';
import { readTerms } from './terms';

/** Stays that ended longer ago are not listed: invoices are sent within days. */
const LISTED_MS = 90 * DAY_MS;
/** A stay without terms is listed from so long on. */
const LONG_MS = 2 * HOUR_MS;
const MOST_LISTED = 500;
const MOST_LOADS = 5000;

type Candidate = Omit<BillableStay, 'name' | 'billableMin' | 'amountCents' | 'missing'> &
  Pick<Load['stops'][number], 'appointment' | 'freeMin'>;

const toCandidates = (load: Load): Candidate[] =>
  load.judged.flatMap(({ visit }, position) => {
    const stop = load.stops[position];
    if (!visit || visit.leftMs === null || !stop || stop.siteId === null) return [];
    const { unit, arrivedAfterMs, arrivedMs, leftMs, leftByMs } = visit;
    const { name, timeZone, appointment, freeMin } = stop;
    return {
      ...{ unit, siteId: stop.siteId, siteName: name, timeZone, loadId: load.id, position },
      ...{ reference: load.reference, customer: load.customer, appointment, freeMin },
      ...{ arrivedAfterMs, arrivedMs, leftMs, leftByMs },
    };
  });

interface VisitRow extends Record<string, unknown> {
  unit: string;
  siteId: number;
  siteName: string;
  shape: SiteShape;
  arrivedAfterMs: number | null;
  arrivedMs: number;
  leftMs: number;
  leftByMs: number | null;
}

/** Visits to sites with terms of their own, which may be for no load. */
const readVisits = async (orm: Executor, usdot: string, fromMs: number): Promise<Candidate[]> => {
  const { rows } = await orm.execute<VisitRow>(sql`
    SELECT v.unit, v.site_id AS "siteId", s.name AS "siteName", s.shape, v.arrived_after_ms::float8 AS "arrivedAfterMs",
      v.arrived_ms::float8 AS "arrivedMs", v.left_ms::float8 AS "leftMs", v.left_by_ms::float8 AS "leftByMs"
    FROM linehaul.site_visits v
    JOIN linehaul.detention_terms t ON t.usdot = v.usdot AND t.site_id = v.site_id
    JOIN linehaul.sites s ON s.id = v.site_id AND NOT s.is_of_load
    WHERE v.usdot = ${usdot} AND v.left_ms >= ${fromMs} AND v.left_ms - v.arrived_ms > t.free_min * 60000
    ORDER BY v.arrived_ms LIMIT ${MOST_LISTED}`);
  return rows.map(({ shape, ...visit }) => ({
    ...{ ...visit, timeZone: toSitePosition(shape).timeZone, loadId: null, position: null },
    ...{ reference: '', customer: '', appointment: null, freeMin: null },
  }));
};

/** Ids of the loads of which a truck was at a stop for longer than is free there by any terms. */
const listLoadIds = async (
  orm: Executor,
  usdot: string,
  { fromMs, terms }: { fromMs: number; terms: readonly KeptTerms[] },
): Promise<number[]> => {
  const leastMin = Math.min(LONG_MS / MINUTE_MS, ...terms.map(({ freeMin }) => freeMin));
  const { rows } = await orm.execute<{ id: number }>(sql`
    SELECT DISTINCT l.id::float8 AS id FROM linehaul.site_visits v
    JOIN linehaul.load_stops s ON s.site_id = v.site_id
    JOIN linehaul.loads l ON l.id = s.load_id AND l.usdot = v.usdot
    JOIN linehaul.load_trucks t ON t.load_id = l.id AND t.unit = v.unit
    WHERE v.usdot = ${usdot} AND v.left_ms >= ${fromMs}
      AND v.left_ms - v.arrived_ms > least(s.free_min, ${leastMin}::int4) * 60000::int8
    LIMIT ${MOST_LOADS}`);
  return rows.map(({ id }) => id);
};

const areOne = (
  a: Pick<Candidate, 'unit' | 'siteId' | 'arrivedMs' | 'leftMs'>,
  b: Pick<Candidate, 'unit' | 'siteId' | 'arrivedMs' | 'leftMs'>,
): boolean =>
  a.unit === b.unit && a.siteId === b.siteId && a.arrivedMs <= b.leftMs && a.leftMs >= b.arrivedMs;

/** What may be billed of a stay by its visit alone, and what is missing; null: nothing. */
const judge = (stay: Candidate, terms: readonly KeptTerms[]): Omit<BillableStay, 'name'> | null => {
  const { appointment, freeMin, ...listed } = stay;
  const { arrivedAfterMs, arrivedMs, leftMs, leftByMs, customer, siteId, loadId } = stay;
  const found = findTerms(terms, { customer, siteId, loadId, freeMin });
  const billing =
    found &&
    toBilling(
      { fromMs: arrivedMs, toMs: Math.max(arrivedMs, leftMs - CLOCK_MS), away: [] },
      { arrival: toArrival(stay), departure: toDeparture(stay)! },
      found,
      appointment,
    );
  if (billing ? billing.billableMin === 0 : leftMs - arrivedMs < LONG_MS) return null;
  const missing: [Missing, boolean][] = [
    ['terms', found === null],
    ['departure', leftByMs === null],
    ['arrival', arrivedAfterMs === null],
    ['appointment', found?.countedFrom === 'appointment' && loadId !== null && appointment === null],
    ['customer', customer === ''],
  ];
  return {
    ...listed,
    billableMin: billing?.billableMin ?? null,
    amountCents: billing?.amountCents ?? null,
    missing: missing.flatMap(([what, isMissing]) => (isMissing ? what : [])),
  };
};

/** Stays without a statement that went beyond free time, the oldest first, with what is missing for one. */
export const listBillable = async (
  { database, history, viewer, clock }: Pick<DetentionContext, 'database' | 'history' | 'viewer' | 'clock'>,
  usdot: string,
): Promise<BillableStays> => {
  const { orm, pool } = await database.open();
  const nowMs = clock.nowMs();
  const fromMs = nowMs - LISTED_MS;
  const terms = await readTerms(orm, usdot);
  const ids = await listLoadIds(orm, usdot, { fromMs, terms });
  const loads = ids.length === 0 ? [] : await readLoads(pool, usdot, { endedAfterMs: 0, ids, nowMs });
  const ofLoads = loads.flatMap(toCandidates);
  const visits = await readVisits(orm, usdot, fromMs);
  const { rows: billed } = await orm.execute<
    Pick<Candidate, 'unit' | 'siteId' | 'arrivedMs' | 'leftMs'> & Record<string, unknown>
  >(
    sql`SELECT unit, site_id AS "siteId", arrived_ms::float8 AS "arrivedMs", left_ms::float8 AS "leftMs"
      FROM linehaul.detention_statements WHERE usdot = ${usdot} AND left_ms >= ${fromMs}`,
  );
  const seen = await readSeenUnits(database, viewer, usdot);
  const all = [...ofLoads, ...visits.filter((visit) => !ofLoads.some((stay) => areOne(stay, visit)))];
  const stays = all
    .filter(({ unit, leftMs }) => leftMs >= fromMs && (seen === null || seen.has(unit)))
    .filter((stay) => !billed.some((each) => areOne(each, stay)))
    .flatMap((stay) => judge(stay, terms) ?? [])
    .sort((a, b) => a.arrivedMs - b.arrivedMs);
  const listed = stays.slice(0, MOST_LISTED);
  const names =
    (await history?.reader.readNames(usdot, [...new Set(listed.map(({ unit }) => unit))])) ?? new Map();
  return {
    nowMs,
    stays: listed.map((stay) => ({ ...stay, name: nameAmong(names, stay.unit) })),
    hasMore: stays.length > listed.length,
  };
};
