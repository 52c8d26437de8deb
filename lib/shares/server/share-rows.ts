import 'server-only';
import type { Pool } from 'pg';
import type { TakenPosition } from '../blur';
import type { Precision, ShareEnd, SharedField, ShareState } from '../schema';

type Run = Pick<Pool, 'query'>;

/** A load or truck of a link as it is stored, Unix ms. */
export interface ItemRow {
  position: number;
  /** Null for a truck, and where its load was removed. */
  loadId: number | null;
  unit: string | null;
  alias: string;
  visitsAfterMs: number | null;
  taken: TakenPosition | null;
  endedMs: number | null;
  endedBy: ShareEnd | 'closed' | 'removed' | null;
}

/** A link as it is stored, with what its maker may see, Unix ms. */
export interface ShareRow {
  id: string;
  usdot: string;
  recipient: string;
  precision: Precision;
  fields: SharedField[];
  delayMin: number;
  endsMs: number | null;
  endsOn: ShareEnd | null;
  endsAtStop: number | null;
  endsAtSite: number | null;
  showsEnd: boolean;
  frameOrigins: string[];
  madeMs: number;
  revokedMs: number | null;
  /** Its maker has the right to it. */
  isKept: boolean;
  /** The tags of the trucks that its maker sees; null: all. */
  makerTags: string[] | null;
  items: ItemRow[];
}

const READ = `
  SELECT s.id, s.usdot, s.recipient, s.precision, s.fields, s.delay_min AS "delayMin", s.ends_ms::float8 AS "endsMs",
    s.ends_on AS "endsOn", s.ends_at_stop AS "endsAtStop", s.ends_at_site AS "endsAtSite", s.shows_end AS "showsEnd",
    s.frame_origins AS "frameOrigins", s.made_ms::float8 AS "madeMs", s.revoked_ms::float8 AS "revokedMs",
    s.made_by_id IS NULL OR (u.disabled_at IS NULL AND (u.usdots IS NULL OR s.usdot = ANY (u.usdots))) AS "isKept",
    u.tags AS "makerTags", i.items
  FROM linehaul.shares s
  LEFT JOIN linehaul.users u ON u.id = s.made_by_id
  JOIN LATERAL (
    SELECT json_agg(json_build_object('position', i.position, 'loadId', i.load_id, 'unit', i.unit, 'alias', i.alias,
      'visitsAfterMs', i.visits_after_ms, 'taken', i.taken, 'endedMs', i.ended_ms, 'endedBy', i.ended_by)
      ORDER BY i.position) AS items
    FROM linehaul.share_items i WHERE i.share_id = s.id
  ) i ON i.items IS NOT NULL
  WHERE `;

/** The link of a hashed token; null: none has it. */
export const findShare = async (run: Run, tokenHash: string): Promise<ShareRow | null> =>
  (await run.query<ShareRow>(`${READ} s.token_hash = $1`, [tokenHash])).rows[0] ?? null;

/** The links of a fleet, or the one with an id, the newest first. */
export const readShares = async (run: Run, usdot: string, id: string | null = null): Promise<ShareRow[]> => {
  const which = 's.usdot = $1 AND ($2::text IS NULL OR s.id = $2) ORDER BY s.made_ms DESC, s.id';
  return (await run.query<ShareRow>(`${READ} ${which}`, [usdot, id])).rows;
};

/** How a link stands at a time, Unix ms. */
export interface Standing {
  state: ShareState;
  endedMs: number | null;
  endedBy: ShareEnd | 'closed' | 'removed' | 'time' | 'revoked' | null;
}

/** Whether a link goes on: its time has not come, and not all of its items have ended. */
export const standingOf = (share: ShareRow, nowMs: number): Standing => {
  const { revokedMs, isKept, endsMs, items } = share;
  if (revokedMs !== null) return { state: 'revoked', endedMs: revokedMs, endedBy: 'revoked' };
  if (!isKept) return { state: 'revoked', endedMs: null, endedBy: 'revoked' };
  const ended = items.filter((item) => item.endedMs !== null);
  const last = ended.sort((a, b) => b.endedMs! - a.endedMs!)[0];
  const isOver = ended.length === items.length;
  if (isOver && last && (endsMs === null || last.endedMs! <= endsMs))
    return { state: 'ended', endedMs: last.endedMs, endedBy: last.endedBy };
  if (endsMs !== null && (endsMs <= nowMs || isOver))
    return { state: 'ended', endedMs: endsMs, endedBy: 'time' };
  return { state: 'open', endedMs: null, endedBy: null };
};
