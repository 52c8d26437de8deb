import 'server-only';
import { sql } from 'drizzle-orm';
import { freeRangeOf } from '@/lib/arrivals/free-time';
import { MINUTE_MS } from '@/lib/base/time';
import type { Database, Executor } from '@/lib/database/database';
import type { Load } from '@/lib/loads/load';
import { readLoads } from '@/lib/loads/server/loads';

/** The mail goes out so long before free time ends. */
const NOTICE_MS = 30 * MINUTE_MS;
/** Mails about one load to one address. */
const MOST_MAILS = 60;

/** Loads whose truck is at a stop, and whose customer is to be mailed before free time ends, by their fleets. */
const readAtStop = async (tx: Executor): Promise<{ usdot: string; ids: number[] }[]> =>
  (
    await tx.execute<{ usdot: string; ids: number[] }>(sql`
      SELECT l.usdot, json_agg(l.id::float8) AS ids FROM linehaul.loads l
      JOIN linehaul.load_states k ON k.load_id = l.id AND k.state LIKE 'at%'
      JOIN linehaul.load_mails m ON m.load_id = l.id AND 'freeTime' = ANY (m.about)
      WHERE l.ended_ms IS NULL GROUP BY l.usdot`)
  ).rows;

/** The stop at which free time of a load ends soon; null: there is none. */
const toEnding = ({ id, next, stops, judged }: Load, nowMs: number) => {
  const [stop, visit] = [stops[next ?? -1], judged[next ?? -1]?.visit];
  if (!stop || visit?.leftMs !== null) return null;
  const endMs = freeRangeOf(stop, visit)?.toMs ?? Infinity;
  if (endMs <= nowMs || endMs > nowMs + NOTICE_MS) return null;
  const nth = stops.slice(0, next!).filter(({ siteId }) => siteId === stop.siteId).length;
  return { loadId: id, siteId: stop.siteId, nth };
};

/**
 * Stores the mails about free time that ends within half an hour, each once, and returns their ids. A truck that came and left
 * within free time causes none, nor does free time that is over.
 */
export const addFreeTimeMails = async (
  tx: Executor,
  pool: Database['pool'],
  nowMs: number,
): Promise<string[]> => {
  const ending = [];
  for (const { usdot, ids } of await readAtStop(tx))
    for (const load of await readLoads(pool, usdot, { endedAfterMs: 0, ids, nowMs }))
      ending.push(toEnding(load, nowMs) ?? []);
  const { rows } = await tx.execute<{ id: string }>(sql`
    INSERT INTO linehaul.customer_mails (id, load_id, address, about, site_id, nth, appointment_ms, state, created_ms, updated_ms)
    SELECT gen_random_uuid()::text, f."loadId", a.address, 'freeTime', f."siteId", f.nth, 0, 'pending', ${nowMs}, ${nowMs}
    FROM jsonb_to_recordset(${JSON.stringify(ending.flat())}::jsonb) AS f ("loadId" int8, "siteId" int4, nth int2)
    JOIN linehaul.load_mails m ON m.load_id = f."loadId" AND 'freeTime' = ANY (m.about)
    CROSS JOIN LATERAL jsonb_to_recordset(m.addresses) AS a (address text, "endedMs" int8, "isListed" bool)
    WHERE a."endedMs" IS NULL AND coalesce(a."isListed", true)
      AND (SELECT count(*) FROM linehaul.customer_mails c WHERE c.load_id = f."loadId" AND c.address = a.address) < ${MOST_MAILS}
    ON CONFLICT DO NOTHING RETURNING id`);
  return rows.map(({ id }) => id);
};
