import 'server-only';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { readSeenUnits } from '@/lib/access/unit-limit';
import { change } from '@/lib/audit/audit';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { sumMs, toInside, type SureStay } from '@/lib/arrivals/sure';
import { toArrival, toDeparture } from '@/lib/arrivals/interval';
import { partsOf } from '@/lib/arrivals/load';
import type { Executor } from '@/lib/database/database';
import type { Load } from '@/lib/loads/load';
import { readLoads, toSitePosition } from '@/lib/loads/server/loads';
import type { SiteKind, SiteShape } from '@/lib/rules/site';
import { sites } from '@/lib/sites/server/tables';
import { countVisits } from '@/lib/sites/server/visit-counts';
import { nameAmong } from '@/lib/view/unit-name';
import type { BillableList, BillableStay, BillableStays, Dismissal, Missing } from '../../detention';
import { findTerms, toBilling, toEarlier, type KeptTerms } from '../../terms';
import type { DetentionContext } from './statements';
import { findStay } from './stays';
import { detentionDismissals } from './tables';
import { readTerms } from './terms';

/** Stays that ended longer ago are not listed: invoices are sent within days. */
const LISTED_MS = 90 * DAY_MS;
/** A stay without terms is listed from so long on. */
const LONG_MS = 2 * HOUR_MS;
const MOST_LISTED = 500;
/** Visits that a list counts itself; a job counts the others. */
const MOST_COUNTED = 20;
const MOST_READ = 5000;
/** No customer keeps a truck there. */
const OWN_PLACES: readonly SiteKind[] = ['yard', 'fuel', 'noGo'];

/** A stay that has ended and that was counted, which may be billed. */
type Candidate = Omit<BillableStay, 'name' | 'billableMin' | 'amountCents' | 'missing' | 'dismissed'> &
  Pick<Load['stops'][number], 'appointment' | 'freeMin'> & {
    sure: SureStay;
    /** Stays of the trucks that had the load at the stop before. */
    earlier: readonly SureStay[];
  };

const toCandidates = (load: Load): Candidate[] =>
  load.judged.flatMap((judged, position) => {
    const stop = load.stops[position];
    const parts = partsOf(judged);
    return parts.flatMap(({ unit, arrivedAfterMs, arrivedMs, leftMs, leftByMs, sure }, i) => {
      if (leftMs === null || !sure || !stop || stop.siteId === null) return [];
      const { name, timeZone, appointment, freeMin } = stop;
      return {
        ...{ unit, siteId: stop.siteId, siteName: name, timeZone, loadId: load.id, position },
        ...{ reference: load.reference, customer: load.customer, appointment, freeMin },
        ...{ arrivedAfterMs, arrivedMs, leftMs, leftByMs, sure },
        earlier: parts.slice(0, i).flatMap((part) => part.sure ?? []),
      };
    });
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
  sure: SureStay;
}

/** Visits to sites with terms of their own, which may be for no load. */
const readVisits = async (orm: Executor, usdot: string, fromMs: number): Promise<Candidate[]> => {
  const { rows } = await orm.execute<VisitRow>(sql`
    SELECT v.unit, v.site_id AS "siteId", s.name AS "siteName", s.shape, v.arrived_after_ms::float8 AS "arrivedAfterMs",
      v.arrived_ms::float8 AS "arrivedMs", v.left_ms::float8 AS "leftMs", v.left_by_ms::float8 AS "leftByMs", v.sure
    FROM linehaul.site_visits v
    JOIN linehaul.detention_terms t ON t.usdot = v.usdot AND t.site_id = v.site_id
    JOIN linehaul.sites s ON s.id = v.site_id AND NOT s.is_of_load
    WHERE v.usdot = ${usdot} AND v.left_ms >= ${fromMs} AND v.sure IS NOT NULL
      AND v.left_ms - v.arrived_ms - v.away_ms > t.free_min * 60000
      AND NOT EXISTS (
        SELECT FROM linehaul.detention_statements d
        WHERE d.usdot = v.usdot AND d.unit = v.unit AND d.site_id = v.site_id
          AND d.arrived_ms <= v.left_ms AND d.left_ms >= v.arrived_ms)
    ORDER BY v.arrived_ms LIMIT ${MOST_READ}`);
  return rows.map(({ shape, ...visit }) => ({
    ...{ ...visit, timeZone: toSitePosition(shape).timeZone, loadId: null, position: null },
    ...{ reference: '', customer: '', appointment: null, freeMin: null, earlier: [] },
  }));
};

/** Ids of the loads of which trucks were at a stop for longer than is free there by any terms. */
const listLoadIds = async (
  orm: Executor,
  usdot: string,
  { fromMs, terms }: { fromMs: number; terms: readonly KeptTerms[] },
): Promise<number[]> => {
  const leastMin = Math.min(LONG_MS / MINUTE_MS, ...terms.map(({ freeMin }) => freeMin));
  const { rows } = await orm.execute<{ id: number }>(sql`
    SELECT l.id::float8 AS id FROM linehaul.site_visits v
    JOIN linehaul.load_stops s ON s.site_id = v.site_id
    JOIN linehaul.loads l ON l.id = s.load_id AND l.usdot = v.usdot
    JOIN linehaul.load_trucks t ON t.load_id = l.id AND t.unit = v.unit
    WHERE v.usdot = ${usdot} AND v.left_ms >= ${fromMs}
    GROUP BY l.id HAVING sum(v.left_ms - v.arrived_ms - v.away_ms) > min(least(s.free_min, ${leastMin}::int4)) * 60000::int8
    LIMIT ${MOST_READ}`);
  return rows.map(({ id }) => id);
};

type StayKey = Pick<Candidate, 'unit' | 'siteId' | 'arrivedMs' | 'leftMs'>;

const areOne = (a: StayKey, b: StayKey): boolean =>
  a.unit === b.unit && a.siteId === b.siteId && a.arrivedMs <= b.leftMs && a.leftMs >= b.arrivedMs;

/** What a statement about a stay bills by what was counted of its visits, and what is missing; null: nothing. */
const judge = (
  stay: Candidate,
  terms: readonly KeptTerms[],
): Omit<BillableStay, 'name' | 'dismissed'> | null => {
  const { appointment, freeMin, sure, earlier, ...listed } = stay;
  const { arrivedAfterMs, leftByMs, customer, siteId, loadId } = stay;
  const found = findTerms(terms, { customer, siteId, loadId, freeMin });
  const billing =
    found &&
    toBilling(
      sure,
      { arrival: toArrival(stay), departure: toDeparture(stay)! },
      found,
      appointment,
      toEarlier(earlier, found, appointment),
    );
  if (billing ? billing.billableMin === 0 : sumMs(toInside(sure)) < LONG_MS) return null;
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

const readBilled = async (orm: Executor, usdot: string, fromMs: number): Promise<StayKey[]> =>
  (
    await orm.execute<StayKey & Record<string, unknown>>(sql`
      SELECT unit, site_id AS "siteId", arrived_ms::float8 AS "arrivedMs", left_ms::float8 AS "leftMs"
      FROM linehaul.detention_statements WHERE usdot = ${usdot} AND left_ms >= ${fromMs}`)
  ).rows;

type Dismissed = StayKey & NonNullable<BillableStay['dismissed']>;

const readDismissed = async (orm: Executor, usdot: string, fromMs: number): Promise<Dismissed[]> =>
  (
    await orm.execute<Dismissed & Record<string, unknown>>(sql`
      SELECT unit, site_id AS "siteId", arrived_ms::float8 AS "arrivedMs", left_ms::float8 AS "leftMs", made_by AS by,
        round(extract(epoch FROM made_at) * 1000)::float8 AS "atMs"
      FROM linehaul.detention_dismissals WHERE usdot = ${usdot} AND left_ms >= ${fromMs}`)
  ).rows;

/** The sites of a fleet that no customer keeps a truck at. */
const readOwnPlaces = async (orm: Executor, usdot: string): Promise<ReadonlySet<number>> => {
  const rows = await orm
    .select({ id: sites.id })
    .from(sites)
    .where(and(eq(sites.usdot, usdot), eq(sites.isOfLoad, false), inArray(sites.kind, [...OWN_PLACES])));
  return new Set(rows.map(({ id }) => id));
};

/**
 * Stays without a statement that went beyond free time, the oldest first, with what is missing for one: those to bill, those
 * that a user dismissed, or those at yards and fuel stops, and how many there are of each.
 */
export const listBillable = async (
  { database, history, viewer, clock }: Pick<DetentionContext, 'database' | 'history' | 'viewer' | 'clock'>,
  usdot: string,
  list: BillableList = 'open',
): Promise<BillableStays> => {
  const { orm, pool } = await database.open();
  const nowMs = clock.nowMs();
  const fromMs = nowMs - LISTED_MS;
  // Those that have just ended are not listed a little later.
  if (history !== null)
    await countVisits({ pool, reader: history.reader, nowMs }, { usdot, most: MOST_COUNTED });
  const terms = await readTerms(orm, usdot);
  const ids = await listLoadIds(orm, usdot, { fromMs, terms });
  const loads = ids.length === 0 ? [] : await readLoads(pool, usdot, { endedAfterMs: 0, ids, nowMs });
  const ofLoads = loads.flatMap(toCandidates);
  const visits = await readVisits(orm, usdot, fromMs);
  const billed = await readBilled(orm, usdot, fromMs);
  const allDismissed = await readDismissed(orm, usdot, fromMs);
  const ownPlaces = await readOwnPlaces(orm, usdot);
  const seen = await readSeenUnits(database, viewer, usdot);
  const all = [...ofLoads, ...visits.filter((visit) => !ofLoads.some((stay) => areOne(stay, visit)))];
  const stays: Record<BillableList, Omit<BillableStay, 'name'>[]> = {
    open: [],
    dismissed: [],
    ownPlaces: [],
  };
  for (const candidate of all) {
    if (candidate.leftMs < fromMs || seen?.has(candidate.unit) === false) continue;
    if (billed.some((each) => areOne(each, candidate))) continue;
    const stay = judge(candidate, terms);
    if (stay === null) continue;
    const found = allDismissed.find((each) => areOne(each, stay));
    const dismissed = found ? { by: found.by, atMs: found.atMs } : null;
    stays[dismissed ? 'dismissed' : ownPlaces.has(stay.siteId) ? 'ownPlaces' : 'open'].push({
      ...stay,
      dismissed,
    });
  }
  const listed = stays[list].sort((a, b) => a.arrivedMs - b.arrivedMs).slice(0, MOST_LISTED);
  const names =
    (await history?.reader.readNames(usdot, [...new Set(listed.map(({ unit }) => unit))])) ?? new Map();
  return {
    nowMs,
    stays: listed.map((stay) => ({ ...stay, name: nameAmong(names, stay.unit) })),
    hasMore: stays[list].length > listed.length,
    counts: {
      open: stays.open.length,
      dismissed: stays.dismissed.length,
      ownPlaces: stays.ownPlaces.length,
    },
  };
};

/** Chooses that a stay is not billed, or that it is after all. @throws as `findStay` does */
export const changeDismissal = async (
  context: Omit<DetentionContext, 'proof'>,
  usdot: string,
  { stay: ref, isDismissed }: Dismissal,
): Promise<void> => {
  const { database, viewer, clock } = context;
  const nowMs = clock.nowMs();
  const seen = await readSeenUnits(database, viewer, usdot);
  const { unit, siteId, arrivedMs, leftMs } = await findStay(await database.open(), usdot, ref, {
    seen,
    nowMs,
  });
  await change(
    context,
    isDismissed ? 'detention-visit.dismiss' : 'detention-visit.restore',
    async (tx, record) => {
      const { rowCount } = await tx.execute(
        isDismissed
          ? sql`INSERT INTO ${detentionDismissals} (usdot, unit, site_id, arrived_ms, left_ms, made_by, made_at)
            SELECT ${usdot}, ${unit}, id, ${arrivedMs}, ${leftMs}, ${viewer.email ?? viewer.name}, ${new Date(nowMs).toISOString()}
            FROM ${sites} WHERE id = ${siteId} AND usdot = ${usdot}
            ON CONFLICT DO NOTHING`
          : sql`DELETE FROM ${detentionDismissals} WHERE usdot = ${usdot} AND unit = ${unit} AND site_id = ${siteId}
            AND arrived_ms <= ${leftMs} AND left_ms >= ${arrivedMs}`,
      );
      if (rowCount !== 0) await record(unit, { usdot, unit, siteId, arrivedMs, leftMs });
    },
  );
};
