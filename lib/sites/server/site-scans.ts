import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import type { Pool, PoolClient } from 'pg';
import { eq, sql } from 'drizzle-orm';
import type { JobSet } from '@/lib/jobs/jobs';
import type { Clock } from '@/lib/base/clock';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { toCountAgain } from '@/lib/recording/visit-repository';
import { inTransaction, type Database, type Executor } from '@/lib/database/database';
import { siteScans } from './tables';
import { LEAD_SHARE } from '@/lib/rules/load-watch';
import { learnFrom, overlap, type HeldVisit } from '@/lib/rules/late-visits';
import type { Site, SiteVisit } from '@/lib/rules/site';
import { DOUBTED_MS } from '@/lib/rules/sure-stay';
import type { SiteVisits } from '../answers';
import { findVisits, type FoundVisits, type VisitSearch } from './find-visits';
import { listWatchedSites } from './site-repository';
import { HOUR_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';

/** How far back visits are found. */
const SCANNED_MS = 30 * 24 * HOUR_MS;
/** Sites that are searched together, and units with late fixes. */
const SITES_AT_ONCE = 50;
const UNITS_AT_ONCE = 50;
/** A unit that was heard longer ago is there only if polls say so. */
const HEARD_MS = 2 * HOUR_MS;
/** Until then, polls have judged each unit by a new site. */
const JUDGED_MS = 10 * MINUTE_MS;
/** Late fixes that come one by one are looked at together. */
const SETTLED_MS = MINUTE_MS;
/** A visit that late fixes prove may have begun and ended so long before and after them. */
const [BEFORE_MS, AFTER_MS] = [12 * HOUR_MS, HOUR_MS];

const [IDLE_MS, BUSY_MS] = [5000, 0];
/** Held while the recording is searched: a job that runs too long for pg-boss is not run twice. */
const SCAN_LOCK = 0x5343414e;

interface SiteScansOptions {
  database: () => Database;
  reader: () => Pick<HistoryReader, 'readFixes'>;
  clock: Pick<Clock, 'nowMs'>;
  /** Called after visits of a fleet were found or moved that its feed judges by. */
  onLearned?: (usdot: string) => void;
  /** For tests. */
  pollMs?: number;
}

/** Searches the recording for visits to sites that were made or moved, from the beginning; in the transaction of that change. */
export const startScans = async (
  tx: Executor,
  usdot: string,
  siteIds: readonly number[],
  nowMs: number,
): Promise<void> => {
  if (siteIds.length === 0) return;
  await tx.execute(sql.raw(toCountAgain(`v.site_id IN (${siteIds.map(Number).join(', ')})`)));
  await tx
    .insert(siteScans)
    .values(siteIds.map((siteId) => ({ siteId, usdot, watchedFromMs: nowMs })))
    .onConflictDoUpdate({
      target: siteScans.siteId,
      set: { number: sql`${siteScans.number} + 1`, watchedFromMs: nowMs, share: 0 },
    });
};

/** How far the search for visits to a site is; null: there was none. */
export const readScan = async (orm: Executor, siteId: number): Promise<SiteVisits['scan']> => {
  const [scan] = await orm
    .select({ watchedFromMs: siteScans.watchedFromMs, share: siteScans.share })
    .from(siteScans)
    .where(eq(siteScans.siteId, siteId));
  return scan ?? null;
};

interface Scan {
  siteId: number;
  number: number;
}

const toJson = (visits: readonly SiteVisit[]): string => JSON.stringify(visits);
const FOUND = `jsonb_to_recordset($3::jsonb) AS v ("siteId" int, unit text, "arrivedMs" int8, "arrivedAfterMs" int8,
  "leftMs" int8, "leftByMs" int8)`;
const OF_FOUND = `e.usdot = $1 AND e.site_id = $2 AND e.unit = v.unit COLLATE "C"`;

/** A visit whose beginning polls did not see begins when the recording shows. */
const PROLONG = `
  UPDATE linehaul.site_visits e SET origin = 'joined', arrived_ms = v."arrivedMs",
    arrived_after_ms = v."arrivedAfterMs" FROM ${FOUND}
  WHERE ${OF_FOUND} AND e.origin IN ('live', 'joined') AND e.arrived_after_ms IS NULL AND e.arrived_ms = (
    SELECT min(f.arrived_ms) FROM linehaul.site_visits f
    WHERE f.usdot = $1 AND f.site_id = $2 AND f.unit = e.unit AND f.arrived_ms >= v."arrivedMs"
      AND (v."leftMs" IS NULL OR f.arrived_ms <= v."leftMs"))`;

/** Visits that were judged stay as they are. */
const ADD = `
  INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_ms, arrived_after_ms, left_ms, left_by_ms, origin)
  SELECT $1, $2, v.unit, v."arrivedMs", v."arrivedAfterMs", v."leftMs", v."leftByMs", $4 FROM ${FOUND}
  WHERE NOT EXISTS (
    SELECT FROM linehaul.site_visits e WHERE ${OF_FOUND}
      AND (v."leftMs" IS NULL OR e.arrived_ms <= v."leftMs") AND (e.left_ms IS NULL OR e.left_ms >= v."arrivedMs"))
  ON CONFLICT DO NOTHING`;

/** Until the end of the transaction polls write no visit to the site; false where it is removed. */
const lockSite = async (client: PoolClient, siteId: number): Promise<boolean> =>
  (await client.query('SELECT FROM linehaul.sites WHERE id = $1 FOR UPDATE', [siteId])).rowCount === 1;

const readNextScans = async (pool: Pool): Promise<{ usdot: string; scans: Scan[] } | null> => {
  const { rows } = await pool.query<Scan & { usdot: string }>(
    `SELECT usdot, site_id AS "siteId", number FROM linehaul.site_scans WHERE share < 1
       AND usdot = (SELECT usdot FROM linehaul.site_scans WHERE share < 1 ORDER BY watched_from_ms LIMIT 1)
     ORDER BY watched_from_ms, site_id LIMIT ${SITES_AT_ONCE}`,
  );
  return rows[0] ? { usdot: rows[0].usdot, scans: rows } : null;
};

/** Ends those of units that were not heard of for long: polls open them again where they are still there. */
const toVisits = ({ visits, open }: FoundVisits, nowMs: number): SiteVisit[] => [
  ...visits,
  ...open.map(({ visit, insideMs }) =>
    insideMs >= nowMs - HEARD_MS ? visit : { ...visit, leftMs: Math.max(visit.arrivedMs, insideMs) },
  ),
];

const writeScan = (pool: Pool, usdot: string, { siteId, number }: Scan, visits: readonly SiteVisit[]) =>
  inTransaction(pool, async (client) => {
    if (!(await lockSite(client, siteId))) return;
    const { rowCount } = await client.query(
      'UPDATE linehaul.site_scans SET share = 1 WHERE site_id = $1 AND number = $2',
      [siteId, number],
    );
    // The site was moved meanwhile: it is searched again.
    if (rowCount === 0) return;
    await client.query(
      `DELETE FROM linehaul.site_visits WHERE usdot = $1 AND site_id = $2 AND origin = 'recording'`,
      [usdot, siteId],
    );
    const values = [usdot, siteId, toJson(visits)];
    await client.query(PROLONG, values);
    await client.query(ADD, [...values, 'recording']);
  });

/** Searches the recording for the visits to the sites of one fleet that wait for it; false where none does. */
const scanNext = async (
  { database, reader, clock }: SiteScansOptions,
  signal: AbortSignal,
): Promise<boolean> => {
  const { pool, orm } = database();
  const next = await readNextScans(pool);
  if (next === null) return false;
  const { usdot, scans } = next;
  const ids = scans.map(({ siteId }) => siteId);
  const sites = (await listWatchedSites(orm, usdot)).filter(({ id }) => ids.includes(id));
  const nowMs = clock.nowMs();
  // Also before the recording began: what devices held back then is older.
  const fromMs = nowMs - SCANNED_MS;
  const onProgress = async (share: number): Promise<void> => {
    await pool.query(
      `UPDATE linehaul.site_scans SET share = $3 FROM unnest($1::int[], $2::int[]) AS n (id, number)
       WHERE site_id = n.id AND site_scans.number = n.number AND share < 1`,
      [ids, scans.map(({ number }) => number), Math.min(0.99, share)],
    );
  };
  const found = await findVisits(reader(), { usdot, sites, fromMs, toMs: nowMs, signal, onProgress });
  const visits = toVisits(found, nowMs);
  for (const scan of scans)
    await writeScan(
      pool,
      usdot,
      scan,
      visits.filter(({ siteId }) => siteId === scan.siteId),
    );
  return true;
};

/** Visits that the recording showed as open when a site was drawn, and that no poll has confirmed since. */
const UNCONFIRMED = `
  SELECT v.usdot, v.site_id AS "siteId", v.unit, v.arrived_ms::float8 AS "arrivedMs"
  FROM linehaul.site_visits v JOIN linehaul.site_scans s USING (site_id)
  WHERE v.origin = 'recording' AND v.left_ms IS NULL AND s.share = 1 AND s.watched_from_ms < $1 LIMIT 1`;

/** Ends the next one of those as the recording shows by now; false where there is none. */
const endUnconfirmed = async ({ database, reader, clock }: SiteScansOptions): Promise<boolean> => {
  const { pool, orm } = database();
  const nowMs = clock.nowMs();
  const { rows } = await pool.query<Pick<SiteVisit, 'siteId' | 'unit' | 'arrivedMs'> & { usdot: string }>(
    UNCONFIRMED,
    [nowMs - JUDGED_MS],
  );
  const [held] = rows;
  if (held === undefined) return false;
  const { usdot, siteId, unit, arrivedMs } = held;
  const sites = (await listWatchedSites(orm, usdot)).filter(({ id }) => id === siteId);
  const search = { usdot, sites, units: [unit], fromMs: arrivedMs - BEFORE_MS, toMs: nowMs };
  const { visits, open } = await findVisits(reader(), search);
  const now = [...visits, ...open.map(({ visit, insideMs }) => ({ ...visit, leftMs: insideMs }))].find(
    (visit) => visit.arrivedMs <= arrivedMs && visit.leftMs! >= arrivedMs,
  );
  await pool.query(
    `UPDATE linehaul.site_visits SET left_ms = $5, left_by_ms = $6
     WHERE usdot = $1 AND site_id = $2 AND unit = $3 AND arrived_ms = $4 AND origin = 'recording' AND left_ms IS NULL`,
    [usdot, siteId, unit, arrivedMs, now?.leftMs ?? arrivedMs, now?.leftByMs ?? null],
  );
  return true;
};

interface LateTrail extends TimeRange {
  usdot: string;
  unit: string;
}

const readLate = async (pool: Pool, nowMs: number): Promise<LateTrail[]> =>
  (
    await pool.query<LateTrail>(
      `SELECT usdot, unit, from_ms::float8 AS "fromMs", to_ms::float8 AS "toMs" FROM linehaul.late_trails WHERE seen_ms <= $1
         AND usdot = (SELECT usdot FROM linehaul.late_trails WHERE seen_ms <= $1 ORDER BY seen_ms LIMIT 1)
       ORDER BY seen_ms LIMIT ${UNITS_AT_ONCE}`,
      [nowMs - SETTLED_MS],
    )
  ).rows;

const READ_HELD = `
  SELECT site_id AS "siteId", unit, arrived_after_ms::float8 AS "arrivedAfterMs", arrived_ms::float8 AS "arrivedMs",
    left_ms::float8 AS "leftMs", left_by_ms::float8 AS "leftByMs", origin
  FROM linehaul.site_visits WHERE usdot = $1 AND site_id = $2 AND unit = $3 AND (left_ms IS NULL OR left_ms >= $4)
  ORDER BY arrived_ms`;

const REMOVE_HELD = `
  DELETE FROM linehaul.site_visits WHERE usdot = $1 AND site_id = $2 AND unit = $3 AND arrived_ms = ANY ($4)`;

const ADD_HELD = `
  INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_ms, arrived_after_ms, left_ms, left_by_ms, origin)
  SELECT $1, $2, v.unit, v."arrivedMs", v."arrivedAfterMs", v."leftMs", v."leftByMs", v.origin
  FROM jsonb_to_recordset($3::jsonb) AS v (unit text, "arrivedMs" int8, "arrivedAfterMs" int8, "leftMs" int8,
    "leftByMs" int8, origin text)
  ON CONFLICT DO NOTHING`;

/** A load that was delivered has ended when its truck left. $4 was, $5 is. */
const MOVE_END = `
  UPDATE linehaul.loads l SET ended_ms = $5 FROM linehaul.load_stops s
  WHERE l.usdot = $1 AND l.ended_ms = $4 AND l.ended_by IS NULL AND s.load_id = l.id AND s.site_id = $2
    AND EXISTS (SELECT FROM linehaul.load_trucks t WHERE t.load_id = l.id AND t.unit = $3)`;

/** Windows are compared with the arrival as it is known now. $4 was, $5 is. */
const OF_ARRIVAL = `g.usdot = $1 AND g.unit = $3 AND g.arrived_ms = $4
  AND EXISTS (SELECT FROM linehaul.load_stops s WHERE s.load_id = g.load_id AND s.position = g.position AND s.site_id = $2)`;
/** It was not shown at its lead time. */
const DROP_GRADES = `
  DELETE FROM linehaul.arrival_grades g
  WHERE ${OF_ARRIVAL} AND abs($5 - g.shown_ms - g.lead_ms) > g.lead_ms * ${LEAD_SHARE}`;
const MOVE_GRADES = `UPDATE linehaul.arrival_grades g SET arrived_ms = $5 WHERE ${OF_ARRIVAL}`;

/** Stores what late fixes of a unit tell of its visits to a site; false: nothing that was not known. */
const writeLearned = async (
  client: PoolClient,
  { usdot, unit, ...late }: LateTrail,
  siteId: number,
  found: readonly SiteVisit[],
): Promise<boolean> => {
  const fromMs = Math.min(late.fromMs, ...found.map(({ arrivedMs }) => arrivedMs));
  const { rows: held } = await client.query<HeldVisit>(READ_HELD, [usdot, siteId, unit, fromMs]);
  const learned = learnFrom(held, found, late);
  const isAmong = (visits: readonly HeldVisit[]) => (visit: HeldVisit) =>
    visits.some((each) => isDeepStrictEqual(each, visit));
  const gone = held.filter((visit) => !isAmong(learned)(visit));
  const added = learned.filter((visit) => !isAmong(held)(visit));
  const times = gone.map(({ arrivedMs }) => arrivedMs);
  if (times.length > 0) await client.query(REMOVE_HELD, [usdot, siteId, unit, times]);
  if (added.length > 0) await client.query(ADD_HELD, [usdot, siteId, JSON.stringify(added)]);
  for (const was of gone) {
    const is = added.find((visit) => overlap(visit, was));
    const move = async (query: string, wasMs: number, isMs: number): Promise<void> =>
      void (await client.query(query, [usdot, siteId, unit, wasMs, isMs]));
    if (is && is.arrivedMs !== was.arrivedMs)
      for (const query of [DROP_GRADES, MOVE_GRADES]) await move(query, was.arrivedMs, is.arrivedMs);
    if (was.leftMs !== null && is?.leftMs != null && is.leftMs !== was.leftMs)
      await move(MOVE_END, was.leftMs, is.leftMs);
  }
  return gone.length + added.length > 0;
};

/** Late fixes may show that a truck was away, or that its clock was wrong, also where no visit begins or ends at another time. */
const COUNT_LATE = toCountAgain(`v.usdot = $1 AND v.unit = $2
  AND coalesce(v.arrived_after_ms, v.arrived_ms) - ${DOUBTED_MS} <= $4
  AND coalesce(v.left_by_ms, v.left_ms, v.arrived_ms) + ${DOUBTED_MS} >= $3`);

/** Stores what a unit's late fixes tell of its visits; false: nothing that was not known. */
const writeLate = (pool: Pool, trail: LateTrail, sites: readonly Site[], visits: readonly SiteVisit[]) =>
  inTransaction(pool, async (client) => {
    const { usdot, unit, fromMs, toMs } = trail;
    let isNew = false;
    for (const { id } of sites) {
      const found = visits.filter(({ siteId }) => siteId === id);
      if (found.length === 0 || !(await lockSite(client, id))) continue;
      isNew = (await writeLearned(client, trail, id, found)) || isNew;
    }
    await client.query(COUNT_LATE, [usdot, unit, fromMs, toMs]);
    // What came meanwhile is looked at next time.
    await client.query(
      'DELETE FROM linehaul.late_trails WHERE usdot = $1 AND unit = $2 AND from_ms = $3 AND to_ms = $4',
      [usdot, unit, fromMs, toMs],
    );
    return isNew;
  });

/**
 * Adds the visits that late fixes of some units prove, and lets others begin and end when the recording shows; false where
 * there are none. No alert follows from visits that are over.
 */
const learnLate = async (
  { database, reader, clock, onLearned }: SiteScansOptions,
  signal: AbortSignal,
): Promise<boolean> => {
  const { pool, orm } = database();
  const nowMs = clock.nowMs();
  const trails = await readLate(pool, nowMs);
  const [first] = trails;
  if (first === undefined) return false;
  const { usdot } = first;
  const sites = await listWatchedSites(orm, usdot);
  const search: VisitSearch = {
    ...{ usdot, sites, signal, units: trails.map(({ unit }) => unit) },
    fromMs: Math.max(nowMs - SCANNED_MS, Math.min(...trails.map(({ fromMs }) => fromMs)) - BEFORE_MS),
    toMs: Math.min(nowMs, Math.max(...trails.map(({ toMs }) => toMs)) + AFTER_MS),
  };
  const { visits, open } = sites.length === 0 ? { visits: [], open: [] } : await findVisits(reader(), search);
  const all = [...visits, ...open.map(({ visit }) => visit)].sort((a, b) => a.arrivedMs - b.arrivedMs);
  let isNew = false;
  for (const trail of trails) {
    const found = all.filter(({ unit }) => unit === trail.unit);
    isNew = (await writeLate(pool, trail, sites, found)) || isNew;
  }
  if (isNew) onLearned?.(usdot);
  return true;
};

/** Finds some of the visits that are missing; returns in how many ms to look for more. */
const run = async (options: SiteScansOptions, signal: AbortSignal): Promise<number> => {
  const { pool } = options.database();
  const hasMore = await inTransaction(pool, async (lock) => {
    const { rows } = await lock.query<{ ours: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS ours', [
      SCAN_LOCK,
    ]);
    if (!rows[0]!.ours) return false;
    return (
      (await scanNext(options, signal)) ||
      (await endUnconfirmed(options)) ||
      (await learnLate(options, signal))
    );
  });
  return hasMore ? BUSY_MS : IDLE_MS;
};

/** Visits that are found in the recording, by one server at a time: to new sites, and those that late fixes prove. */
export const createSiteScans = (options: SiteScansOptions): JobSet => ({
  kinds: [
    {
      ...{ name: 'site-scan', isUpkeep: true, slots: 1, pollMs: options.pollMs ?? IDLE_MS },
      run: (_job, signal) => run(options, signal),
    },
  ],
});
