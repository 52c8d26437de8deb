import 'server-only';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Viewer } from '@/lib/base/viewer';
import { RANGE, withRange } from '@/lib/past/server/queries';
import { AppError } from '@/lib/base/http/problems';
import type { ActionContext } from '@/lib/audit/audit';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { Executor } from '@/lib/database/database';
import { siteVisits } from './tables';
import { isSeenUnit } from '@/lib/access/unit-limit';
import { nameAmong } from '@/lib/view/unit-name';
import { z } from '@/lib/base/zod';
import { DWELL_STEPS_MIN, type ListedVisit, type SiteVisits } from '../answers';
import { readSite } from './site-repository';
import { readScan } from './site-scans';
import { MINUTE_MS, type TimeRange } from '@/lib/base/time';

const MOST_VISITS = 1000;

/** A range of time of at most a year. */
export const siteVisitsQuerySchema = withRange(z.strictObject(RANGE), 366);

/** Whose visits are read: those of the units that a viewer sees, to a site of a fleet. */
interface SeenSite {
  viewer: Pick<Viewer, 'tags'>;
  usdot: string;
  siteId: number;
}
const isOfSite = ({ viewer, usdot, siteId }: SeenSite): SQL | undefined =>
  and(eq(siteVisits.siteId, siteId), isSeenUnit(viewer, usdot, siteVisits.unit));

/** In plain SQL, because the query builder needs a tenth more time for a thousand visits, and more memory. */
const COLUMNS = sql`unit, arrived_after_ms::float8 AS "arrivedAfterMs", arrived_ms::float8 AS "arrivedMs",
  left_ms::float8 AS "leftMs", left_by_ms::float8 AS "leftByMs", away_ms::float8 AS "awayMs", origin = 'late' AS "isLearnedLater"`;

/** Visits to a site that have not ended, the longest first. */
export const listOpenVisits = async (orm: Executor, site: SeenSite): Promise<ListedVisit[]> => {
  const { rows } = await orm.execute<ListedVisit>(
    sql`SELECT ${COLUMNS} FROM ${siteVisits} WHERE ${isOfSite(site)} AND left_ms IS NULL ORDER BY ${siteVisits.arrivedMs}, unit`,
  );
  return rows;
};

/** Visits to a site that began or ended in a range, the newest arrival first. */
export const listVisits = async (
  orm: Executor,
  site: SeenSite,
  { fromMs, toMs }: TimeRange,
  limit: number,
): Promise<ListedVisit[]> => {
  const { rows } = await orm.execute<ListedVisit>(sql`
    SELECT ${COLUMNS} FROM ${siteVisits}
    WHERE ${isOfSite(site)} AND arrived_ms < ${toMs}
      AND (arrived_ms >= ${fromMs} OR (left_ms >= ${fromMs} AND left_ms < ${toMs}))
    ORDER BY ${siteVisits.arrivedMs} DESC, unit LIMIT ${limit}`);
  return rows;
};

const STEPS_MS = `{${DWELL_STEPS_MIN.slice(1)
  .map((minutes) => minutes * MINUTE_MS)
  .join(',')}}`;

/** How long the visits lasted that ended in a range; of those that are known from their beginning to their end. */
export const readDwell = async (
  orm: Executor,
  site: SeenSite,
  { fromMs, toMs }: TimeRange,
): Promise<SiteVisits['dwell']> => {
  const { rows } = await orm.execute<{
    steps: number[];
    counts: number[];
    median: number;
    longest: number;
  }>(sql`
    WITH dwells AS (
      SELECT greatest(0, left_ms - arrived_ms - away_ms) AS ms FROM ${siteVisits}
      WHERE ${isOfSite(site)} AND left_ms >= ${fromMs} AND left_ms < ${toMs} AND arrived_ms < ${toMs}
        AND arrived_after_ms IS NOT NULL AND left_by_ms IS NOT NULL
    ), steps AS (
      SELECT width_bucket(ms, ${STEPS_MS}::bigint[]) AS step, count(*)::int4 AS visits FROM dwells GROUP BY step
    )
    SELECT (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) FROM dwells)::float8 AS median,
      (SELECT max(ms) FROM dwells)::float8 AS longest,
      array(SELECT step FROM steps ORDER BY step) AS steps, array(SELECT visits FROM steps ORDER BY step) AS counts`);
  const { median, longest, steps, counts } = rows[0]!;
  const histogram = DWELL_STEPS_MIN.map((_, step) => counts[steps.indexOf(step)] ?? 0);
  return {
    visits: histogram.reduce((sum, count) => sum + count, 0),
    medianMs: median,
    longestMs: longest,
    histogram,
  };
};

type VisitsContext = Pick<ActionContext, 'database' | 'clock'> & {
  history: { reader: Pick<HistoryReader, 'readNames'> } | null;
};

/** Who is at a site of the units that a viewer sees, and who was. @throws AppError 'unknown-site' */
export const readSiteVisits = async (
  { database, history, clock }: VisitsContext,
  viewer: Pick<Viewer, 'tags'>,
  { usdot, siteId }: Pick<SeenSite, 'usdot' | 'siteId'>,
  range: TimeRange,
): Promise<SiteVisits> => {
  const { orm } = await database.open();
  if ((await readSite(orm, usdot, siteId)) === null) throw new AppError('unknown-site');
  const site = { viewer, usdot, siteId };
  const [scan, open, listed, dwell] = await Promise.all([
    readScan(orm, siteId),
    listOpenVisits(orm, site),
    listVisits(orm, site, range, MOST_VISITS + 1),
    readDwell(orm, site, range),
  ]);
  const visits = listed.slice(0, MOST_VISITS);
  const keys = [...new Set([...open, ...visits].map(({ unit }) => unit))];
  const identities = (await history?.reader.readNames(usdot, keys)) ?? new Map<string, never>();
  return {
    nowMs: clock.nowMs(),
    isRecorded: history !== null,
    scan: history === null ? null : scan,
    open,
    visits,
    hasMore: listed.length > MOST_VISITS,
    dwell,
    units: keys.map((key) => ({ key, name: nameAmong(identities, key) })),
  };
};
