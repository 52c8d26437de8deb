import 'server-only';
import type { Pool } from 'pg';
import { createLazy } from '@/lib/base/lazy';
import { LEASE_MS, SHOWN_MS, type LeaseStore, type LeasedFleet, toServerReport } from './lease-store';
import { MESSAGE_VERSION } from './messages';

/*
 * All times are of PostgreSQL's clock. A server writes one row a second; its leases last as long as that row is fresh, so a
 * lease is written only when its owner changes. A time in the future is one from before the clock was set back.
 */
const FRESH = `s.beat_at BETWEEN clock_timestamp() - interval '${LEASE_MS} ms'
  AND clock_timestamp() + interval '${LEASE_MS} ms'`;

const BEAT = `
  WITH gone AS (
    DELETE FROM linehaul.sharing_servers WHERE id IN (
      SELECT id FROM linehaul.sharing_servers
      WHERE beat_at < clock_timestamp() - interval '${SHOWN_MS} ms' FOR UPDATE SKIP LOCKED))
  INSERT INTO linehaul.sharing_servers (id, version, beat_at, stated) VALUES ($1, $2, clock_timestamp(), $3)
  ON CONFLICT (id) DO UPDATE SET beat_at = EXCLUDED.beat_at, stated = EXCLUDED.stated`;

/** Leases that were taken without PostgreSQL replace those with smaller fencing numbers. */
const RENEW = `
  INSERT INTO linehaul.fleet_leases AS l (version, usdot, server, fence, taken_at)
  SELECT $1, usdot, $2, fence, clock_timestamp() FROM unnest($3::text[], $4::int8[]) AS own (usdot, fence)
  ON CONFLICT (version, usdot) DO UPDATE SET server = EXCLUDED.server, fence = EXCLUDED.fence,
    taken_at = EXCLUDED.taken_at, polled_at = NULL
  WHERE l.fence < EXCLUDED.fence`;

const READ_SERVERS = `
  SELECT id, stated, extract(epoch FROM clock_timestamp() - beat_at)::float8 * 1000 AS "silentMs"
  FROM linehaul.sharing_servers WHERE version = $1`;

const READ_LEASES = `
  SELECT l.usdot, l.fence::float8 AS fence, l.server,
    (l.taken_at > clock_timestamp() - interval '${LEASE_MS} ms' OR s.id IS NOT NULL) AS "isHeld"
  FROM linehaul.fleet_leases l LEFT JOIN linehaul.sharing_servers s ON s.id = l.server AND ${FRESH}
  WHERE l.version = $1`;

/** A fence is the time, and greater than each before it. It is odd; Redis gives even ones. */
const ACQUIRE = `
  WITH free AS (
    SELECT w.usdot, greatest(
      floor(extract(epoch FROM clock_timestamp()) * 1000)::int8, w.least, f.fence + 1, l.fence + 1) AS fence
    FROM unnest($3::text[], $4::int8[]) AS w (usdot, least)
    LEFT JOIN linehaul.fleet_fences f ON f.usdot = w.usdot
    LEFT JOIN linehaul.fleet_leases l ON l.version = $1 AND l.usdot = w.usdot
    ORDER BY w.usdot)
  , taken AS (
    INSERT INTO linehaul.fleet_leases AS l (version, usdot, server, fence, taken_at)
    SELECT $1, usdot, $2, fence + 1 - fence % 2, clock_timestamp() FROM free
    ON CONFLICT (version, usdot) DO UPDATE SET server = EXCLUDED.server, fence = EXCLUDED.fence,
      taken_at = EXCLUDED.taken_at
    WHERE l.fence < EXCLUDED.fence AND (l.server IS NULL OR l.server = $2
      OR (l.taken_at < clock_timestamp() - interval '${LEASE_MS} ms'
        AND NOT EXISTS (SELECT FROM linehaul.sharing_servers s WHERE s.id = l.server AND ${FRESH})))
    RETURNING usdot, fence, polled_at)
  SELECT usdot, fence::float8 AS fence,
    extract(epoch FROM clock_timestamp() - polled_at)::float8 * 1000 AS "polledAgoMs" FROM taken`;

const RELEASE = `
  UPDATE linehaul.fleet_leases SET server = NULL, polled_at = clock_timestamp() - $5 * interval '1 ms'
  WHERE version = $1 AND usdot = $2 AND server = $3 AND fence = $4`;

interface Stated {
  wanted: string[];
  watched: string[];
  report: unknown;
}
interface ServerRow {
  id: string;
  stated: Stated;
  silentMs: number;
}
interface LeaseRow {
  usdot: string;
  fence: number;
  server: string | null;
  isHeld: boolean;
}

const toFleets = (servers: readonly ServerRow[], leases: readonly LeaseRow[]): Map<string, LeasedFleet> => {
  const fresh = servers.filter(({ silentMs }) => Math.abs(silentMs) < LEASE_MS);
  const watched = new Set(fresh.flatMap(({ stated }) => stated.watched));
  const known = new Map(leases.map((lease) => [lease.usdot, lease]));
  const wanted = new Set(fresh.flatMap(({ stated }) => stated.wanted));
  return new Map(
    [...wanted].map((usdot) => {
      const lease = known.get(usdot);
      const owner = lease?.isHeld ? lease.server : null;
      return [usdot, { isWatched: watched.has(usdot), owner, fence: lease?.fence ?? 0 }];
    }),
  );
};

/**
 * Leases in PostgreSQL.
 * @param open a pool of one connection, so that statements run in their order; of the migrated database
 */
export const createDatabaseLeases = (
  open: () => Promise<Pool>,
): LeaseStore & { close: () => Promise<void> } => {
  const { open: openPool, close } = createLazy(open);
  /** The leases that were this server's at its last beat here. */
  let written = new Map<string, number>();
  return {
    name: 'database',
    beat: async (server, { wanted, watched, leases, report }) => {
      const pool = await openPool();
      const stated = { wanted, watched, report } satisfies Stated;
      await pool.query(BEAT, [server, MESSAGE_VERSION, JSON.stringify(stated)]);
      const unwritten = leases
        .filter(({ usdot, fence }) => written.get(usdot) !== fence)
        .sort((a, b) => (a.usdot < b.usdot ? -1 : 1));
      if (unwritten.length > 0) {
        const columns = [unwritten.map(({ usdot }) => usdot), unwritten.map(({ fence }) => fence)];
        await pool.query(RENEW, [MESSAGE_VERSION, server, ...columns]);
      }
      const { rows: servers } = await pool.query<ServerRow>(READ_SERVERS, [MESSAGE_VERSION]);
      const { rows } = await pool.query<LeaseRow>(READ_LEASES, [MESSAGE_VERSION]);
      written = new Map(rows.flatMap((row) => (row.server === server ? [[row.usdot, row.fence]] : [])));
      return {
        kept: leases.flatMap(({ usdot, fence }) => (written.get(usdot) === fence ? [usdot] : [])),
        isSettled: true,
        servers: servers.map(({ id, silentMs, stated: { report: about } }) => ({
          ...{ id, silentMs: Math.max(0, silentMs) },
          report: toServerReport(about),
        })),
        fleets: toFleets(servers, rows),
      };
    },
    acquire: async (server, fleets) => {
      const pool = await openPool();
      const columns = [fleets.map(({ usdot }) => usdot), fleets.map(({ fence }) => fence)];
      const { rows } = await pool.query(ACQUIRE, [MESSAGE_VERSION, server, ...columns]);
      return rows;
    },
    release: async (server, { usdot, fence }, polledAgoMs) => {
      const pool = await openPool();
      await pool.query(RELEASE, [MESSAGE_VERSION, usdot, server, fence, polledAgoMs]);
    },
    leave: async (server) => {
      const pool = await openPool();
      await pool.query('DELETE FROM linehaul.sharing_servers WHERE id = $1', [server]);
    },
    close: () => close((pool) => pool.end()),
  };
};
