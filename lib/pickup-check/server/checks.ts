import 'server-only';
import { eq } from 'drizzle-orm';
import type { Pool } from 'pg';
import { MINUTE_MS } from '@/lib/base/time';
import type { Database } from '@/lib/database/database';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { parseVin } from '@/lib/identity/vin';
import type { LoadStop } from '@/lib/loads/load';
import { loadEvents, loads } from '@/lib/loads/server/tables';
import { truckOf } from '@/lib/loads/text';
import { parseNumber } from '@/lib/proof/number';
import { readLastMinutes } from '@/lib/recording/last-minutes';
import { outsideM } from '@/lib/rules/geofence';
import { followUnits, isSure } from '@/lib/rules/held-back';
import type { Site } from '@/lib/rules/site';
import { UNNAMED, type UnitIdentity } from '@/lib/wire/fleet';
import { matchTruck, readTyped, type MatchedBy } from '../match';
import type { CheckResult } from '@/lib/loads/checks';
import { findLoad, hashCode, toOpenPickup } from './codes';
import { pickupCodes } from './tables';

/** What checks need of their server. */
export interface CheckContext {
  database: { open: () => Promise<Pick<Database, 'orm' | 'pool'>> };
  clock: { nowMs: () => number };
  /** Has the feeds judge alerts by what was checked; absent in tests. */
  watch?: { reload: (usdot: string) => void };
}

/** The pickup of a code that is open. */
export interface CodedPickup {
  usdot: string;
  loadId: number;
  reference: string;
  stop: LoadStop;
  position: number;
  /** The truck of the load by its key; null: it has none. */
  unit: string | null;
}

/** A truck is near within so far of the edge of its stop, by a fix that is no older. */
const [NEAR_M, FRESH_MS] = [METERS_PER_MILE, 30 * MINUTE_MS];
/** Checks of one code: so many within so long, on all servers together. */
const LIMITS = [
  { most: 10, withinMs: 10 * MINUTE_MS },
  { most: 60, withinMs: 24 * 60 * MINUTE_MS },
];
/** Who did it, in the history of a load. */
const ACTOR = 'pickup code';
export const CHECK_KIND = 'checked';

const FIND_CODE = `
  SELECT c.load_id::float8 AS "loadId", l.usdot FROM linehaul.pickup_codes c JOIN linehaul.loads l ON l.id = c.load_id
  WHERE c.code_hash = $1`;
const READ_NAMES = `
  SELECT identity FROM linehaul.unit_identities WHERE usdot = $1 AND unit = $2 ORDER BY seen_ms DESC LIMIT 1`;
const READ_SITE = `
  SELECT id, name, kind, color, notes, opening_hours AS "openingHours", margin_m AS "marginM", shape
  FROM linehaul.sites WHERE usdot = $1 AND id = $2`;

/** The pickup of a code; null: there is no such code, or its pickup is over. */
export const findPickup = async (
  { database, clock }: CheckContext,
  text: string,
): Promise<CodedPickup | null> => {
  const code = parseNumber(text);
  if (code === null) return null;
  const { pool } = await database.open();
  const [found] = (await pool.query<{ loadId: number; usdot: string }>(FIND_CODE, [hashCode(code)])).rows;
  const load = found ? await findLoad(pool, found.usdot, found.loadId, clock.nowMs()) : null;
  const open = load && toOpenPickup(load);
  return found && open ? { ...found, ...open, reference: load.reference, unit: truckOf(load) } : null;
};

/** The names of a truck; one that was never recorded has those of its key. */
const readNames = async (pool: Pick<Pool, 'query'>, usdot: string, unit: string): Promise<UnitIdentity> => {
  const { rows } = await pool.query<{ identity: UnitIdentity }>(READ_NAMES, [usdot, unit]);
  const truckNumber = unit.startsWith('truck:') ? unit.slice('truck:'.length) : null;
  return { ...UNNAMED, key: unit, vin: parseVin(unit), truckNumber, ...rows[0]?.identity };
};

interface Seen {
  /** From the edge of the stop; 0: inside. */
  outsideM: number;
  fixMs: number;
}

/** Where a truck was seen last, from the edge of a stop; null: not lately, or by a position that is doubted. */
const findSeen = async (
  pool: Pick<Pool, 'query'>,
  { usdot, unit, stop }: CodedPickup & { unit: string },
  nowMs: number,
): Promise<Seen | null> => {
  const [site] = (await pool.query<Site>(READ_SITE, [usdot, stop.siteId])).rows;
  const past = site ? await readLastMinutes(pool, usdot, nowMs, [unit]) : null;
  const row = past && followUnits(past, []).rows.get(unit)?.at(-1);
  if (!site || !row || !isSure(row, [site]) || nowMs - row.fixMs > FRESH_MS) return null;
  return { outsideM: outsideM(site.shape, row), fixMs: row.fixMs };
};

export interface Check {
  result: CheckResult;
  /** As it was compared. */
  typed: string;
  by: MatchedBy | null;
  /** Of a truck that is near. */
  seen: Seen | null;
}

const judge = async (
  pool: Pick<Pool, 'query'>,
  pickup: CodedPickup,
  typed: string,
  nowMs: number,
): Promise<Check> => {
  const { usdot, unit } = pickup;
  const check = { typed, by: null, seen: null };
  if (unit === null) return { ...check, result: 'noTruck' };
  const by = matchTruck(typed, await readNames(pool, usdot, unit));
  if (by === null) return { ...check, result: 'other' };
  const seen = await findSeen(pool, { ...pickup, unit }, nowMs);
  if (seen === null) return { ...check, by, result: 'silent' };
  return seen.outsideM <= NEAR_M ? { ...check, by, seen, result: 'near' } : { ...check, by, result: 'away' };
};

/** Seconds until a code may be checked again; 0: now. */
const toWaitS = (checkedMs: readonly number[], nowMs: number): number =>
  Math.max(
    0,
    ...LIMITS.map(({ most, withinMs }) => {
      const within = checkedMs.filter((ms) => ms > nowMs - withinMs);
      return within.length < most ? 0 : Math.ceil((within.at(-most)! + withinMs - nowMs) / 1000);
    }),
  );

/** Writes a check into the history of its load, unless the code was used too often. Returns the seconds to wait, or 0. */
const writeCheck = async (
  { database, clock }: CheckContext,
  { loadId, position, unit }: CodedPickup,
  { result, typed, by, seen }: Check,
): Promise<number> => {
  const { orm } = await database.open();
  return orm.transaction(async (tx) => {
    // The load before its code, as where a load is removed.
    const [load] = await tx.select({ id: loads.id }).from(loads).where(eq(loads.id, loadId)).for('key share');
    const [code] = await tx
      .select({ loadId: pickupCodes.loadId })
      .from(pickupCodes)
      .where(eq(pickupCodes.loadId, loadId))
      .for('update');
    // Both were there a moment ago, so there is nothing left to keep.
    if (!load || !code) return 0;
    const nowMs = clock.nowMs();
    const rows = await tx
      .select({ atMs: loadEvents.atMs, kind: loadEvents.kind })
      .from(loadEvents)
      .where(eq(loadEvents.loadId, loadId))
      .orderBy(loadEvents.atMs);
    const checkedMs = rows.flatMap(({ atMs, kind }) => (kind === CHECK_KIND ? atMs : []));
    const waitS = toWaitS(checkedMs, nowMs);
    if (waitS > 0) return waitS;
    // Two checks of one millisecond are two.
    const atMs = Math.max(nowMs, (checkedMs.at(-1) ?? 0) + 1);
    await tx.insert(loadEvents).values({
      ...{ loadId, atMs, seenMs: atMs, kind: CHECK_KIND, position, unit: unit ?? '', actor: ACTOR },
      details: { result, typed, by, seen },
    });
    if (result === 'other')
      await tx.update(pickupCodes).set({ wrongMs: atMs }).where(eq(pickupCodes.loadId, loadId));
    return 0;
  });
};

/** The check of a truck at a pickup, which is kept in the history of the load; 'busy': the code was used too often. */
export type CheckAnswer = { check: Check } | { waitS: number } | 'unreadable';

/** Checks what a dock types against the truck of a load. */
export const checkTruck = async (
  context: CheckContext,
  pickup: CodedPickup,
  text: string,
): Promise<CheckAnswer> => {
  const typed = readTyped(text);
  if (typed === null) return 'unreadable';
  const { pool } = await context.database.open();
  const check = await judge(pool, pickup, typed, context.clock.nowMs());
  const waitS = await writeCheck(context, pickup, check);
  if (waitS > 0) return { waitS };
  if (check.result === 'other') context.watch?.reload(pickup.usdot);
  return { check };
};
