import 'server-only';
import type { Pool } from 'pg';
import { inTransaction } from '@/lib/postgres/database';
import type { CoverageInterval } from './coverage';
import type { FixColumns } from './fix-batch';
import type { RecordedFixes } from './recorded-fixes';
import { HOUR_MS, maintainPartitions } from './partitions';

/** What one poll of a fleet adds to its recording. */
export interface PollEntry {
  usdot: string;
  seenMs: number;
  /** Null where it brought no new fix. */
  fixes: FixColumns | null;
  /** The intervals that it began or made longer. */
  coverage: readonly CoverageInterval[];
}

/** All recordings of the database. */
export interface RecordedSize {
  /** On disk, with indexes. */
  bytes: number;
  /** When the recording of each fleet began, Unix ms. */
  sinceMs: Map<string, number>;
}

/** How long fixes are kept in PostgreSQL. */
const RECORD_HOURS = 48;
/** A fix may be this much ahead of our clock. */
const AHEAD_MS = 2 * 60_000;

/**
 * Inserts each fix once. The index of a partition refuses the repeats of its hour; a fix that is old enough to have been
 * seen in an earlier hour is looked up in the partitions from the hour of its own time on. OFFSET 0 keeps that a look-up
 * for each of these few, instead of one join over all partitions.
 */
const INSERT_FIXES = `
  INSERT INTO linehaul.fixes (usdot, unit, fix_ms, seen_ms, lat_e5, lng_e5, is_by_receipt)
  SELECT $1, n.unit, n.fix_ms, $2::bigint, n.lat_e5, n.lng_e5, n.is_by_receipt
  FROM unnest($4::text[], $5::int8[], $6::int4[], $7::int4[], $8::bool[])
    AS n (unit, fix_ms, lat_e5, lng_e5, is_by_receipt)
  WHERE n.fix_ms >= $3::bigint + ${AHEAD_MS} OR NOT EXISTS (
    SELECT FROM linehaul.fixes f
    WHERE f.usdot = $1 AND f.unit = n.unit COLLATE "C" AND f.fix_ms = n.fix_ms
      AND f.seen_ms >= n.fix_ms - ${AHEAD_MS} AND f.seen_ms < $3::bigint
    OFFSET 0)
  ON CONFLICT DO NOTHING`;

/** A unit starts from its newest fixes, from each tenth before them and from the first: since when it stands is in these. */
const NEWEST_FIXES = 20;
const OLDER_EACH = 10;

/** One row for each unit, with its fixes as `readFixes` expects them: rows of single fixes would take seconds to parse. */
const READ_NEWEST = `
  SELECT unit, encode(string_agg(int8send(fix_ms) || int4send(lat_e5) || int4send(lng_e5), '' ORDER BY fix_ms), 'hex')
  FROM (
    SELECT unit, fix_ms, lat_e5, lng_e5, row_number() OVER (PARTITION BY unit ORDER BY fix_ms DESC) AS nth,
      count(*) OVER (PARTITION BY unit) AS fixes
    FROM linehaul.fixes WHERE usdot = $1 AND seen_ms >= $2 AND NOT is_by_receipt
  ) newest
  WHERE nth <= ${NEWEST_FIXES} OR nth % ${OLDER_EACH} = 0 OR nth = fixes GROUP BY unit`;

/** The recording in the application's database. */
export class HistoryRepository {
  readonly #pool: Pool;
  /** The hour whose partition, and those after it, were made by this process last; null: none. */
  #madeHour: number | null = null;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Stores what one poll adds, in one transaction; a repeat changes nothing. */
  async write({ usdot, seenMs, fixes, coverage }: PollEntry): Promise<void> {
    const hour = Math.floor(seenMs / HOUR_MS);
    if (hour !== this.#madeHour) {
      await maintainPartitions(this.#pool, seenMs, RECORD_HOURS * HOUR_MS);
      this.#madeHour = hour;
    }
    try {
      await inTransaction(this.#pool, async (client) => {
        if (fixes !== null) {
          const { units, fixMs, latE5, lngE5, isByReceipt } = fixes;
          const columns = [units, fixMs, latE5, lngE5, isByReceipt];
          await client.query(INSERT_FIXES, [usdot, seenMs, hour * HOUR_MS, ...columns]);
        }
        for (const { fromMs, toMs, state, problem } of coverage)
          await client.query(
            `INSERT INTO linehaul.coverage (usdot, from_ms, to_ms, state, problem) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (usdot, from_ms) DO UPDATE SET to_ms = EXCLUDED.to_ms, state = EXCLUDED.state,
               problem = EXCLUDED.problem`,
            [usdot, fromMs, toMs, state, problem],
          );
      });
    } catch (error) {
      // The partitions may be gone, as after a restore: the next attempt makes them.
      this.#madeHour = null;
      throw error;
    }
  }

  /** The newest interval of a fleet; null where it was never recorded. */
  async readLastCoverage(usdot: string): Promise<CoverageInterval | null> {
    const { rows } = await this.#pool.query<Record<'from_ms' | 'to_ms', string> & CoverageInterval>(
      `SELECT from_ms, to_ms, state, problem FROM linehaul.coverage WHERE usdot = $1
       ORDER BY from_ms DESC LIMIT 1`,
      [usdot],
    );
    const [row] = rows;
    if (row === undefined) return null;
    const { from_ms, to_ms, state, problem } = row;
    return { fromMs: Number(from_ms), toMs: Number(to_ms), state, problem };
  }

  /** Recorded fixes of each unit of a fleet, of those that were seen from `fromMs` on and have the unit's own time. */
  async readNewest(usdot: string, fromMs: number): Promise<RecordedFixes> {
    const { rows } = await this.#pool.query<[unit: string, fixes: string]>({
      text: READ_NEWEST,
      values: [usdot, fromMs],
      rowMode: 'array',
    });
    return new Map(rows);
  }

  async readSize(): Promise<RecordedSize> {
    const size = await this.#pool.query<{ bytes: string }>(
      `SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) AS bytes FROM pg_inherits
       WHERE inhparent = 'linehaul.fixes'::regclass`,
    );
    const { rows } = await this.#pool.query<{ usdot: string; from_ms: string }>(
      'SELECT usdot, min(from_ms) AS from_ms FROM linehaul.coverage GROUP BY usdot',
    );
    return {
      bytes: Number(size.rows[0]!.bytes),
      sinceMs: new Map(rows.map(({ usdot, from_ms }) => [usdot, Number(from_ms)])),
    };
  }
}
