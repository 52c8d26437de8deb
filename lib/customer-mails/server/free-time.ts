import 'server-only';
import { sql } from 'drizzle-orm';
import { MINUTE_MS } from '@/lib/base/time';
import type { Executor } from '@/lib/database/database';
import { TERMS_OF_STOP } from '@/lib/recording/load-writer';

/** The customer is told so long before free time ends. */
const NOTICE_MS = 30 * MINUTE_MS;
/** Mails about one load to one address. */
const MOST_MAILS = 60;

/**
 * Stores the mails about free time that ends within half an hour, each once, and returns their ids. A truck that came and left
 * within free time causes none, nor does free time that is over.
 */
export const addFreeTimeMails = async (tx: Executor, nowMs: number): Promise<string[]> => {
  const { rows } = await tx.execute<{ id: string }>(sql`
    INSERT INTO linehaul.customer_mails (id, load_id, address, about, site_id, nth, appointment_ms, state, created_ms, updated_ms)
    SELECT gen_random_uuid()::text, l.id, a.address, 'freeTime', s.site_id, s.nth, 0, 'pending', ${nowMs}, ${nowMs}
    FROM linehaul.site_visits v
    JOIN LATERAL (
      SELECT p.*, row_number() OVER (PARTITION BY p.load_id, p.site_id ORDER BY p.position) - 1 AS nth
      FROM linehaul.load_stops p WHERE p.site_id = v.site_id
    ) s ON true
    JOIN linehaul.loads l ON l.id = s.load_id AND l.usdot = v.usdot AND l.ended_ms IS NULL
    JOIN linehaul.load_states k ON k.load_id = l.id AND k.next = s.position AND k.state LIKE 'at%'
    JOIN linehaul.load_trucks t ON t.load_id = l.id AND t.unit = v.unit AND t.to_ms IS NULL
    JOIN linehaul.load_mails m ON m.load_id = l.id AND 'freeTime' = ANY (m.about)
    ${sql.raw(TERMS_OF_STOP)}
    CROSS JOIN LATERAL jsonb_to_recordset(m.addresses) AS a (address text, "endedMs" int8, "isListed" bool)
    CROSS JOIN LATERAL (
      SELECT greatest(v.arrived_ms, s.appointment_from_ms) + coalesce(s.free_min, d.free_min) * 60000::int8 AS ends_ms
    ) f
    WHERE v.left_ms IS NULL AND a."endedMs" IS NULL AND coalesce(a."isListed", true)
      AND f.ends_ms > ${nowMs} AND f.ends_ms <= ${nowMs + NOTICE_MS}
      AND (SELECT count(*) FROM linehaul.customer_mails c WHERE c.load_id = l.id AND c.address = a.address) < ${MOST_MAILS}
    ON CONFLICT DO NOTHING RETURNING id`);
  return rows.map(({ id }) => id);
};
