import 'server-only';
import type { Pool } from 'pg';
import type { LearnJob } from '@/lib/arrivals/learn';
import { type DuckDb, quote } from '@/lib/archive/duck-db';
import type { LearnedFiles } from '@/lib/archive/learned-files';
import type { Clock } from '@/lib/base/clock';
import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';
import { type Database, inTransaction } from '@/lib/database/database';
import type { JobSet } from '@/lib/jobs/jobs';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { ReportThreads } from '@/lib/reports/server/report-threads';

/** How far back a fleet learns at first. */
const LEARNED_MS = 42 * DAY_MS;
/** Devices hand over late by then, mostly: what comes later is not learned. */
const SETTLED_MS = HOUR_MS;
/** A fleet learns again once there is so much more of its recording. */
const EVERY_MS = 6 * HOUR_MS;
/** One run learns from so much at most: some seconds, and about 60 MB. */
const MOST_RANGE_MS = DAY_MS;
const MOST_FIXES = 400_000;
const MOST_VISITS = 1000;
/** A truck was on its way to a stop for no longer. */
const LONGEST_WAY_MS = DAY_MS;
const [IDLE_MS, BUSY_MS] = [10 * MINUTE_MS, 1000];
/** A server that was just started has its first pages and feeds to serve. */
const AFTER_START_MS = 2 * MINUTE_MS;
const LEARN_LOCK = 0x4c454152;

interface LearningOptions {
  database: () => Database;
  reader: () => Pick<HistoryReader, 'readFixes' | 'countFixes'>;
  threads: () => Pick<ReportThreads, 'run'>;
  files: () => LearnedFiles;
  /** Gives a fleet's feed what was learned. */
  onLearned: (usdot: string) => void;
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  log: Record<'warn', (fields: object, message: string) => void>;
  /** For tests. */
  afterStartMs?: number;
}

/** When the recording of each fleet began, Unix ms. */
const readFleets = async (pool: Pool): Promise<Map<string, number>> => {
  const { rows } = await pool.query<{ usdot: string; sinceMs: number }>(
    'SELECT usdot, min(from_ms)::float8 AS "sinceMs" FROM linehaul.coverage GROUP BY usdot ORDER BY usdot',
  );
  return new Map(rows.map(({ usdot, sinceMs }) => [usdot, sinceMs]));
};

/** Arrivals whose beginning the fixes show, and when each truck left its last other stop. */
const READ_VISITS = `
  SELECT v.site_id::text AS stop, v.unit, v.arrived_ms::float8 AS "arrivedMs", greatest(v.arrived_ms - $4::int8, (
    SELECT max(p.left_ms) FROM linehaul.site_visits p
    WHERE p.usdot = $1 AND p.unit = v.unit AND p.site_id <> v.site_id AND p.left_ms <= v.arrived_ms))::float8 AS "fromMs"
  FROM linehaul.site_visits v
  WHERE v.usdot = $1 AND v.arrived_ms >= $2 AND v.arrived_ms < $3 AND v.arrived_after_ms IS NOT NULL
  ORDER BY v.arrived_ms DESC LIMIT ${MOST_VISITS}`;

interface Visit {
  stop: string;
  unit: string;
  fromMs: number;
  arrivedMs: number;
}

export const toList = (units: Iterable<string>): string => `(${[...units].map(quote).join(', ')})`;

/** The fixes of units in a table of DuckDB's, as threads take them: as many units as there is room for. */
export const readColumns = async (
  duck: DuckDb,
  from: string,
  most: number,
): Promise<{ units: string[]; counts: number[]; columns: Float64Array<ArrayBuffer>[] }> => {
  const all = await duck.readRows<[unit: string, fixes: number]>(
    `SELECT unit, count(*)::DOUBLE FROM ${from} GROUP BY unit ORDER BY hash(unit)`,
  );
  let left = most;
  const chosen = all.filter(([, fixes]) => (left -= fixes) >= 0 || left + fixes === most);
  chosen.sort(([a], [b]) => (a < b ? -1 : 1));
  const units = chosen.map(([unit]) => unit);
  const columns =
    units.length === 0
      ? [0, 1, 2].map(() => new Float64Array(0))
      : await duck.readNumbers(
          `SELECT fix_s * 1000::DOUBLE, lat_e5::DOUBLE, lng_e5::DOUBLE FROM ${from}
           JOIN (SELECT unnest([${units.map(quote).join(', ')}]) AS unit, unnest(range(${units.length})) AS number)
             USING (unit) ORDER BY number, fix_s`,
        );
  return { units, counts: chosen.map(([, fixes]) => fixes), columns };
};

/** The job of a thread with the fixes of a range: with visits, also of the ways to them. */
const toJob = async (
  { reader }: LearningOptions,
  usdot: string,
  { fromMs, toMs }: TimeRange,
  visits: readonly Visit[],
): Promise<Omit<LearnJob, 'learned'>> => {
  const isDated = (from: string): string => `(SELECT * FROM ${from} WHERE NOT is_by_receipt)`;
  const coming = toList(new Set(visits.map(({ unit }) => unit)));
  const read = (range: TimeRange, condition: string, most: number) =>
    reader().readFixes(usdot, { ...range, condition }, ({ duck, from }) =>
      readColumns(duck, isDated(from), most),
    );
  const came =
    visits.length === 0
      ? null
      : await read({ fromMs: fromMs - LONGEST_WAY_MS, toMs }, `unit IN ${coming}`, MOST_FIXES / 2);
  const others = await read(
    { fromMs, toMs },
    visits.length === 0 ? 'true' : `unit NOT IN ${coming}`,
    MOST_FIXES - (came?.columns[0]!.length ?? 0),
  );
  const unitOf = new Map(came?.units.map((unit, i) => [unit, i]));
  return {
    kind: 'learn',
    fromMs,
    counts: [...(came?.counts ?? []), ...(others?.counts ?? [])],
    columns: [0, 1, 2].map((c) => {
      const parts = [came, others].map((part) => part?.columns[c] ?? new Float64Array(0));
      const joined = new Float64Array(parts[0]!.length + parts[1]!.length);
      joined.set(parts[0]!);
      joined.set(parts[1]!, parts[0]!.length);
      return joined;
    }),
    visits: visits.flatMap(({ unit, stop, fromMs: leftMs, arrivedMs }) => {
      const index = unitOf.get(unit);
      return index === undefined ? [] : [{ unit: index, stop, fromMs: leftMs, arrivedMs }];
    }),
  };
};

/** The next part of a fleet's recording to learn from, of which not more is read than there is memory for; null: none is due. */
const findRange = async (
  { reader, clock }: LearningOptions,
  usdot: string,
  sinceMs: number,
  throughMs: number | null,
): Promise<(TimeRange & { isLast: boolean }) | null> => {
  const nowMs = clock.nowMs();
  const settledMs = Math.floor((nowMs - SETTLED_MS) / HOUR_MS) * HOUR_MS;
  const fromMs = throughMs ?? Math.floor(Math.max(sinceMs, nowMs - LEARNED_MS) / HOUR_MS) * HOUR_MS;
  if (settledMs - fromMs < (throughMs === null ? HOUR_MS : EVERY_MS)) return null;
  let toMs = Math.min(settledMs, fromMs + MOST_RANGE_MS);
  while (toMs - fromMs > HOUR_MS && (await reader().countFixes(usdot, { fromMs, toMs })) > MOST_FIXES)
    toMs = fromMs + Math.max(HOUR_MS, Math.floor((toMs - fromMs) / 2 / HOUR_MS) * HOUR_MS);
  return { fromMs, toMs, isLast: settledMs - toMs < EVERY_MS };
};

/** Learns from the next part of a fleet's recording; true where there may be more. */
const learnNext = async (options: LearningOptions, usdot: string, sinceMs: number): Promise<boolean> => {
  const { database, threads, onLearned } = options;
  const files = options.files();
  const throughMs = await files.readThroughMs(usdot);
  const range = await findRange(options, usdot, sinceMs, throughMs);
  if (range === null) return false;
  const learned = throughMs === null ? null : await files.read(usdot, throughMs);
  const { rows: visits } = await database().pool.query<Visit>(READ_VISITS, [
    usdot,
    range.fromMs,
    range.toMs,
    LONGEST_WAY_MS,
  ]);
  const isReadable = throughMs === null || learned !== null;
  const packed = isReadable
    ? await threads().run({ ...(await toJob(options, usdot, range, visits.reverse())), learned })
    : null;
  // A damaged file: the fleet learns again from the beginning.
  if (packed === null) await files.remove(usdot);
  else {
    await files.write(usdot, range.toMs, packed);
    if (range.isLast) onLearned(usdot);
  }
  return true;
};

/** Fleets whose recording was removed. */
const removeOthers = async (files: LearnedFiles, fleets: ReadonlyMap<string, number>): Promise<void> => {
  for (const usdot of await files.list()) if (!fleets.has(usdot)) await files.remove(usdot);
};

const run = (options: LearningOptions, signal: AbortSignal): Promise<number> => {
  const { pool } = options.database();
  return inTransaction(pool, async (lock) => {
    const { rows } = await lock.query<{ ours: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS ours', [
      LEARN_LOCK,
    ]);
    if (!rows[0]!.ours) return IDLE_MS;
    const fleets = await readFleets(pool);
    await removeOthers(options.files(), fleets);
    let hasMore = false;
    for (const [usdot, sinceMs] of fleets) {
      if (signal.aborted) break;
      try {
        if (await learnNext(options, usdot, sinceMs)) hasMore = true;
      } catch (error) {
        // Another fleet learns, and this one again in a while: a full disk is no reason to read it again and again.
        options.log.warn({ usdot, reason: String(error) }, 'A fleet cannot learn from its recording now.');
      }
    }
    return hasMore ? BUSY_MS : IDLE_MS;
  });
};

/** Fleets learn roads, hours, ways and stops from their recording, by one server at a time. */
export const createLearning = (options: LearningOptions): JobSet => {
  const { clock, afterStartMs = AFTER_START_MS } = options;
  const startedMs = clock.monotonicMs();
  return {
    kinds: [
      {
        ...{ name: 'load-learning', isUpkeep: true, slots: 1, pollMs: MINUTE_MS },
        run: async (_job, signal) => {
          const waitMs = startedMs + afterStartMs - clock.monotonicMs();
          return waitMs > 0 ? waitMs : run(options, signal);
        },
      },
    ],
  };
};
