import 'server-only';
import { sql } from 'drizzle-orm';
import { AppError } from '@/lib/base/http/problems';
import { z } from '@/lib/base/zod';
import type { TimeRange } from '@/lib/base/time';
import type { Executor } from '@/lib/database/database';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { CHOSEN, RANGE, withRange } from '@/lib/past/server/queries';
import type { SiteArea } from '@/lib/reports/who/area';
import { nameAmong } from '@/lib/view/unit-name';
import type { ReportedVisit, VisitReport } from '../visit-report';
import { readSite } from './site-repository';

const MOST_VISITS = 50_000;
const QUARTER_DAYS = 92;

/** The query of an address that asks for the visits to all sites. */
export const visitReportSchema = withRange(z.strictObject({ ...RANGE, ...CHOSEN }), QUARTER_DAYS);

/** The area of a site. @throws AppError 'unknown-site' */
export const requireSiteArea = async (orm: Executor, usdot: string, siteId: number): Promise<SiteArea> => {
  const site = await readSite(orm, usdot, siteId);
  if (site === null) throw new AppError('unknown-site');
  return { kind: 'site', shape: site.shape, marginM: site.marginM };
};

/** The visits to all sites of a fleet that touch a range, by arrival. `chosen`: of these units; null: of all. */
export const readVisitReport = async (
  { orm, reader, nowMs }: { orm: Executor; reader: Pick<HistoryReader, 'readNames'>; nowMs: number },
  usdot: string,
  { fromMs, toMs }: TimeRange,
  chosen: ReadonlySet<string> | null,
): Promise<VisitReport> => {
  const { rows } = await orm.execute<Omit<ReportedVisit, 'name'>>(sql`
    SELECT v.unit, v.site_id AS "siteId", s.name AS "siteName", v.arrived_after_ms::float8 AS "arrivedAfterMs",
      v.arrived_ms::float8 AS "arrivedMs", v.left_ms::float8 AS "leftMs", v.left_by_ms::float8 AS "leftByMs", v.away_ms::float8 AS "awayMs",
      v.origin = 'late' AS "isLearnedLater"
    FROM linehaul.site_visits v JOIN linehaul.sites s ON s.id = v.site_id
    WHERE v.usdot = ${usdot} AND NOT s.is_of_load AND v.arrived_ms < ${toMs}
      AND (v.arrived_ms >= ${fromMs} OR v.left_ms IS NULL OR v.left_ms > ${fromMs})
      AND (${chosen === null} OR v.unit = ANY(${sql.param([...(chosen ?? [])])}::text[]))
    ORDER BY v.arrived_ms, v.unit LIMIT ${MOST_VISITS + 1}`);
  const visits = rows.slice(0, MOST_VISITS);
  const names = await reader.readNames(usdot, [...new Set(visits.map(({ unit }) => unit))]);
  return {
    nowMs,
    visits: visits.map((visit) => ({ ...visit, name: nameAmong(names, visit.unit) })),
    hasMore: rows.length > MOST_VISITS,
  };
};
