import 'server-only';
import type { Pool } from 'pg';
import { clipSure, sumMs, type SureStay } from '@/lib/arrivals/sure';
import type { Clock } from '@/lib/base/clock';
import { MINUTE_MS } from '@/lib/base/time';
import type { Database } from '@/lib/database/database';
import type { JobSet } from '@/lib/jobs/jobs';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { SiteShape } from '@/lib/rules/site';
import { AFTER_MS, toSureVisit, toWindow, type StayTimes } from '@/lib/rules/sure-stay';

/** Visits that are counted in one go. */
const AT_ONCE = 20;
/** A visit that lasts is counted so often. */
const OPEN_MS = MINUTE_MS;
/** One that has ended is counted again after so long, once what its device hands over is recorded, and when nothing more tells of it. */
const SOON_MS = 5 * MINUTE_MS;
const [IDLE_MS, BUSY_MS] = [5000, 0];

interface DueVisit extends StayTimes {
  usdot: string;
  siteId: number;
  unit: string;
  shape: SiteShape;
  awayMs: number;
  isCounted: boolean;
}

/** Visits that last are due while a load is at their stop: its free time goes on. */
const READ_DUE = `
  SELECT v.usdot, v.site_id AS "siteId", v.unit, s.shape, v.arrived_after_ms::float8 AS "arrivedAfterMs",
    v.arrived_ms::float8 AS "arrivedMs", v.left_ms::float8 AS "leftMs", v.left_by_ms::float8 AS "leftByMs",
    v.away_ms::float8 AS "awayMs", v.sure IS NOT NULL AS "isCounted"
  FROM linehaul.site_visits v JOIN linehaul.sites s ON s.id = v.site_id
  WHERE v.count_due_ms <= $1 AND ($2::text IS NULL OR v.usdot = $2)
    AND (v.left_ms IS NOT NULL OR EXISTS (
      SELECT FROM linehaul.load_stops p JOIN linehaul.loads l ON l.id = p.load_id AND l.usdot = v.usdot AND l.ended_ms IS NULL
      JOIN linehaul.load_trucks t ON t.load_id = l.id AND t.unit = v.unit
      JOIN linehaul.load_states k ON k.load_id = l.id AND k.state LIKE 'at%'
      WHERE p.site_id = v.site_id))
  ORDER BY v.count_due_ms DESC LIMIT $3`;

/** What was counted of a visit whose times are others by now is of no use. */
const WRITE = `
  UPDATE linehaul.site_visits v SET sure = c.sure, away_ms = c."awayMs", count_due_ms = c."dueMs"
  FROM jsonb_to_recordset($1::jsonb) AS c (usdot text, "siteId" int, unit text, "arrivedAfterMs" int8, "arrivedMs" int8,
    "leftMs" int8, "leftByMs" int8, sure jsonb, "awayMs" int8, "dueMs" int8)
  WHERE v.usdot = c.usdot AND v.site_id = c."siteId" AND v.unit = c.unit COLLATE "C" AND v.arrived_ms = c."arrivedMs"
    AND v.arrived_after_ms IS NOT DISTINCT FROM c."arrivedAfterMs" AND v.left_ms IS NOT DISTINCT FROM c."leftMs"
    AND v.left_by_ms IS NOT DISTINCT FROM c."leftByMs"`;

/** Browsers read loads again whose free time is counted otherwise. */
const TOUCH_LOADS = `
  UPDATE linehaul.loads l SET updated_at = to_timestamp($2::float8 / 1000)
  FROM jsonb_to_recordset($1::jsonb) AS c (usdot text, "siteId" int, unit text)
  JOIN linehaul.load_stops p ON p.site_id = c."siteId"
  JOIN linehaul.load_trucks t ON t.load_id = p.load_id AND t.unit = c.unit COLLATE "C"
  WHERE l.id = p.load_id AND l.usdot = c.usdot`;

interface CountContext {
  pool: Pool;
  reader: Pick<HistoryReader, 'readTrail'>;
  nowMs: number;
}

const countVisit = async (
  { reader, nowMs }: CountContext,
  visit: DueVisit,
): Promise<DueVisit & { sure: SureStay | null; dueMs: number | null }> => {
  const { usdot, unit, shape, arrivedMs, leftMs, leftByMs } = visit;
  const { fromMs, toMs } = toWindow(visit);
  const fixes = await reader.readTrail(usdot, unit, fromMs, Math.min(toMs, nowMs));
  const sure = toSureVisit(fixes, shape, visit, nowMs);
  const endMs = leftByMs ?? leftMs ?? nowMs;
  const finalMs = endMs + AFTER_MS;
  const range = { fromMs: arrivedMs, toMs: leftMs ?? nowMs };
  return {
    ...{ ...visit, sure },
    awayMs: Math.round(sure === null ? 0 : sumMs(clipSure(sure, range).away)),
    dueMs: leftMs === null ? nowMs + OPEN_MS : ([endMs + SOON_MS, finalMs].find((ms) => ms > nowMs) ?? null),
  };
};

/**
 * Counts some of the visits whose times or fixes have changed, the newest first: how long their trucks were surely inside, as
 * statements have it. `usdot` null: of all fleets. Returns how many, and the fleets with a load whose free time ends at another time.
 */
export const countVisits = async (
  context: CountContext,
  { usdot, most }: { usdot: string | null; most: number },
): Promise<{ count: number; moved: Set<string> }> => {
  const { pool, nowMs } = context;
  const { rows } = await pool.query<DueVisit>(READ_DUE, [nowMs, usdot, most]);
  const counted = [];
  for (const visit of rows) counted.push(await countVisit(context, visit));
  const isOther = (is: DueVisit, i: number): boolean =>
    Math.abs(is.awayMs - rows[i]!.awayMs) >= MINUTE_MS || (is.leftMs !== null && !rows[i]!.isCounted);
  const others = counted.filter(isOther);
  if (counted.length > 0)
    await pool.query(WRITE, [JSON.stringify(counted.map(({ shape: _shape, ...visit }) => visit))]);
  if (others.length > 0) await pool.query(TOUCH_LOADS, [JSON.stringify(others), nowMs]);
  const moved = others.flatMap(({ usdot: of, leftMs }) => (leftMs === null ? of : []));
  return { count: rows.length, moved: new Set(moved) };
};

interface VisitCountsOptions {
  database: () => Database;
  reader: () => Pick<HistoryReader, 'readTrail'>;
  clock: Pick<Clock, 'nowMs'>;
  /** Called after the free time of a fleet's loads was counted otherwise. */
  onLearned?: (usdot: string) => void;
}

const run = async ({ database, reader, clock, onLearned }: VisitCountsOptions): Promise<number> => {
  const context = { pool: database().pool, reader: reader(), nowMs: clock.nowMs() };
  const { count, moved } = await countVisits(context, { usdot: null, most: AT_ONCE });
  for (const usdot of moved) onLearned?.(usdot);
  return count === AT_ONCE ? BUSY_MS : IDLE_MS;
};

/** Counts visits as they end, and those to stops of loads while they last. */
export const createVisitCounts = (options: VisitCountsOptions): JobSet => ({
  kinds: [{ name: 'visit-counts', isUpkeep: true, slots: 1, pollMs: IDLE_MS, run: () => run(options) }],
});
