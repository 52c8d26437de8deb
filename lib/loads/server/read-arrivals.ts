import 'server-only';
import type { Pool } from 'pg';
import type { TruckHours } from '@/lib/arrivals/duty';
import type { Grade } from '@/lib/arrivals/grades';
import type { Archive } from '@/lib/archive/archive';
import type { Clock } from '@/lib/base/clock';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { Database } from '@/lib/database/database';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { FleetReports } from '@/lib/reports/server/fleet-reports';
import type { ArrivalsQuery, ArrivalsStart } from '@/lib/rules/load-watch';
import { readColumns, toList } from './learning';

/** Grades of windows that count for the next ones. */
const GRADED_MS = 42 * DAY_MS;
const MOST_GRADES = 5000;
/** What the drivers of a truck have driven since their last rest of ten hours is in it. */
const HOURS_MS = 36 * HOUR_MS;
/** One position of each truck in so many seconds says enough of it. */
const SAMPLE_S = (10 * MINUTE_MS) / 1000;
const MOST_SAMPLES = 3_000_000;

const READ_GRADES = `
  SELECT * FROM (
    SELECT by, is_standing AS "isStanding", stops, expected_ms::float8 AS "expectedMs",
      (arrived_ms - fix_ms)::float8 AS "actualMs", arrived_ms::float8 AS "arrivedMs",
      CASE WHEN arrived_ms < from_ms THEN 'before' WHEN arrived_ms > to_ms THEN 'after' ELSE 'within' END AS was
    FROM linehaul.arrival_grades WHERE usdot = $1 AND arrived_ms >= $2 ORDER BY arrived_ms DESC LIMIT ${MOST_GRADES}
  ) newest ORDER BY "arrivedMs"`;

const readGrades = async (pool: Pool, usdot: string, nowMs: number): Promise<Grade[]> =>
  (await pool.query<Grade>(READ_GRADES, [usdot, nowMs - GRADED_MS])).rows;

interface ReadArrivalsOptions {
  /** Null: nothing is recorded. */
  history: {
    reader: Pick<HistoryReader, 'readFixes'>;
    reports: { threads: Pick<FleetReports['threads'], 'run'> };
    archive: Pick<Archive, 'learned'>;
  } | null;
  database: { open: () => Promise<Database> };
  clock: Pick<Clock, 'nowMs'>;
  log: Record<'warn', (fields: object, message: string) => void>;
}

type History = NonNullable<ReadArrivalsOptions['history']>;

const readHours = async (
  { reader, reports }: History,
  usdot: string,
  units: readonly string[],
  nowMs: number,
): Promise<Map<string, TruckHours>> => {
  if (units.length === 0) return new Map();
  const range = { fromMs: nowMs - HOURS_MS, toMs: nowMs, condition: `unit IN ${toList(units)}` };
  const found = await reader.readFixes(usdot, range, ({ duck, from }) =>
    readColumns(
      duck,
      `(SELECT unit, max(fix_s) AS fix_s, max_by(lat_e5, fix_s) AS lat_e5, max_by(lng_e5, fix_s) AS lng_e5
        FROM ${from} WHERE NOT is_by_receipt GROUP BY unit, fix_s // ${SAMPLE_S})`,
      MOST_SAMPLES,
    ),
  );
  if (found === null) return new Map();
  const { counts, columns } = found;
  const hours = await reports.threads.run({ kind: 'hours', counts, columns });
  return new Map(found.units.map((unit, i) => [unit, hours[i]!]));
};

const readLearned = async (
  { archive }: History,
  usdot: string,
  known: number | null,
): Promise<ArrivalsStart['learned']> => {
  const throughMs = await archive.learned.readThroughMs(usdot);
  if (throughMs === null || throughMs === known) return null;
  const packed = await archive.learned.read(usdot, throughMs);
  return packed && { throughMs, packed };
};

/** Reads what a feed's watch does not know of the arrivals of its trucks; null where it cannot be read now. Never rejects. */
export const createReadArrivals =
  ({ history, database, clock, log }: ReadArrivalsOptions) =>
  async (usdot: string, { throughMs, hasGrades, units }: ArrivalsQuery): Promise<ArrivalsStart | null> => {
    if (history === null) return null;
    try {
      const { pool } = await database.open();
      const nowMs = clock.nowMs();
      const [learned, grades, hours] = await Promise.all([
        readLearned(history, usdot, throughMs),
        hasGrades ? [] : readGrades(pool, usdot, nowMs),
        readHours(history, usdot, units, nowMs),
      ]);
      return { learned, grades, hours };
    } catch (error) {
      log.warn(
        { usdot, reason: String(error) },
        'What a fleet has learned of its arrivals cannot be read now.',
      );
      return null;
    }
  };
