import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { DAY_MS } from '@/lib/base/time';
import type { Database } from '@/lib/database/database';
import type { FleetGrades, LeadGrades, MissedWindow } from '../grades';

const MOST_WORST = 20;

const READ_LEADS = `
  SELECT lead_ms::float8 AS "leadMs", count(*)::int AS arrivals,
    count(*) FILTER (WHERE arrived_ms BETWEEN from_ms AND to_ms)::int AS held,
    count(*) FILTER (WHERE arrived_ms < from_ms)::int AS early, count(*) FILTER (WHERE arrived_ms > to_ms)::int AS late,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY to_ms - from_ms)::float8 AS "widthMs"
  FROM linehaul.arrival_grades WHERE usdot = $1 AND arrived_ms >= $2 GROUP BY lead_ms ORDER BY lead_ms`;

const READ_WORST = `
  SELECT g.load_id::float8 AS "loadId", l.reference, g.position, s.name AS stop, g.unit, g.lead_ms::float8 AS "leadMs",
    g.from_ms::float8 AS "fromMs", g.to_ms::float8 AS "toMs", g.arrived_ms::float8 AS "arrivedMs", s.time_zone AS "timeZone",
    (CASE WHEN g.arrived_ms < g.from_ms THEN g.arrived_ms - g.from_ms ELSE g.arrived_ms - g.to_ms END)::float8 AS "missedMs"
  FROM linehaul.arrival_grades g
  JOIN linehaul.loads l ON l.id = g.load_id
  JOIN linehaul.load_stops s ON s.load_id = g.load_id AND s.position = g.position
  WHERE g.usdot = $1 AND g.arrived_ms >= $2 AND NOT g.arrived_ms BETWEEN g.from_ms AND g.to_ms
  ORDER BY abs(CASE WHEN g.arrived_ms < g.from_ms THEN g.arrived_ms - g.from_ms ELSE g.arrived_ms - g.to_ms END) DESC,
    g.load_id, g.lead_ms LIMIT ${MOST_WORST}`;

/** How the windows that were shown for a fleet's arrivals of the last days held, and the worst cases. */
export const readFleetGrades = async (
  { database, clock }: { database: { open: () => Promise<Database> }; clock: Pick<Clock, 'nowMs'> },
  usdot: string,
  { days }: { days: number },
): Promise<FleetGrades> => {
  const { pool } = await database.open();
  const values = [usdot, clock.nowMs() - days * DAY_MS];
  const [leads, worst] = await Promise.all([
    pool.query<LeadGrades>(READ_LEADS, values),
    pool.query<MissedWindow>(READ_WORST, values),
  ]);
  return { leads: leads.rows, worst: worst.rows };
};
