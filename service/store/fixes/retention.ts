import type { Pool } from 'pg';
import type { ServiceLog } from '../../log';
import { repeat, systemClock } from '@/lib/base/clock';
import { DAY_MS, HOUR_MS } from '@/lib/base/time';

/** Early enough for processes that live less than an hour, late enough not to slow the start. */
const FIRST_PASS_AFTER_MS = 60_000;
/** Small enough that locks and connections are held only briefly. */
const FIXES_A_STATEMENT = 10_000;

/**
 * Deletes the fixes that meet a condition on $1, and returns their number. It never waits for a row that another process is
 * deleting, so that it cannot deadlock. An abort ends it after the current statement.
 */
const deleteFixes = async (
  pool: Pool,
  condition: string,
  value: number | string,
  signal?: AbortSignal,
): Promise<number> => {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(
      // Raw SQL: Drizzle has no ctid.
      `DELETE FROM tracking.fixes WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM tracking.fixes WHERE ${condition} LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [value, FIXES_A_STATEMENT],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < FIXES_A_STATEMENT || signal?.aborted) return deleted;
  }
};

/** Deletes fixes that arrived before a time, and returns their number. Current positions stay. */
export const deleteFixesBefore = (
  pool: Pool,
  receivedBeforeMs: number,
  signal?: AbortSignal,
): Promise<number> => deleteFixes(pool, 'received_at_ms < $1', receivedBeforeMs, signal);

/** Deletes the fixes of a carrier's vehicles, and returns their number. */
export const deleteFixesOf = (pool: Pool, usdot: string): Promise<number> =>
  deleteFixes(pool, 'vehicle_id = ANY(ARRAY(SELECT id FROM tracking.vehicles WHERE usdot = $1))', usdot);

/** Deletes old fixes every hour until it is stopped. Several processes at once share the work. */
export const startRetention = (options: {
  pool: Pool;
  now: () => number;
  retentionDays: number;
  log: ServiceLog;
}) => {
  const { pool, now, retentionDays, log } = options;
  const stopping = new AbortController();

  const runPass = async (): Promise<void> => {
    try {
      const deleted = await deleteFixesBefore(pool, now() - retentionDays * DAY_MS, stopping.signal);
      if (deleted > 0) log.info({ deleted, retentionDays }, 'deleted old fixes');
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'could not delete old fixes',
      );
    }
  };

  const stop = repeat(systemClock, HOUR_MS, runPass, FIRST_PASS_AFTER_MS);
  return {
    stop: (): Promise<void> => {
      stopping.abort();
      return stop();
    },
  };
};
