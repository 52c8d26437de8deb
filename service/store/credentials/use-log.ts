import type { Pool } from 'pg';
import type { ServiceLog } from '../../log';

interface UseLogOptions {
  pool: Pool;
  table: 'api_key_secrets' | 'ingest_tokens';
  now: () => number;
  log: ServiceLog;
  flushAfterMs?: number;
}

/** One statement per interval, however many requests were made. */
const FLUSH_AFTER_MS = 15_000;

/** When credentials were last used. People read it, so it may reach the database a little late. */
export const createUseLog = (options: UseLogOptions) => {
  const { pool, table, now, log, flushAfterMs = FLUSH_AFTER_MS } = options;
  let pending = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;

  const write = async (uses: ReadonlyMap<string, number>): Promise<void> => {
    // Raw SQL: Drizzle has no UPDATE from unnest().
    await pool.query({
      name: `note-use-of-${table}`,
      text: `UPDATE tracking.${table} AS held SET last_used_at_ms = greatest(held.last_used_at_ms, used.at_ms)
             FROM unnest($1::text[], $2::bigint[]) AS used (id, at_ms) WHERE held.id = used.id`,
      values: [[...uses.keys()], [...uses.values()]],
    });
  };

  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (pending.size === 0) return;
    const uses = pending;
    pending = new Map();
    try {
      await write(uses);
    } catch (error) {
      log.warn({ table, reason: (error as Error).message }, 'last uses of credentials could not be written');
      for (const [id, atMs] of uses) if (!pending.has(id)) pending.set(id, atMs);
      startTimer();
    }
  };

  const startTimer = (): void => {
    timer ??= setTimeout(() => void flush(), flushAfterMs).unref();
  };

  return {
    note(id: string): void {
      pending.set(id, now());
      startTimer();
    },
    /** The last use that is not in the database yet. */
    readPending: (id: string): number | null => pending.get(id) ?? null,
    /** Writes pending uses; after a failure they are written with the next ones. */
    flush,
    /** Writes pending uses for the last time. */
    async close(): Promise<void> {
      await flush();
      if (timer !== null) clearTimeout(timer);
    },
  };
};

export type UseLog = ReturnType<typeof createUseLog>;

/** The later of two uses, either of which may be unknown. */
export const toLaterUse = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);
