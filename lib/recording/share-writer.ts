import 'server-only';
import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { judgeLoad, type PlannedLoad, type StopVisit } from '@/lib/arrivals/load';
import { toLoadEnd, type LoadEndKind } from '@/lib/arrivals/load-end';
import type { SiteVisit } from '@/lib/rules/site';
import type { LoadChange } from '@/lib/rules/load-watch';
import type { Renamed } from '@/lib/rules/poll-step';
import type { Executor } from '@/lib/database/database';
import { VISITS_OF_LOAD } from './load-writer';

type Run = Pick<Pool, 'query'>;

/** An item of a link has ended, Unix ms. */
export interface EndedItem {
  shareId: string;
  position: number;
  endedMs: number;
  endedBy: LoadEndKind | 'removed';
}

interface OpenItem extends Pick<EndedItem, 'shareId' | 'position'> {
  loadId: number;
  on: LoadEndKind | null;
  stop: number | null;
}

/** The first end that is stored stays. */
const STORE = `
  UPDATE linehaul.share_items i SET ended_ms = n."endedMs", ended_by = n."endedBy"
  FROM jsonb_to_recordset($1::jsonb) AS n ("shareId" text, position int2, "endedMs" int8, "endedBy" text)
  WHERE i.share_id = n."shareId" AND i.position = n.position AND i.ended_ms IS NULL`;

/** Stores ends of items of links; one that is stored already stays as it is. */
export const storeEnds = async (run: Run, ended: readonly EndedItem[]): Promise<void> => {
  if (ended.length > 0) await run.query(STORE, [JSON.stringify(ended)]);
};

const FIND_OPEN = `
  SELECT i.share_id AS "shareId", i.position, i.load_id::float8 AS "loadId", s.ends_on AS on, s.ends_at_stop AS stop
  FROM linehaul.share_items i JOIN linehaul.shares s ON s.id = i.share_id
  WHERE s.usdot = $1 AND i.load_id = ANY ($2::int8[]) AND i.ended_ms IS NULL AND s.revoked_ms IS NULL`;

const READ_JUDGED = `
  SELECT l.id::float8 AS id, l.ended_ms::float8 AS "endedMs", l.ended_by IS NOT NULL AS "isClosed", s.stops,
    coalesce(t.trucks, '[]') AS trucks, coalesce(v.visits, '[]') AS visits
  FROM linehaul.loads l
  JOIN LATERAL (
    SELECT json_agg(json_build_object('siteId', s.site_id, 'kind', s.kind, 'appointment',
        CASE WHEN s.appointment_to_ms IS NULL THEN NULL
          ELSE json_build_object('fromMs', s.appointment_from_ms, 'toMs', s.appointment_to_ms) END) ORDER BY s.position) AS stops
    FROM linehaul.load_stops s WHERE s.load_id = l.id
  ) s ON s.stops IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('unit', t.unit, 'fromMs', t.from_ms, 'toMs', t.to_ms) ORDER BY t.from_ms) AS trucks
    FROM linehaul.load_trucks t WHERE t.load_id = l.id
  ) t ON true
  ${VISITS_OF_LOAD}
  WHERE l.usdot = $1 AND l.id = ANY ($2::int8[])`;

type JudgedRow = Omit<PlannedLoad, 'endedMs'> & {
  endedMs: number | null;
  isClosed: boolean;
  visits: StopVisit[];
};

const toEnds = (items: readonly OpenItem[], loads: readonly JudgedRow[]): EndedItem[] =>
  items.flatMap(({ shareId, position, loadId, on, stop }) => {
    const load = loads.find(({ id }) => id === loadId);
    if (!load) return [];
    const judged = judgeLoad({ ...load, endedMs: load.isClosed ? load.endedMs : null }, load.visits);
    const end = toLoadEnd(
      { ...load, judged: judged.stops, endedMs: load.endedMs ?? judged.endedMs },
      { on, stop },
    );
    return end ? [{ shareId, position, endedMs: end.atMs, endedBy: end.by }] : [];
  });

/** Visits of trucks that links are about to the sites where they end. $2: the units. */
const END_TRUCKS = `
  UPDATE linehaul.share_items i SET ended_ms = e.at, ended_by = e.by FROM (
    SELECT o.share_id, o.position, s.ends_on AS by, min(CASE s.ends_on WHEN 'arrival' THEN v.arrived_ms ELSE v.left_ms END) AS at
    FROM linehaul.share_items o JOIN linehaul.shares s ON s.id = o.share_id
    JOIN linehaul.site_visits v ON v.usdot = s.usdot AND v.site_id = s.ends_at_site AND v.unit = o.unit COLLATE "C"
      AND v.arrived_ms > o.visits_after_ms
    WHERE s.usdot = $1 AND o.unit = ANY ($2) AND o.ended_ms IS NULL AND s.ends_on IS NOT NULL AND s.revoked_ms IS NULL
    GROUP BY 1, 2, 3
  ) e WHERE e.at IS NOT NULL AND i.share_id = e.share_id AND i.position = e.position AND i.ended_ms IS NULL`;

/** Ends the links whose end a poll found, in the transaction that stores it. */
export const endShares = async (
  client: Run,
  usdot: string,
  { visits, loads }: { visits: readonly SiteVisit[]; loads: readonly LoadChange[] },
): Promise<void> => {
  const loadIds = loads
    .filter(({ events, endedMs }) => events.length > 0 || endedMs !== null)
    .map(({ loadId }) => loadId);
  if (loadIds.length > 0) {
    const { rows } = await client.query<OpenItem>(FIND_OPEN, [usdot, loadIds]);
    if (rows.length > 0) {
      const ids = [...new Set(rows.map(({ loadId }) => loadId))];
      const judged = await client.query<JudgedRow>(READ_JUDGED, [usdot, ids]);
      await storeEnds(client, toEnds(rows, judged.rows));
    }
  }
  if (visits.length > 0)
    await client.query(END_TRUCKS, [usdot, [...new Set(visits.map(({ unit }) => unit))]]);
};

/** Links of a truck that has another key now are of that, and what was taken of it stays. */
export const renameShares = async (client: Run, usdot: string, [from, to]: Renamed): Promise<void> => {
  await client.query(
    `UPDATE linehaul.share_items i SET unit = CASE i.unit WHEN $2 THEN $3 ELSE i.unit END,
       taken = CASE i.taken->>'unit' WHEN $2 THEN jsonb_set(i.taken, '{unit}', to_jsonb($3::text)) ELSE i.taken END
     FROM linehaul.shares s
     WHERE s.id = i.share_id AND s.usdot = $1 AND (i.unit = $2 OR i.taken->>'unit' = $2)`,
    [usdot, from, to],
  );
};

/** Ends what links show of a load that was ended by hand, in its transaction. */
export const endSharesOfLoad = async (tx: Executor, loadId: number, nowMs: number): Promise<void> => {
  await tx.execute(sql`UPDATE linehaul.share_items SET ended_ms = ${nowMs}, ended_by = 'closed'
    WHERE load_id = ${loadId} AND ended_ms IS NULL`);
};

/**
 * Keeps the ends of links at their stops in the transaction that changes the stops of their load. `positions`: by the position
 * that a stop had, the one that it has now; null: it was removed, so that no fix can show its end any more. The stops of a
 * link of several loads are counted in each of them, so it has no end where one of them has moved.
 */
export const moveShareEnds = async (
  tx: Executor,
  loadId: number,
  positions: readonly (number | null)[],
  nowMs: number,
): Promise<void> => {
  const moved = sql`unnest(${sql.param(positions)}::int[]) WITH ORDINALITY AS m (now, nth)`;
  const open = sql`i.share_id = s.id AND i.load_id = ${loadId} AND i.ended_ms IS NULL
    AND s.ends_on IN ('arrival', 'departure') AND m.nth = least(s.ends_at_stop, ${positions.length - 1}::int) + 1`;
  await tx.execute(sql`UPDATE linehaul.share_items i SET ended_ms = ${nowMs}, ended_by = 'removed'
    FROM linehaul.shares s, ${moved} WHERE ${open} AND (m.now IS NULL OR m.now <> s.ends_at_stop
      AND EXISTS (SELECT FROM linehaul.share_items o WHERE o.share_id = s.id AND o.position <> i.position))`);
  await tx.execute(
    sql`UPDATE linehaul.shares s SET ends_at_stop = m.now FROM linehaul.share_items i, ${moved} WHERE ${open}`,
  );
};

/**
 * Ends what links of a fleet show whose load was removed, or whose end no fix can show any more because the site was removed
 * where it is, in the transaction that removed it.
 */
export const endRemovedShares = async (tx: Executor, usdot: string, nowMs: number): Promise<void> => {
  await tx.execute(sql`UPDATE linehaul.share_items i SET ended_ms = ${nowMs}, ended_by = 'removed' FROM linehaul.shares s
    WHERE s.id = i.share_id AND s.usdot = ${usdot} AND i.ended_ms IS NULL AND (
      (i.load_id IS NULL AND (i.unit IS NULL OR s.ends_on IS NOT NULL AND s.ends_at_site IS NULL))
      OR (s.ends_on IS NOT NULL AND EXISTS (
        SELECT FROM linehaul.load_stops p WHERE p.load_id = i.load_id AND p.site_id IS NULL AND p.position = least(
          CASE s.ends_on WHEN 'delivery' THEN NULL ELSE s.ends_at_stop END,
          (SELECT max(l.position) FROM linehaul.load_stops l WHERE l.load_id = i.load_id)))))`);
};
