import 'server-only';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { PoolClient } from 'pg';
import type { Executor } from '@/lib/database/database';
import { MINUTE_MS } from '@/lib/base/time';
import type { LoadChange } from '@/lib/rules/load-watch';

/** Takes the mails to customers that a poll makes due, in the transaction that stores what it found. */
export interface CustomerOutbox {
  /** Makes the jobs of mails that were stored; absent: customers get no mails. */
  mailCustomers?: (tx: Executor, ids: readonly string[]) => Promise<void>;
}

/** A departure is judged so long after it at most: one before the address was given may be found after that. */
const JUDGED_WITHIN_MS = 15 * MINUTE_MS;
/** Mails about one load to one address. */
const MOST_MAILS = 60;

/** What is known already is not written twice, also where a poll is repeated, or its stops were changed and judged again. */
const ADD_MAILS = `
  INSERT INTO linehaul.customer_mails (id, load_id, address, about, site_id, nth, appointment_ms, state, created_ms, updated_ms)
  SELECT gen_random_uuid()::text, l.id, a.address, n.about, s.site_id, s.nth,
    CASE n.about WHEN 'late' THEN s.appointment_to_ms ELSE 0 END, 'pending', $3, $3
  FROM jsonb_to_recordset($2::jsonb) AS n ("loadId" int8, revision int4, about text, position int2, "atMs" int8)
  JOIN linehaul.loads l ON l.id = n."loadId" AND l.usdot = $1 AND l.revision = n.revision AND l.ended_by IS NULL
  JOIN linehaul.load_mails m ON m.load_id = l.id AND n.about = ANY (m.about)
  JOIN LATERAL (
    SELECT p.*, row_number() OVER (PARTITION BY p.site_id ORDER BY p.position) - 1 AS nth
    FROM linehaul.load_stops p WHERE p.load_id = l.id
  ) s ON s.position = n.position AND s.site_id IS NOT NULL
  CROSS JOIN LATERAL jsonb_to_recordset(m.addresses) AS a (address text, "sinceMs" int8, "endedMs" int8)
  WHERE a."endedMs" IS NULL
    AND CASE n.about WHEN 'late' THEN n."atMs" > s.appointment_to_ms
      ELSE s.kind = n.about AND n."atMs" > a."sinceMs" - ${JUDGED_WITHIN_MS} END
    AND (SELECT count(*) FROM linehaul.customer_mails c WHERE c.load_id = l.id AND c.address = a.address) < ${MOST_MAILS}
  ON CONFLICT DO NOTHING RETURNING id`;

interface Due extends Pick<LoadChange, 'loadId' | 'revision'> {
  about: 'pickup' | 'delivery' | 'late';
  position: number;
  /** When the stop was left, or when the window begins, Unix ms. */
  atMs: number;
}

const toDue = ({ loadId, revision, events, window, verdict }: LoadChange): Due[] => [
  ...events
    .filter(({ kind }) => kind === 'left')
    .flatMap(({ position, atMs }) =>
      (['pickup', 'delivery'] as const).map((about) => ({ loadId, revision, about, position, atMs })),
    ),
  ...(window !== null && verdict === 'late'
    ? [{ loadId, revision, about: 'late' as const, position: window.position, atMs: window.fromMs }]
    : []),
];

/** Stores the mails to customers that changes of loads make due, each once, with their jobs. */
export const addCustomerMails = async (
  client: PoolClient,
  usdot: string,
  { changes, seenMs, outbox }: { changes: readonly LoadChange[]; seenMs: number; outbox: CustomerOutbox },
): Promise<void> => {
  const due = outbox.mailCustomers === undefined ? [] : changes.flatMap(toDue);
  if (due.length === 0) return;
  const { rows } = await client.query<{ id: string }>(ADD_MAILS, [usdot, JSON.stringify(due), seenMs]);
  if (rows.length > 0)
    await outbox.mailCustomers!(
      drizzle({ client }),
      rows.map(({ id }) => id),
    );
};
