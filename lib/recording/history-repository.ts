import 'server-only';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient, ClientBase } from 'pg';
import { inTransaction } from '@/lib/database/database';
import type { AlertChange } from '@/lib/rules/engine/rule-state';
import { RULES_LOCK, renameAlerts, writeAlerts, type AlertOutbox } from './alert-writer';
import type { CustomerOutbox } from './customer-mail-writer';
import type { LoadChange } from '@/lib/rules/load-watch';
import { lockFleet } from '@/lib/database/fleet-lock';
import type { Renamed } from '@/lib/rules/poll-step';
import type { SiteVisit } from '@/lib/rules/site';
import { toCountAgain, AWAITED, WIDE_MS, renameVisits, writeVisits } from './visit-repository';
import { renameLoads, writeLoads } from './load-writer';
import { endShares, renameShares } from './share-writer';
import { MADE, type CoverageInterval } from '@/lib/trips/coverage';
import {
  NOT_SHOWN,
  toInt4s,
  toInt8s,
  toTexts,
  type PgRows,
  type PollChanges,
} from '@/lib/fleet/poll-changes';
import { toE5 } from '@/lib/fleet/row-columns';
import type { LatLng } from '@/lib/geo/units';
import { STATE_NAMES } from './recorded-fleet';
import { AHEAD_MS, makePartitions } from './partitions';
import { HOUR_MS, type TimeRange } from '@/lib/base/time';

/** Another server records the fleet now. */
export class FencedError extends Error {
  override name = 'FencedError';
}

const RAISE = `
  INSERT INTO linehaul.fleet_fences AS f (usdot, fence) VALUES ($1, $2)
  ON CONFLICT (usdot) DO UPDATE SET fence = EXCLUDED.fence WHERE f.fence <= EXCLUDED.fence
  RETURNING fence`;

/** Locks the fleet's row and notes `fence`. @throws FencedError where a server with a greater number has claimed the fleet */
export const requireFence = async (
  client: Pick<ClientBase | Pool, 'query'>,
  usdot: string,
  fence: number,
): Promise<void> => {
  const { rowCount } = await client.query(RAISE, [usdot, fence]);
  if (rowCount === 0)
    throw new FencedError(`Got fence ${fence} of USDOT ${usdot} when another server has a greater one.`);
};

export interface PollEntry {
  usdot: string;
  /** The number of the lease that it was polled under; null where no other server records the fleet. */
  fence?: number | null;
  seenMs: number;
  /** Null where it changed nothing. */
  changes: PollChanges | null;
  coverage: readonly CoverageInterval[];
  /** Units by status, in the order of STATUSES, after it; null where its answer was not applied. */
  statusCounts: readonly number[] | null;
  visits?: readonly SiteVisit[];
  alerts?: readonly AlertChange[];
  loads?: readonly LoadChange[];
  /** Where the fleet is polled, with the first poll of a process. */
  provider?: string | null;
  /** Units with another key: their open visits and alerts go on under that. */
  renamed?: readonly Renamed[];
  /** That of an own fleet's store, up to which fixes are handed over after it; absent or null: none are. */
  revision?: number | null;
}

/** Fixes of an own fleet's store. */
export interface StoredEntry extends Pick<PollEntry, 'usdot' | 'fence' | 'seenMs'> {
  /** Up to which revision the fixes were recorded before, and are now. */
  since: number;
  revision: number;
  /** As those of PollChanges. */
  fixes: PgRows | null;
}

/** Fixes of a time before the recording began, each of a unit by its key, in degrees. */
export interface RecordedDay extends TimeRange {
  fixes: (LatLng & { unit: string; fixAtMs: number })[];
}

export interface RecordedSize {
  /** On disk, with indexes and the archive. */
  bytes: number;
  /** The begin of the oldest archived hour, Unix ms; null: none. */
  archivedFromMs: number | null;
  /** When the recording of each fleet began, Unix ms. */
  sinceMs: Map<string, number>;
}

/** The newest counts of each step are kept. */
const COUNTS_STEP_MS = 10 * 60_000;
const TABLES = [
  ...['fixes', 'states', 'unit_identities', 'unit_motions'],
  ...['status_counts', 'coverage', 'fleet_providers', 'site_visits', 'alerts', 'handed_over', 'late_trails'],
];

/**
 * Inserts each fix once. The index of a partition refuses the repeats of its hour; a fix that is old enough to have been
 * seen in an earlier hour is looked up in the partitions from the hour of its own time on. OFFSET 0 keeps that a look-up
 * for each of these few, instead of one join over all partitions.
 */
const toInsertFixes = (isFromStore: boolean): string => `
  INSERT INTO linehaul.fixes
    (usdot, unit, fix_ms, seen_ms, lat_e5, lng_e5, is_by_receipt, speed_kph, heading_deg, is_from_store)
  SELECT $1, n.unit, n.fix_ms, $2::bigint, n.lat_e5, n.lng_e5, n.is_by_receipt,
    nullif(n.speed_kph, ${NOT_SHOWN}), nullif(n.heading_deg, ${NOT_SHOWN}), ${isFromStore}
  FROM unnest($4::text[], $5::int8[], $6::int4[], $7::int4[], $8::bool[], $9::int4[], $10::int4[])
    AS n (unit, fix_ms, lat_e5, lng_e5, is_by_receipt, speed_kph, heading_deg)
  WHERE n.fix_ms >= $3::bigint + ${AHEAD_MS} OR NOT EXISTS (
    SELECT FROM linehaul.fixes f
    WHERE f.usdot = $1 AND f.unit = n.unit COLLATE "C" AND f.fix_ms = n.fix_ms
      AND f.seen_ms >= n.fix_ms - ${AHEAD_MS} AND f.seen_ms < $3::bigint
    OFFSET 0)
  ON CONFLICT DO NOTHING`;
const INSERT_FIXES = toInsertFixes(false);

/** Fixes that are older than this when they are recorded may prove visits to sites. */
const LATE_MS = 2 * 60_000;
/** A fix that polls did not show may tell more of a visit that is recorded where it is older than this. */
const UNSHOWN_MS = 15_000;
/** Visits that are longer are left to late fixes. */
const LONGEST_VISIT_MS = 3 * 24 * 3_600_000;
const INSERT_STORED_FIXES = `
  WITH inserted AS (${toInsertFixes(true)} RETURNING unit, fix_ms)
  INSERT INTO linehaul.late_trails AS held (usdot, unit, from_ms, to_ms, seen_ms)
  SELECT $1, unit, min(fix_ms), max(fix_ms), $2::bigint FROM inserted
  WHERE EXISTS (SELECT FROM linehaul.sites WHERE usdot = $1) AND (fix_ms < $2::bigint - ${LATE_MS}
    OR fix_ms < $2::bigint - ${UNSHOWN_MS} AND EXISTS (
      SELECT FROM linehaul.site_visits v
      WHERE v.usdot = $1 AND v.unit = inserted.unit AND v.arrived_ms > fix_ms - ${LONGEST_VISIT_MS}
        AND (fix_ms > v.arrived_after_ms AND fix_ms < v.arrived_ms AND v.arrived_ms - v.arrived_after_ms > ${WIDE_MS}
          OR fix_ms > v.left_ms AND fix_ms < v.left_by_ms AND v.left_by_ms - v.left_ms > ${WIDE_MS})))
  GROUP BY unit ORDER BY unit
  ON CONFLICT (usdot, unit) DO UPDATE SET
    from_ms = least(held.from_ms, EXCLUDED.from_ms), to_ms = greatest(held.to_ms, EXCLUDED.to_ms),
    seen_ms = EXCLUDED.seen_ms`;

/**
 * Fixes that the units of an own fleet kept are handed over after the poll that shows the newest ones: until then a late
 * trail of no unit has when that poll was, and the revision that is to be handed over, by which it is named.
 */
const AWAIT_STORED_FIXES = `
  INSERT INTO linehaul.late_trails AS held (usdot, unit, from_ms, to_ms, seen_ms)
  SELECT $1, '${AWAITED}' || $3::bigint, $2::bigint, $3::bigint, $2::bigint
  WHERE coalesce((SELECT revision FROM linehaul.handed_over WHERE usdot = $1), 0) < $3::bigint
  ON CONFLICT (usdot, unit) DO UPDATE SET seen_ms = EXCLUDED.seen_ms`;
const HAVE_STORED_FIXES = `
  DELETE FROM linehaul.late_trails WHERE usdot = $1 AND starts_with(unit, '${AWAITED}') AND to_ms <= $2`;

const INSERT_STATES = `
  INSERT INTO linehaul.states (usdot, seen_ms, unit, ${STATE_NAMES.join(', ')})
  SELECT $1, $2::bigint, n.unit, ${STATE_NAMES.map((name) => `nullif(n.${name}, ${NOT_SHOWN})`).join(', ')}
  FROM unnest($3::text[], ${STATE_NAMES.map((_, i) => `$${i + 4}::int4[]`).join(', ')})
    AS n (unit, ${STATE_NAMES.join(', ')})
  ON CONFLICT DO NOTHING`;

/** Stores identities that differ from the newest; a unit that only the roster names keeps the names that it had. */
const INSERT_IDENTITIES = `
  INSERT INTO linehaul.unit_identities (usdot, unit, seen_ms, identity)
  SELECT $1, n.unit, $2::bigint, n.identity::jsonb
  FROM unnest($3::text[], $4::text[]) AS n (unit, identity)
  LEFT JOIN LATERAL (
    SELECT i.identity FROM linehaul.unit_identities i WHERE i.usdot = $1 AND i.unit = n.unit COLLATE "C"
    ORDER BY i.seen_ms DESC LIMIT 1
  ) newest ON true
  WHERE newest.identity IS DISTINCT FROM n.identity::jsonb
    AND (newest.identity IS NULL OR jsonb_strip_nulls(n.identity::jsonb) - ARRAY['key', 'vin'] <> '{}')
  ON CONFLICT DO NOTHING`;

const INSERT_MOTIONS = `
  INSERT INTO linehaul.unit_motions (usdot, unit, motion)
  SELECT $1, n.unit, n.motion::jsonb FROM unnest($2::text[], $3::text[]) AS n (unit, motion)
  ON CONFLICT (usdot, unit) DO UPDATE SET motion = EXCLUDED.motion`;

/** Notes the provider of a fleet where it is another one than before. */
const NOTE_PROVIDER = `
  INSERT INTO linehaul.fleet_providers (usdot, from_ms, provider)
  SELECT $1, $2::bigint, $3::text WHERE $3::text IS DISTINCT FROM (
    SELECT provider FROM linehaul.fleet_providers WHERE usdot = $1 ORDER BY from_ms DESC LIMIT 1)
  ON CONFLICT DO NOTHING`;

const CONTACT_COLUMNS =
  'driver, driver_phone, second_driver, second_driver_phone, dispatcher, dispatcher_phone, text, changed_ms';

/** Notes, tags and contacts of a unit that has another key now are under that, and lists of rules and report mails have it: they are of the truck. */
const MOVE_MARKS = [
  'UPDATE linehaul.unit_notes SET unit = $3 WHERE usdot = $1 AND unit = $2',
  `WITH moved AS (DELETE FROM linehaul.unit_tags WHERE usdot = $1 AND unit = $2 RETURNING tag)
   INSERT INTO linehaul.unit_tags (usdot, tag, unit) SELECT $1, tag, $3 FROM moved ON CONFLICT DO NOTHING`,
  // What the truck has under its present key is newer.
  `WITH moved AS (DELETE FROM linehaul.unit_contacts WHERE usdot = $1 AND unit = $2 RETURNING *)
   INSERT INTO linehaul.unit_contacts (usdot, unit, ${CONTACT_COLUMNS}) SELECT usdot, $3, ${CONTACT_COLUMNS} FROM moved
   ON CONFLICT DO NOTHING`,
  `UPDATE linehaul.alert_rules SET units = jsonb_set(units, '{units}', (units->'units') - $2::text - $3::text || to_jsonb($3::text))
   WHERE usdot = $1 AND units->>'type' = 'units' AND units->'units' ? $2`,
  'UPDATE linehaul.report_mails SET unit = $3 WHERE usdot = $1 AND unit = $2',
];

/** The one way of messages to people and programs: they are added in the transaction that finds what they are about. */
export type Outbox = AlertOutbox & CustomerOutbox;

const COUNT_EARLIER = toCountAgain(
  'v.usdot = $1 AND v.arrived_ms < $3 AND coalesce(v.left_ms, v.arrived_ms) >= $2',
);

export class HistoryRepository {
  readonly #pool: Pool;
  /** Takes the messages about alerts and loads; null: none are sent. */
  readonly #outbox: Outbox | null;
  /** The hour whose partition, and those after it, were made by this process last; null: none. */
  #madeHour: number | null = null;

  constructor(pool: Pool, outbox: Outbox | null = null) {
    this.#pool = pool;
    this.#outbox = outbox;
  }

  /** Stores what one poll adds, in one transaction; a repeat changes nothing. @throws FencedError, and then nothing is stored */
  async write({
    usdot,
    fence = null,
    seenMs,
    changes,
    coverage,
    statusCounts,
    visits = [],
    alerts = [],
    loads = [],
    provider = null,
    renamed = [],
    revision = null,
  }: PollEntry): Promise<boolean> {
    return this.#writeInHour({ usdot, fence, seenMs }, async (client, hourMs) => {
      const { fixes = null, states = null, identities = null, motions = null } = changes ?? {};
      if (fixes) await client.query(INSERT_FIXES, [usdot, seenMs, hourMs, ...fixes.columns]);
      if (revision !== null) await client.query(AWAIT_STORED_FIXES, [usdot, seenMs, revision]);
      if (states) await client.query(INSERT_STATES, [usdot, seenMs, ...states.columns]);
      if (identities) await client.query(INSERT_IDENTITIES, [usdot, seenMs, ...identities.columns]);
      if (motions) await client.query(INSERT_MOTIONS, [usdot, ...motions.columns]);
      if (renamed.length > 0) {
        // What is read, merged and written beside it would have the former key again.
        await lockFleet(drizzle({ client }), usdot);
        await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [RULES_LOCK, usdot]);
      }
      for (const each of renamed) {
        await renameVisits(client, usdot, each);
        await renameAlerts(client, usdot, each);
        await renameLoads(client, usdot, each);
        await renameShares(client, usdot, each);
        for (const move of MOVE_MARKS) await client.query(move, [usdot, ...each]);
      }
      if (provider !== null) await client.query(NOTE_PROVIDER, [usdot, seenMs, provider]);
      if (visits.length > 0) await writeVisits(client, usdot, visits, seenMs);
      if (loads.length > 0) await writeLoads(client, usdot, { changes: loads, seenMs, outbox: this.#outbox });
      if (visits.length + loads.length > 0) await endShares(client, usdot, { visits, loads });
      const areOpened = alerts.length === 0 || (await writeAlerts(client, usdot, alerts, this.#outbox));
      if (statusCounts)
        await client.query(
          `INSERT INTO linehaul.status_counts (usdot, from_ms, counts) VALUES ($1, $2, $3)
           ON CONFLICT (usdot, from_ms) DO UPDATE SET counts = EXCLUDED.counts`,
          [usdot, Math.floor(seenMs / COUNTS_STEP_MS) * COUNTS_STEP_MS, statusCounts],
        );
      for (const { fromMs, toMs, state, problem } of coverage)
        await client.query(
          `INSERT INTO linehaul.coverage (usdot, from_ms, to_ms, state, problem) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (usdot, from_ms) DO UPDATE SET to_ms = EXCLUDED.to_ms, state = EXCLUDED.state,
             problem = EXCLUDED.problem`,
          [usdot, fromMs, toMs, state, problem],
        );
      return areOpened;
    });
  }

  /** Notes the provider of a fleet from a moment on. */
  async noteProvider(usdot: string, provider: string, fromMs: number): Promise<void> {
    await this.#pool.query(NOTE_PROVIDER, [usdot, fromMs, provider]);
  }

  /**
   * Stores what was recorded before the recording began as far as was known, under the names that units had first. Of a time
   * with fixes of its own the coverage has the problem `made`: when they would have been seen is not known.
   */
  async beginEarlier(usdot: string, { fromMs, toMs, fixes }: RecordedDay): Promise<void> {
    await this.#writeInHour({ usdot, fence: null, seenMs: toMs - 1 }, async (client) => {
      const columnOf = <T>(read: (fix: RecordedDay['fixes'][number]) => T): T[] => fixes.map(read);
      await client.query(
        `INSERT INTO linehaul.fixes (usdot, unit, fix_ms, seen_ms, lat_e5, lng_e5, is_by_receipt)
         SELECT $1, n.unit, n.fix_ms, $2, n.lat_e5, n.lng_e5, false
         FROM unnest($3::text[], $4::int8[], $5::int4[], $6::int4[]) AS n (unit, fix_ms, lat_e5, lng_e5)
         ON CONFLICT DO NOTHING`,
        [
          ...[usdot, toMs - 1, toTexts(columnOf(({ unit }) => unit))],
          toInt8s(columnOf(({ fixAtMs }) => fixAtMs)),
          ...[toInt4s(columnOf(({ lat }) => toE5(lat))), toInt4s(columnOf(({ lng }) => toE5(lng)))],
        ],
      );
      await client.query(
        `INSERT INTO linehaul.coverage (usdot, from_ms, to_ms, state, problem) VALUES ($1, $2, $3, 'answered', $4)`,
        [usdot, fromMs, toMs, fixes.length > 0 ? MADE : null],
      );
      await client.query(
        `UPDATE linehaul.unit_identities SET seen_ms = $2 WHERE usdot = $1 AND seen_ms =
           (SELECT min(seen_ms) FROM linehaul.unit_identities WHERE usdot = $1)`,
        [usdot, fromMs],
      );
      // Visits of that time are known before their fixes.
      await client.query(COUNT_EARLIER, [usdot, fromMs, toMs]);
    });
  }

  /**
   * Stores fixes that no poll showed, and up to where the store's are recorded, in one transaction; false where they are not
   * recorded up to `since` any more, and then nothing is stored. @throws FencedError
   */
  handOver({ usdot, fence = null, seenMs, since, revision, fixes }: StoredEntry): Promise<boolean> {
    return this.#writeInHour({ usdot, fence, seenMs }, async (client, hourMs) => {
      const { rowCount } = await client.query(
        `INSERT INTO linehaul.handed_over AS held (usdot, revision) SELECT $1, $3::bigint WHERE $2::bigint = 0
           OR EXISTS (SELECT FROM linehaul.handed_over WHERE usdot = $1)
         ON CONFLICT (usdot) DO UPDATE SET revision = EXCLUDED.revision WHERE held.revision = $2`,
        [usdot, since, revision],
      );
      if (rowCount === 0) return false;
      if (fixes) await client.query(INSERT_STORED_FIXES, [usdot, seenMs, hourMs, ...fixes.columns]);
      await client.query(HAVE_STORED_FIXES, [usdot, revision]);
      return true;
    });
  }

  /** Up to which revision the fixes of an own fleet's store are recorded; 0: none is. */
  async readHandedOver(usdot: string): Promise<number> {
    const { rows } = await this.#pool.query<{ revision: number }>(
      'SELECT revision::float8 AS revision FROM linehaul.handed_over WHERE usdot = $1',
      [usdot],
    );
    return rows[0]?.revision ?? 0;
  }

  /** Writes rows of the hour of `seenMs` in one transaction, under the fence. */
  async #writeInHour<T>(
    { usdot, fence, seenMs }: { usdot: string; fence: number | null; seenMs: number },
    write: (client: PoolClient, hourMs: number) => Promise<T>,
  ): Promise<T> {
    const hour = Math.floor(seenMs / HOUR_MS);
    if (hour !== this.#madeHour) {
      await makePartitions(this.#pool, seenMs);
      this.#madeHour = hour;
    }
    try {
      return await inTransaction(this.#pool, async (client) => {
        if (fence !== null) await requireFence(client, usdot, fence);
        return write(client, hour * HOUR_MS);
      });
    } catch (error) {
      // The partitions may be gone, as after a restore: the next attempt makes them.
      this.#madeHour = null;
      throw error;
    }
  }

  /** Removes all that was recorded of a fleet. */
  remove(usdot: string): Promise<void> {
    return inTransaction(this.#pool, async (client) => {
      for (const table of TABLES)
        await client.query(`DELETE FROM linehaul.${table} WHERE usdot = $1`, [usdot]);
      // The archive deletes the files.
      await client.query(
        `UPDATE linehaul.archive_files SET state = 'removed' WHERE usdot = $1 AND state = 'listed'`,
        [usdot],
      );
    });
  }

  async readSize(): Promise<RecordedSize> {
    const size = await this.#pool.query<{ bytes: number; archivedFromMs: number | null }>(
      `SELECT (SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits
           WHERE inhparent IN ('linehaul.fixes'::regclass, 'linehaul.states'::regclass))::float8
         + coalesce(sum(bytes), 0)::float8 AS bytes, min(from_ms)::float8 AS "archivedFromMs"
       FROM linehaul.archive_files WHERE state = 'listed'`,
    );
    const { rows } = await this.#pool.query<{ usdot: string; from_ms: string }>(
      'SELECT usdot, min(from_ms) AS from_ms FROM linehaul.coverage GROUP BY usdot',
    );
    return { ...size.rows[0]!, sinceMs: new Map(rows.map(({ usdot, from_ms }) => [usdot, Number(from_ms)])) };
  }
}
