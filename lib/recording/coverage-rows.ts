import 'server-only';
import type { Pool } from 'pg';
import type { CoverageInterval } from '@/lib/trips/coverage';

/** A row of the table `coverage`; PostgreSQL's bigints come as text. */
export type CoverageRow = Record<'from_ms' | 'to_ms', string> & Pick<CoverageInterval, 'state' | 'problem'>;

export const toInterval = ({ from_ms, to_ms, state, problem }: CoverageRow): CoverageInterval => ({
  fromMs: Number(from_ms),
  toMs: Number(to_ms),
  state,
  problem,
});

/** The newest interval of a fleet, or the newest that began by a moment; null where there is none. */
export const readLastCoverage = async (
  pool: Pool,
  usdot: string,
  atMs: number = Number.MAX_SAFE_INTEGER,
): Promise<CoverageInterval | null> => {
  const { rows } = await pool.query<CoverageRow>(
    `SELECT from_ms, to_ms, state, problem FROM linehaul.coverage WHERE usdot = $1 AND from_ms <= $2
     ORDER BY from_ms DESC LIMIT 1`,
    [usdot, atMs],
  );
  return rows[0] ? toInterval(rows[0]) : null;
};
