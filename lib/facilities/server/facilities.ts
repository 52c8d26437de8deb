import 'server-only';
import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { AppError } from '@/lib/base/http/problems';
import type { TimeRange } from '@/lib/base/time';
import { z } from '@/lib/base/zod';
import type { Executor } from '@/lib/database/database';
import { readLoads } from '@/lib/loads/server/loads';
import { reportSchema } from '@/lib/past/server/queries';
import { REPORT_PERIODS, type ReportPeriod } from '@/lib/reports/periods';
import { formatWhole } from '@/lib/view/format';
import {
  FACILITY_GROUPS,
  toFacilities,
  type Appointed,
  type Facilities,
  type FacilityGroup,
  type FacilityInput,
  type Stay,
} from '../facilities';
import { readBilled } from './billed';

/** More are more than an answer can be computed from at once. */
const MOST_VISITS = 200_000;

/** The query of a report, with what the figures are of, and how long the time of each is. */
export const facilitiesSchema = reportSchema.safeExtend({
  by: z.enum(FACILITY_GROUPS).default('site'),
  each: z.enum(REPORT_PERIODS).default('range'),
});

export interface FacilityQuery extends TimeRange {
  zone: string;
  by: FacilityGroup;
  each: ReportPeriod;
  /** The keys of the trucks; null: all. */
  chosen: ReadonlySet<string> | null;
}

export interface FacilityContext {
  pool: Pick<Pool, 'query'>;
  orm: Executor;
  nowMs: number;
}

const CUSTOMER_NOT_NAMED = 'No customer named';

/** Written in other letters it is the same customer. */
const toCustomer = (customer: string): Pick<Stay, 'key' | 'name'> => ({
  key: customer.toLowerCase(),
  name: customer || CUSTOMER_NOT_NAMED,
});

const toSite = (siteId: number, siteName: string): Pick<Stay, 'key' | 'name'> => ({
  key: String(siteId),
  name: siteName,
});

/** The visits to all sites of a fleet that began in a range. @throws AppError 'range-too-long' */
const readSiteStays = async (
  { orm }: Pick<FacilityContext, 'orm'>,
  usdot: string,
  { fromMs, toMs, chosen }: FacilityQuery,
): Promise<Stay[]> => {
  const { rows } = await orm.execute<Omit<Stay, 'key'> & { siteId: number }>(sql`
    SELECT v.site_id AS "siteId", s.name, v.arrived_after_ms::float8 AS "arrivedAfterMs",
      v.arrived_ms::float8 AS "arrivedMs", v.left_ms::float8 AS "leftMs", v.left_by_ms::float8 AS "leftByMs", v.sure
    FROM linehaul.site_visits v JOIN linehaul.sites s ON s.id = v.site_id
    WHERE v.usdot = ${usdot} AND NOT s.is_of_load AND v.arrived_ms >= ${fromMs} AND v.arrived_ms < ${toMs}
      AND (${chosen === null} OR v.unit = ANY(${sql.param([...(chosen ?? [])])}::text[]))
    ORDER BY v.arrived_ms LIMIT ${MOST_VISITS + 1}`);
  if (rows.length > MOST_VISITS)
    throw new AppError('range-too-long', {
      detail: `There are more than ${formatWhole(MOST_VISITS)} visits on these days. Choose fewer days or trucks.`,
    });
  return rows.map(({ siteId, ...visit }) => ({ ...visit, ...toSite(siteId, visit.name) }));
};

/** The stays of loads at their stops, and the stops with an appointment, as loads are judged by the recorded visits. */
const readLoadStays = async (
  { pool, nowMs }: Pick<FacilityContext, 'pool' | 'nowMs'>,
  usdot: string,
  { fromMs, by, chosen }: FacilityQuery,
): Promise<Pick<FacilityInput, 'stays' | 'appointed'>> => {
  const stays: Stay[] = [];
  const appointed: Appointed[] = [];
  const loads = await readLoads(pool, usdot, { endedAfterMs: fromMs, nowMs });
  for (const { customer, stops, judged, trucks, endedMs } of loads)
    for (const [i, { siteId, name, isOwn, appointment }] of stops.entries()) {
      const { visit, isPassed } = judged[i]!;
      const units = visit === null ? trucks.map(({ unit }) => unit) : [visit.unit];
      const isChosen = chosen === null || units.some((unit) => chosen.has(unit));
      // The circle of a stop is no site of the fleet.
      if (!isChosen || (by === 'site' && (siteId === null || isOwn))) continue;
      const group = by === 'site' ? toSite(siteId!, name) : toCustomer(customer);
      if (visit !== null) stays.push({ ...visit, ...group });
      // Of a stop that is still to come nothing is known.
      if (appointment !== null && (visit !== null || isPassed || endedMs !== null))
        appointed.push({ ...group, appointment, arrival: visit });
    }
  return { stays, appointed };
};

/** The figures of the facilities of a fleet. @throws AppError 'range-too-long' */
export const readFacilities = async (
  context: FacilityContext,
  usdot: string,
  query: FacilityQuery,
): Promise<Facilities> => {
  const { by, chosen } = query;
  const ofLoads = await readLoadStays(context, usdot, query);
  const stays = by === 'site' ? await readSiteStays(context, usdot, query) : ofLoads.stays;
  const statements = await readBilled(context.orm, usdot, query);
  const billed =
    statements &&
    statements
      .filter(({ unit, siteId }) => (chosen?.has(unit) ?? true) && (by === 'customer' || siteId !== null))
      .map(({ siteId, siteName, customer, ...each }) => ({
        ...each,
        ...(by === 'site' ? toSite(siteId!, siteName) : toCustomer(customer)),
      }));
  return {
    nowMs: context.nowMs,
    ...toFacilities({ stays, appointed: ofLoads.appointed, billed }, { ...query, nowMs: context.nowMs }),
  };
};
