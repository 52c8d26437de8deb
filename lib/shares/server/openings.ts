import 'server-only';
import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import type { Clock } from '@/lib/base/clock';
import { getOrMake } from '@/lib/base/maps';
import { toKey } from '@/lib/base/sealed';
import { HOUR_MS, SECOND_MS } from '@/lib/base/time';
import { PLACE_BITS, toPlace } from '../places';

const WRITTEN_EVERY_MS = 5 * SECOND_MS;
/** Counts of so many links and hours are held while the database is away. */
const MOST_HELD = 10_000;

/** Openings of a link or calendar in an hour that are not written yet. */
interface Held {
  shareId: string;
  hourMs: number;
  count: number;
  bits: Set<number>;
  lastMs: number;
}

/**
 * In the order of the keys, so that servers wait for each other in one order. A calendar is read by programs, not by
 * people: of it the count and the last time are enough.
 */
const ADD = `
  WITH n AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS n ("shareId" text, "hourMs" int8, count int4, places text, "lastMs" int8)
  ), of_links AS (
    INSERT INTO linehaul.share_openings AS held (share_id, hour_ms, count, places, last_ms)
    SELECT s.id, n."hourMs", n.count, n.places::bit(${PLACE_BITS}), n."lastMs"
    FROM n JOIN linehaul.shares s ON s.id = n."shareId" ORDER BY 1, 2
    ON CONFLICT (share_id, hour_ms) DO UPDATE SET count = held.count + EXCLUDED.count,
      places = held.places | EXCLUDED.places, last_ms = greatest(held.last_ms, EXCLUDED.last_ms)
  ), locked AS (
    SELECT c.id FROM linehaul.site_calendars c WHERE c.id IN (SELECT "shareId" FROM n) ORDER BY 1 FOR NO KEY UPDATE
  )
  UPDATE linehaul.site_calendars c
  SET opened = c.opened + r.count, last_opened_ms = greatest(c.last_opened_ms, r."lastMs")
  FROM (SELECT "shareId", sum(count)::int4 AS count, max("lastMs") AS "lastMs" FROM n GROUP BY 1) r
  JOIN locked ON locked.id = r."shareId"
  WHERE c.id = r."shareId"`;

const toBits = (set: ReadonlySet<number>): string =>
  Array.from({ length: PLACE_BITS }, (_, bit) => (set.has(bit) ? '1' : '0')).join('');

interface OpeningsOptions {
  open: () => Promise<Pick<Pool, 'query'>>;
  clock: Clock;
  secret: string;
  log: { warn: (fields: object, message: string) => void };
}

/** Counts how often links and calendars are opened, and from how many networks, of which no one can be found in what is stored. */
export class Openings {
  readonly #options: OpeningsOptions;
  readonly #key: Buffer;
  #held = new Map<string, Held>();
  #cancel: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: OpeningsOptions) {
    this.#options = options;
    this.#key = toKey(options.secret, 'linehaul share places');
  }

  /** Counts an opening of a link or calendar from an address, which is not kept. */
  note(shareId: string, address: string): void {
    const { clock } = this.#options;
    const nowMs = clock.nowMs();
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    const key = `${shareId} ${hourMs}`;
    if (!this.#held.has(key) && this.#held.size >= MOST_HELD) return;
    const held = getOrMake(this.#held, key, () => ({
      shareId,
      hourMs,
      count: 0,
      bits: new Set<number>(),
      lastMs: nowMs,
    }));
    held.count += 1;
    held.lastMs = nowMs;
    // Of each link another hash, so that two links do not tell whether one network opened both.
    const hash = createHmac('sha256', this.#key)
      .update(`${shareId} ${toPlace(address)}`)
      .digest();
    held.bits.add(hash.readUInt32BE(0) % PLACE_BITS);
    this.#cancel ??= clock.setTimer(() => {
      this.#cancel = null;
      void this.flush();
    }, WRITTEN_EVERY_MS);
  }

  /** Writes what is held; what cannot be written is held on. Never rejects. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { open, log } = this.#options;
    const taken = this.#held;
    if (taken.size === 0) return;
    this.#held = new Map();
    const rows = [...taken.values()].map(({ bits, ...row }) => ({ ...row, places: toBits(bits) }));
    try {
      await (await open()).query(ADD, [JSON.stringify(rows)]);
    } catch (error) {
      log.warn({ reason: String(error) }, 'The openings of links cannot be counted now.');
      for (const [key, { count, bits, lastMs, ...about }] of taken) {
        const held = getOrMake(this.#held, key, () => ({
          ...about,
          count: 0,
          bits: new Set<number>(),
          lastMs,
        }));
        held.count += count;
        for (const bit of bits) held.bits.add(bit);
      }
    }
  }

  /** Writes what is held, and ends. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    await this.flush();
  }
}
