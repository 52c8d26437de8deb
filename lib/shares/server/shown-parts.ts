import 'server-only';
import type { Pool } from 'pg';
import { LRUCache } from 'lru-cache';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { toSeen, type ShownRow } from '@/lib/rules/held-back';
import type { FleetRows } from '@/lib/wire/fleet';
import { isDue, take, TAKEN_EVERY_MS, type TakenPosition } from '../blur';
import type { ItemFacts, Snapshot } from './snapshot';
import { takenOf, toKnownWay, toSharedWindow, toShownRow, toStatus } from './to-view';

const FLEETS_KEPT = 8;

/** What was recorded of fleets, as links show it. */
export class SharedPast {
  readonly #reader: Pick<HistoryReader, 'readTrail' | 'readFleetAt'>;
  /** By fleet and minute: delayed links of a fleet show the same moments. */
  readonly #fleets = new LRUCache<string, Promise<FleetRows | null>>({ max: FLEETS_KEPT });

  constructor(reader: Pick<HistoryReader, 'readTrail' | 'readFleetAt'>) {
    this.#reader = reader;
  }

  readTrail(...range: Parameters<HistoryReader['readTrail']>): ReturnType<HistoryReader['readTrail']> {
    return this.#reader.readTrail(...range);
  }

  readFleetAt(usdot: string, atMs: number): Promise<FleetRows | null> {
    const key = `${usdot} ${atMs}`;
    const held = this.#fleets.get(key);
    if (held) return held;
    const reading = this.#reader.readFleetAt(usdot, atMs);
    this.#fleets.set(key, reading);
    reading.catch(() => this.#fleets.delete(key));
    return reading;
  }
}

/** The rows that a delayed link shows, by the places of its items. */
export const readDelayed = async (
  past: SharedPast | null,
  snapshot: Snapshot,
): Promise<Map<number, ShownRow | null>> => {
  const { share, momentMs, facts } = snapshot;
  const fleet = await past?.readFleetAt(share.usdot, momentMs);
  return new Map(
    facts.map((each) => {
      const row = fleet?.identities.findIndex((identity) => identity?.key === each.truck?.unit) ?? -1;
      const rows = fleet && row >= 0 ? [toSeen(fleet, row, momentMs)] : [];
      return [each.item.position, toShownRow(snapshot, each, rows)];
    }),
  );
};

/** Another server may have taken it meanwhile: then that stays. */
const TAKE = `
  UPDATE linehaul.share_items i SET taken = n.taken
  FROM jsonb_to_recordset($2::jsonb) AS n (position int2, taken jsonb)
  WHERE i.share_id = $1 AND i.position = n.position
    AND (i.taken IS NULL OR i.taken->>'unit' IS DISTINCT FROM n.taken->>'unit'
      OR (i.taken->>'takenMs')::int8 <= (n.taken->>'takenMs')::int8 - ${TAKEN_EVERY_MS})`;

const READ_TAKEN = `
  SELECT position, taken FROM linehaul.share_items WHERE share_id = $1 AND taken IS NOT NULL`;

/** Takes what a blurred link shows from now on, where that is due; what is shown then, by the places of its items. */
export const takeDue = async (
  pool: Pool,
  snapshot: Snapshot,
  rowOf: (facts: ItemFacts) => ShownRow | null,
): Promise<Map<number, TakenPosition>> => {
  const { share, nowMs, facts } = snapshot;
  const due = facts.flatMap((each) => {
    const row = rowOf(each);
    const held = takenOf(each);
    if (row === null || !isDue(held, nowMs)) return [];
    const way = toKnownWay({ share, facts: each, row, asOfMs: row.asOfMs });
    const { lat, lng, fixMs } = row.position;
    const seen = { lat, lng, fixAtMs: fixMs, takenMs: nowMs, unit: each.truck!.unit };
    const taken = take(held, {
      ...{ ...seen, status: toStatus(row, each) },
      window: toSharedWindow(way?.window ?? null),
      next: way?.next ?? null,
    });
    return [{ position: each.item.position, taken }];
  });
  if (due.length === 0)
    return new Map(facts.flatMap(({ item }) => (item.taken ? [[item.position, item.taken]] : [])));
  await pool.query(TAKE, [share.id, JSON.stringify(due)]);
  const { rows } = await pool.query<{ position: number; taken: TakenPosition }>(READ_TAKEN, [share.id]);
  return new Map(rows.map(({ position, taken }) => [position, taken]));
};
