import { once } from 'node:events';
import type { Pool, PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { makePartitions } from '@/lib/recording/partitions';
import type { HighwayFix, HighwayFleet } from './highway-fleet';
import { HOUR_MS } from '@/lib/base/time';

/** The table as one would first write it. Unlogged, and its index is made at the end, to fill it sooner. */
export const createPlainTable = async (pool: Pool): Promise<void> => {
  await pool.query(
    `CREATE UNLOGGED TABLE plain (usdot text, unit text, fix_at timestamptz, seen_at timestamptz, lat float8, lng float8,
       speed_kph smallint, heading_deg smallint, is_by_receipt boolean)`,
  );
};

const copyRows = async (client: PoolClient, into: string, batches: Iterable<string>): Promise<void> => {
  const stream = client.query(copyFrom(`COPY ${into} FROM STDIN (FORMAT csv)`));
  for (const batch of batches) if (!stream.write(batch)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
};

/** The state of a unit at its first poll: moving or stopped, nothing else. */
const toState = (usdot: string, fix: HighwayFix): string =>
  [
    fix.seenMs,
    fix.latE5,
    fix.lngE5,
    Math.floor(fix.fixMs / 1000),
    Math.floor(fix.fixMs / 1000),
    180,
    0,
    0,
    fix.speedKph,
    fix.headingDeg,
    fix.speedKph < 0 ? 1 : 0,
    1,
    usdot,
    fix.unit,
  ].join(',');

/** Records one hour of a fleet as the recorder would, each unit's state once; resolves to its fixes. */
export const recordHour = async (
  pool: Pool,
  usdot: string,
  fleet: HighwayFleet,
  hourMs: number,
): Promise<number> => {
  await makePartitions(pool, hourMs);
  const seen = new Set<string>();
  const states: string[] = [];
  let fixes = 0;
  const toLines = function* (): Iterable<string> {
    for (const poll of fleet.polls(hourMs + HOUR_MS)) {
      fixes += poll.length;
      const lines = poll.map((fix) => {
        if (!seen.has(fix.unit)) {
          seen.add(fix.unit);
          states.push(toState(usdot, fix));
        }
        return `${fix.fixMs},${fix.seenMs},${fix.latE5},${fix.lngE5},f,${usdot},${fix.unit},${fix.speedKph},${fix.headingDeg}\n`;
      });
      yield lines.join('');
    }
  };
  const client = await pool.connect();
  try {
    const columns = 'fix_ms, seen_ms, lat_e5, lng_e5, is_by_receipt, usdot, unit, speed_kph, heading_deg';
    await copyRows(client, `linehaul.fixes (${columns})`, toLines());
    const names =
      'seen_ms, lat_e5, lng_e5, fix_s, since_s, dated_after_s, coarse_m, flags, speed_kph, heading_deg, status, reason';
    await copyRows(client, `linehaul.states (${names}, usdot, unit)`, [`${states.join('\n')}\n`]);
    await client.query(
      `INSERT INTO plain SELECT usdot, unit, to_timestamp(fix_ms / 1000.0), to_timestamp(seen_ms / 1000.0), lat_e5 / 1e5,
         lng_e5 / 1e5, speed_kph, heading_deg, is_by_receipt
       FROM linehaul.fixes WHERE seen_ms >= $1 AND usdot = $2`,
      [hourMs, usdot],
    );
  } finally {
    client.release();
  }
  return fixes;
};
