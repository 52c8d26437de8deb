import 'server-only';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import lookUpZone from '@photostructure/tz-lookup';
import { and, count, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { judgeLaterStops, type Dwell } from '@/lib/arrivals/later-stops';
import { toWindowEndMs } from '@/lib/arrivals/arrivals';
import {
  judgeLoad,
  toVerdict,
  type JudgedLoad,
  type PlannedLoad,
  type StopVisit,
  type Verdict,
} from '@/lib/arrivals/load';
import { readSeenUnits } from '@/lib/access/unit-limit';
import { change, listChanges, type ActionContext, type RecordAction } from '@/lib/audit/audit';
import type { AuditAction } from '@/lib/audit/schema';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';
import { FREE_OF_STOP, TERMS_OF_STOP, VISITS_OF_LOAD } from '@/lib/recording/load-writer';
import { endRemovedShares, endSharesOfLoad, moveShareEnds } from '@/lib/recording/share-writer';
import { boundsOf } from '@/lib/rules/geofence';
import { toEvents, type LoadWindow, type NoWindow } from '@/lib/rules/load-watch';
import { DEFAULT_MARGIN_M, type SiteShape } from '@/lib/rules/site';
import { sites } from '@/lib/sites/server/tables';
import { DAY_MS, type TimeRange } from '@/lib/base/time';
import type { KeptStop } from '../import-stops';
import { LISTED_MS, type Load, type LoadHistory, type LoadInFull, type StoredStop } from '../load';
import { MAX_LOADS, STOP_RADIUS_M, type LoadInput, type StopInput } from '../schema';
import { saveLoadMails } from './load-mails';
import { loadEvents, loadStates, loadStops, loadTrucks, loads } from './tables';

/** A request about the loads of a fleet, which a feed judges. */
export type LoadContext = ActionContext & { watch?: { reload: (usdot: string) => void } };

const actorOf = ({ viewer }: LoadContext): string => viewer.email ?? viewer.name;

/** Changes loads of a fleet in one transaction with the audit record; from its end on they are judged so. */
export const changeLoads = async <T>(
  context: LoadContext,
  action: AuditAction,
  usdot: string,
  work: (tx: Executor, record: RecordAction) => Promise<T>,
): Promise<T> => {
  let isChanged = false;
  const result = await change(context, action, async (tx, record) => {
    await lockFleet(tx, usdot);
    return work(tx, async (...recorded) => {
      isChanged = true;
      await record(...recorded);
    });
  });
  if (isChanged) context.watch?.reload(usdot);
  return result;
};

/** A stop at a site or a circle. */
type PlacedStop = StoredStop & { siteId: number };

/** A load that is to be stored. */
export interface GivenLoad extends Omit<LoadInput, 'stops'> {
  stops: readonly KeptStop[];
}

/** The stops of a load as they are stored; one whose site was removed has none. */
export const readStops = async (tx: Executor, loadId: number): Promise<StoredStop[]> => {
  const rows = await tx
    .select({ stop: loadStops, isOwn: sql<boolean>`coalesce(${sites.isOfLoad}, false)` })
    .from(loadStops)
    .leftJoin(sites, eq(sites.id, loadStops.siteId))
    .where(eq(loadStops.loadId, loadId))
    .orderBy(loadStops.position);
  return rows.map(
    ({ stop: { loadId: _id, position: _, appointmentFromMs, appointmentToMs, ...stop }, isOwn }) => ({
      ...{ ...stop, isOwn },
      appointment:
        appointmentFromMs === null || appointmentToMs === null
          ? null
          : { fromMs: appointmentFromMs, toMs: appointmentToMs },
    }),
  );
};

/**
 * Where the stops of a load are: at sites of the fleet, and at circles of its own. A place keeps the circle that the load
 * has there, so that visits to it are kept. @throws AppError 'unknown-site'
 */
const toStops = async (
  tx: Executor,
  usdot: string,
  { reference, stops }: GivenLoad,
  { madeBy, now, held }: { madeBy: string; now: Date; held: readonly StoredStop[] },
): Promise<StoredStop[]> => {
  const ids = stops.flatMap(({ siteId }) => siteId ?? []);
  const known = await tx
    .select({ id: sites.id, name: sites.name, shape: sites.shape, isOfLoad: sites.isOfLoad })
    .from(sites)
    .where(and(eq(sites.usdot, usdot), inArray(sites.id, ids)));
  const isOwnPlaced = (stop: StoredStop): stop is PlacedStop => stop.isOwn && stop.siteId !== null;
  const own = held.filter(isOwnPlaced);
  const placed: StoredStop[] = [];
  for (const stop of stops) placed.push('place' in stop ? await toStop(stop) : stop);
  return placed;

  async function toStop({ place, siteId, ...rest }: StopInput): Promise<PlacedStop> {
    if (place === null) {
      const site = known.find(({ id }) => id === siteId);
      const stop = own.find((each) => each.siteId === siteId);
      // The circle of another load ends with that.
      if (!site || site.isOfLoad !== (stop !== undefined)) throw new AppError('unknown-site');
      const { name } = stop ?? site;
      return { ...rest, siteId: site.id, name, ...toSitePosition(site.shape), isOwn: site.isOfLoad };
    }
    const same = [...own, ...placed.filter(isOwnPlaced)].find(
      ({ lat, lng }) => lat === place.lat && lng === place.lng,
    );
    const id = same?.siteId ?? (await addCircle(place));
    return { ...rest, siteId: id, name: place.name, ...toPosition(place), isOwn: true };
  }

  async function addCircle({
    lat,
    lng,
    radiusM = STOP_RADIUS_M,
  }: NonNullable<StopInput['place']>): Promise<number> {
    const [made] = await tx
      .insert(sites)
      .values({
        ...{ usdot, madeBy, createdAt: now, updatedAt: now, isOfLoad: true, marginM: DEFAULT_MARGIN_M },
        ...{ kind: 'customer' as const, color: '#5c6b7a', notes: '', openingHours: null },
        shape: { type: 'circle' as const, lat, lng, radiusM },
        // No user can give a site this name, by an import neither.
        name: `Stop of load ${reference} ${randomUUID()}`,
      })
      .returning({ id: sites.id });
    return made!.id;
  }
};

export const toPosition = ({ lat, lng }: { lat: number; lng: number }) => ({
  lat,
  lng,
  timeZone: lookUpZone(lat, lng),
});

/** The middle of a site, where its clock is read. */
export const toSitePosition = (shape: SiteShape) => {
  if (shape.type === 'circle') return toPosition(shape);
  const [south, west, north, east] = boundsOf(shape);
  const lng = (west + east) / 2;
  return toPosition({ lat: (south + north) / 2, lng: lng - 360 * Math.round(lng / 360) });
};

const writeStops = async (tx: Executor, loadId: number, stops: readonly StoredStop[]): Promise<void> => {
  await tx.insert(loadStops).values(
    stops.map(({ appointment, isOwn: _isOwn, ...stop }, position) => ({
      ...{ ...stop, loadId, position },
      appointmentFromMs: appointment?.fromMs ?? null,
      appointmentToMs: appointment?.toMs ?? null,
    })),
  );
};

/** Removes the circles that a load had for its stops. */
const removeOwnSites = async (tx: Executor, loadId: number): Promise<void> => {
  await tx.execute(sql`DELETE FROM ${sites} s USING ${loadStops} p
    WHERE p.load_id = ${loadId} AND p.site_id = s.id AND s.is_of_load`);
};

const requireRoom = async (tx: Executor, usdot: string): Promise<void> => {
  const [held] = await tx
    .select({ loads: count() })
    .from(loads)
    .where(and(eq(loads.usdot, usdot), isNull(loads.endedMs)));
  if (held!.loads >= MAX_LOADS) throw new AppError('too-many-loads');
};

const requireFree = async (
  tx: Executor,
  usdot: string,
  reference: string,
  id: number | null,
): Promise<void> => {
  const [other] = await tx
    .select({ id: loads.id })
    .from(loads)
    .where(and(eq(loads.usdot, usdot), eq(loads.reference, reference)));
  if (other && other.id !== id) throw new AppError('load-reference-taken');
};

/** A load, locked until the transaction ends: the feed may end it meanwhile. @throws AppError 'unknown-load' */
const requireLoad = async (tx: Executor, usdot: string, id: number) => {
  const [load] = await tx
    .select()
    .from(loads)
    .where(and(eq(loads.usdot, usdot), eq(loads.id, id)))
    .for('no key update');
  if (!load) throw new AppError('unknown-load');
  return load;
};

/** The trucks that have or had a load, in the order of time. */
const readTrucks = (tx: Executor, loadId: number) =>
  tx
    .select({ unit: loadTrucks.unit, fromMs: loadTrucks.fromMs, toMs: loadTrucks.toMs })
    .from(loadTrucks)
    .where(eq(loadTrucks.loadId, loadId))
    .orderBy(loadTrucks.fromMs);

const unitOf = (trucks: Awaited<ReturnType<typeof readTrucks>>): string | null =>
  trucks.find(({ toMs }) => toMs === null)?.unit ?? null;

/** Gives a load to a truck, or to none, from now on. */
const assign = async (
  tx: Executor,
  context: LoadContext,
  loadId: number,
  unit: string | null,
): Promise<void> => {
  const trucks = await readTrucks(tx, loadId);
  if (unitOf(trucks) === unit) return;
  // Each truck has it for some time, also where several changes come at once or the clock was set back.
  const atMs = Math.max(context.clock.nowMs(), ...trucks.map(({ fromMs, toMs }) => (toMs ?? fromMs) + 1));
  await tx
    .update(loadTrucks)
    .set({ toMs: atMs })
    .where(and(eq(loadTrucks.loadId, loadId), isNull(loadTrucks.toMs)));
  const madeBy = actorOf(context);
  if (unit !== null) await tx.insert(loadTrucks).values({ loadId, unit, fromMs: atMs, madeBy });
  await tx
    .insert(loadEvents)
    .values({ loadId, atMs, seenMs: atMs, kind: 'truck', unit: unit ?? '', actor: madeBy });
};

const valuesOf = ({ unit: _unit, stops: _stops, mails: _mails, tags, ...values }: GivenLoad) => ({
  ...values,
  tags: [...new Set(tags)],
});

const namesOf = (stops: readonly StoredStop[]): string[] => stops.map(({ name }) => name);

/** The part of stops that visits are judged by. */
const toJudged = (stops: readonly StoredStop[]) =>
  stops.map(({ siteId, kind, appointment }) => ({ siteId, kind, appointment }));

/** Makes a load in a transaction of changeLoads. @throws AppError 'load-reference-taken', 'too-many-loads', 'unknown-site' */
export const insertLoad = async (
  tx: Executor,
  record: RecordAction,
  context: LoadContext,
  usdot: string,
  input: GivenLoad,
): Promise<{ id: number }> => {
  await requireFree(tx, usdot, input.reference, null);
  await requireRoom(tx, usdot);
  const now = new Date(context.clock.nowMs());
  const madeBy = actorOf(context);
  const stops = await toStops(tx, usdot, input, { madeBy, now, held: [] });
  const [load] = await tx
    .insert(loads)
    .values({ ...valuesOf(input), usdot, madeBy, createdAt: now, updatedAt: now })
    .returning({ id: loads.id });
  await writeStops(tx, load!.id, stops);
  await assign(tx, context, load!.id, input.unit);
  const { customer, unit } = input;
  const mails = input.mails && (await saveLoadMails(tx, load!.id, input.mails, now.getTime()));
  const details = { usdot, customer, unit, stops: namesOf(stops), ...(mails && { mails: mails.after }) };
  await record(input.reference, details, 'load.add');
  return load!;
};

const siteIdsOf = (stops: readonly StoredStop[]) => stops.map(({ siteId }) => siteId);

/**
 * By the position that a stop had, the one that it has now; null: it was removed. Of several at one place each keeps its
 * turn, and a stop that is at another place now keeps its position if there are as many stops as before.
 */
const toPositions = (held: readonly StoredStop[], stops: readonly StoredStop[]): (number | null)[] => {
  const positionsOf = (siteId: number | null, of: readonly StoredStop[]): number[] =>
    of.flatMap((stop, position) => (stop.siteId === siteId ? position : []));
  return held.map(({ siteId }, position) => {
    const same = positionsOf(siteId, stops)[positionsOf(siteId, held).indexOf(position)];
    const isMoved = held.length === stops.length && !siteIdsOf(held).includes(stops[position]!.siteId);
    return same ?? (isMoved ? position : null);
  });
};

/** Has the feed judge a load again; where its stops have moved, what happened at them is found again. */
const forgetFound = async (tx: Executor, id: number, { hasMoved }: { hasMoved: boolean }): Promise<void> => {
  await tx.delete(loadStates).where(eq(loadStates.loadId, id));
  if (hasMoved) await tx.delete(loadEvents).where(and(eq(loadEvents.loadId, id), isNull(loadEvents.actor)));
};

const toEnded = (field: 'stops' | 'unit', detail: string): AppError =>
  new AppError('load-ended', { detail, faults: [{ field, message: detail }] });

/** Lets the next poll write what is so with another truck; the windows that were shown before are graded. */
const forgetTruck = async (tx: Executor, id: number): Promise<void> => {
  await tx
    .update(loadStates)
    .set({ window: null, noWindow: 'waits', next: null })
    .where(eq(loadStates.loadId, id));
};

/**
 * Changes a load in a transaction of changeLoads; false: it is so already, and nothing is recorded. A delivered load whose
 * stops change is judged again. @throws AppError 'unknown-load', 'load-reference-taken', 'unknown-site', 'load-ended',
 * 'too-many-loads'
 */
export const updateLoad = async (
  tx: Executor,
  record: RecordAction,
  context: LoadContext,
  usdot: string,
  id: number,
  input: GivenLoad,
): Promise<boolean> => {
  await requireReference(tx, usdot, id);
  await requireFree(tx, usdot, input.reference, id);
  const now = new Date(context.clock.nowMs());
  const held = await readStops(tx, id);
  const stops = await toStops(tx, usdot, input, { madeBy: actorOf(context), now, held });
  const kept = new Set(stops.map(({ siteId }) => siteId));
  const gone = held.flatMap(({ siteId }) => (siteId === null || kept.has(siteId) ? [] : siteId));
  // Before the load is locked, as the recording writes: visits first, then loads.
  await tx.delete(sites).where(and(inArray(sites.id, gone), sites.isOfLoad));
  const unit = unitOf(await readTrucks(tx, id));
  if (unit !== input.unit) await forgetTruck(tx, id);
  const { reference, po, bol, customer, note, tags, endedMs, endedBy } = await requireLoad(tx, usdot, id);
  const before = { reference, po, bol, customer, note, tags };
  const values = valuesOf(input);
  const areStopsSame = isDeepStrictEqual(stops, held);
  const mails = (input.mails && (await saveLoadMails(tx, id, input.mails, now.getTime()))) ?? null;
  if (mails === null && areStopsSame && unit === input.unit && isDeepStrictEqual(values, before))
    return false;
  const isJudgedAgain = !isDeepStrictEqual(toJudged(stops), toJudged(held));
  const isOpen = endedMs === null || (isJudgedAgain && endedBy === null);
  const isClosedChange = isJudgedAgain && endedBy !== null;
  if (isClosedChange) throw toEnded('stops', 'A load that was ended by hand keeps its stops.');
  if (!isOpen && unit !== input.unit) throw toEnded('unit', 'A load that has ended keeps its truck.');
  if (endedMs !== null && isOpen) await requireRoom(tx, usdot);
  if (!areStopsSame) {
    await tx.delete(loadStops).where(eq(loadStops.loadId, id));
    await writeStops(tx, id, stops);
    await moveShareEnds(tx, id, toPositions(held, stops), now.getTime());
  }
  if (isJudgedAgain)
    await forgetFound(tx, id, { hasMoved: !isDeepStrictEqual(siteIdsOf(stops), siteIdsOf(held)) });
  await tx
    .update(loads)
    .set({
      ...{ ...values, updatedAt: now, ...(isOpen && { endedMs: null }) },
      ...(isJudgedAgain && { revision: sql`${loads.revision} + 1` }),
    })
    .where(eq(loads.id, id));
  await assign(tx, context, id, input.unit);
  await record(
    input.reference,
    {
      ...{ usdot, ...listChanges({ ...before, unit }, { ...values, unit: input.unit }, AUDITED) },
      ...(!areStopsSame && { stops: { before: namesOf(held), after: namesOf(stops) } }),
      ...(mails && { mails }),
    },
    'load.change',
  );
  return true;
};

const AUDITED = ['reference', 'po', 'bol', 'customer', 'note', 'tags', 'unit'] as const;

/** Makes a load, and returns its id. @throws as insertLoad does */
export const addLoad = (context: LoadContext, usdot: string, input: LoadInput): Promise<{ id: number }> =>
  changeLoads(context, 'load.add', usdot, (tx, record) => insertLoad(tx, record, context, usdot, input));

/** Changes a load to what is given. @throws as updateLoad does */
export const changeLoad = (
  context: LoadContext,
  usdot: string,
  id: number,
  input: LoadInput,
): Promise<void> =>
  changeLoads(context, 'load.change', usdot, async (tx, record) => {
    await updateLoad(tx, record, context, usdot, id, input);
  });

/** Ends a load by hand. @throws AppError 'unknown-load' */
export const endLoad = (context: LoadContext, usdot: string, id: number): Promise<void> =>
  changeLoads(context, 'load.end', usdot, async (tx, record) => {
    const { reference, endedMs } = await requireLoad(tx, usdot, id);
    if (endedMs !== null) return;
    const nowMs = context.clock.nowMs();
    const endedBy = actorOf(context);
    await tx.update(loads).set({ endedMs: nowMs, endedBy }).where(eq(loads.id, id));
    await endSharesOfLoad(tx, id, nowMs);
    await tx
      .insert(loadEvents)
      .values({ loadId: id, atMs: nowMs, seenMs: nowMs, kind: 'closed', actor: endedBy })
      .onConflictDoNothing();
    await record(reference, { usdot });
  });

/** @throws AppError 'unknown-load' */
const requireReference = async (tx: Executor, usdot: string, id: number): Promise<string> => {
  const [load] = await tx
    .select({ reference: loads.reference })
    .from(loads)
    .where(and(eq(loads.usdot, usdot), eq(loads.id, id)));
  if (!load) throw new AppError('unknown-load');
  return load.reference;
};

/** Removes a load with all that is known of it. @throws AppError 'unknown-load' */
export const removeLoad = (context: LoadContext, usdot: string, id: number): Promise<void> =>
  changeLoads(context, 'load.remove', usdot, async (tx, record) => {
    const reference = await requireReference(tx, usdot, id);
    // Before the load is locked, as updateLoad does.
    await removeOwnSites(tx, id);
    await tx.delete(loads).where(eq(loads.id, id));
    await endRemovedShares(tx, usdot, context.clock.nowMs());
    await record(reference, { usdot });
  });

interface LoadRow extends Omit<Load, 'state' | 'next' | 'judged' | 'verdict'> {
  visits: StopVisit[];
  window: LoadWindow | null;
  noWindow: NoWindow | null;
  /** The stop and the verdict when polls judged it last. */
  known: { next: number | null; verdict: Verdict } | null;
}

const toReadLoads = (which: string): string => `
  SELECT l.id::float8 AS id, l.reference, l.po, l.bol, l.customer, l.note, l.tags, l.ended_ms::float8 AS "endedMs",
    l.ended_by AS "endedBy", l.made_by AS "madeBy", round(extract(epoch FROM l.created_at) * 1000)::float8 AS "madeMs",
    k."window", k.no_window AS "noWindow", k.seen_ms::float8 AS "seenMs", s.stops,
    CASE WHEN k.load_id IS NULL THEN NULL ELSE json_build_object('next', k.next, 'verdict', k.verdict) END AS known,
    coalesce(t.trucks, '[]') AS trucks, coalesce(v.visits, '[]') AS visits
  FROM linehaul.loads l
  JOIN LATERAL (
    SELECT json_agg(json_build_object('kind', s.kind, 'siteId', s.site_id, 'name', s.name, 'address', s.address,
      'lat', s.lat, 'lng', s.lng, 'timeZone', s.time_zone, 'freeMin', s.free_min, 'free', ${FREE_OF_STOP}, 'contactName', s.contact_name,
      'contactPhone', s.contact_phone, 'isOwn', coalesce(p.is_of_load, false), 'appointment',
      CASE WHEN s.appointment_to_ms IS NULL THEN NULL
        ELSE json_build_object('fromMs', s.appointment_from_ms, 'toMs', s.appointment_to_ms) END) ORDER BY s.position) AS stops
    FROM linehaul.load_stops s LEFT JOIN linehaul.sites p ON p.id = s.site_id ${TERMS_OF_STOP} WHERE s.load_id = l.id
  ) s ON s.stops IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('unit', t.unit, 'fromMs', t.from_ms, 'toMs', t.to_ms, 'madeBy', t.made_by)
      ORDER BY t.from_ms) AS trucks
    FROM linehaul.load_trucks t WHERE t.load_id = l.id
  ) t ON true
  ${VISITS_OF_LOAD}
  LEFT JOIN linehaul.load_states k ON k.load_id = l.id
  WHERE l.usdot = $1 AND ${which}
  ORDER BY l.id`;

const READ_LOADS =
  toReadLoads(`(l.ended_ms IS NULL OR l.ended_ms > $2) AND ($3::int8[] IS NULL OR l.id = ANY ($3))
  AND ($4::int8 IS NULL OR k.seen_ms > $4 OR l.ended_ms > $4 OR l.updated_at > to_timestamp($4::float8 / 1000))`);

const READ_ENDED = toReadLoads(`l.id IN (
    SELECT e.id FROM linehaul.loads e
    WHERE e.usdot = $1 AND e.ended_ms >= $2 AND e.ended_ms < $3
      AND strpos(lower(concat_ws(' ', e.reference, e.po, e.bol, e.customer)), lower($4)) > 0
    ORDER BY e.ended_ms DESC LIMIT $5
  )`);

/** Why a load under way has no window, as it is known now: polls may have judged it before it was changed. */
const toNoWindow = (
  { noWindow, known, seenMs, stops, trucks }: LoadRow,
  { state, next, unit }: JudgedLoad,
): NoWindow | null => {
  if (next === null) return null;
  if (state.startsWith('at')) return 'atStop';
  if (unit === null) return 'noTruck';
  if (stops[next]!.siteId === null) return 'noPlace';
  const isOld = known?.next !== next || (trucks.at(-1)?.fromMs ?? 0) >= (seenMs ?? 0);
  return isOld || noWindow === null || noWindow === 'noTruck' || noWindow === 'noPlace' ? 'waits' : noWindow;
};

const toLoad = (read: LoadRow, nowMs: number): Load => {
  const { visits, window: shown, known, ...row } = read;
  const planned: PlannedLoad = { ...row, endedMs: row.endedBy === null ? null : row.endedMs };
  const judged = judgeLoad(planned, visits);
  const { state, next, unit } = judged;
  const isShown = shown !== null && shown.position === next && shown.unit === unit;
  const window = isShown ? { ...shown, toMs: toWindowEndMs(shown.toMs, nowMs) } : null;
  const noWindow = isShown ? null : toNoWindow(read, judged);
  const visit = judged.stops[next ?? -1]?.visit ?? null;
  // Its truck is inside, and has not stayed long enough for a visit yet.
  const isArriving = noWindow === 'atStop' && visit === null;
  const verdict =
    next === null ? 'none' : isArriving ? known!.verdict : toVerdict(row.stops[next]!, visit, window, nowMs);
  return { ...row, state, next, verdict, window, noWindow, judged: judged.stops };
};

interface ReadOptions {
  /** Loads that ended before are left out, Unix ms. */
  endedAfterMs: number;
  nowMs: number;
  /** Some loads; absent: all. */
  ids?: readonly number[] | null;
  /** Those that were changed, judged or ended after it, Unix ms. */
  changedAfterMs?: number | null;
}

/** The loads of a fleet that are under way or ended after a time. */
export const readLoads = async (
  pool: Pick<Pool, 'query'>,
  usdot: string,
  { endedAfterMs, ids = null, changedAfterMs = null, nowMs }: ReadOptions,
): Promise<Load[]> => {
  const { rows } = await pool.query<LoadRow>(READ_LOADS, [usdot, endedAfterMs, ids, changedAfterMs]);
  return rows.map((row) => toLoad(row, nowMs));
};

/** Visits of the last six weeks say how long trucks stay at a site, once there are five of them. */
const READ_DWELLS = `
  SELECT site_id AS "siteId", percentile_cont(0.1) WITHIN GROUP (ORDER BY left_ms - arrived_ms) AS "lowMs",
    percentile_cont(0.9) WITHIN GROUP (ORDER BY left_ms - arrived_ms) AS "highMs"
  FROM linehaul.site_visits
  WHERE usdot = $1 AND site_id = ANY ($2) AND left_ms IS NOT NULL AND arrived_ms > $3
  GROUP BY site_id HAVING count(*) >= 5`;
const DWELLS_MS = 42 * DAY_MS;

/** Loads with what can be said of their later stops. */
export const readAllInFull = async (
  pool: Pick<Pool, 'query'>,
  usdot: string,
  loads: readonly Load[],
  nowMs: number,
): Promise<LoadInFull[]> => {
  const withLater = loads.filter(({ next, stops }) => next !== null && next < stops.length - 1);
  const siteIds = [...new Set(withLater.flatMap(({ stops }) => stops.flatMap(({ siteId }) => siteId ?? [])))];
  const { rows } =
    siteIds.length > 0
      ? await pool.query<Dwell & { siteId: number }>(READ_DWELLS, [usdot, siteIds, nowMs - DWELLS_MS])
      : { rows: [] };
  const dwells = new Map(rows.map(({ siteId, ...dwell }) => [siteId, dwell]));
  return loads.map((load) => {
    const { next, stops, judged, window } = load;
    const chained = stops.map((stop) => ({ ...stop, dwell: dwells.get(stop.siteId ?? 0) ?? null }));
    return { ...load, later: judgeLaterStops(chained, { next, stops: judged }, window, nowMs) };
  });
};

/** A load with what can be said of its later stops. */
export const readInFull = async (
  pool: Pick<Pool, 'query'>,
  usdot: string,
  load: Load,
  nowMs: number,
): Promise<LoadInFull> => (await readAllInFull(pool, usdot, [load], nowMs))[0]!;

/** Ended loads of a range, and of all time with a text in them, that are answered at once. */
const [MOST_ENDED, MOST_FOUND] = [5000, 200];

/** The id of a load in an address. @throws AppError 'unknown-load' */
export const requireLoadId = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new AppError('unknown-load');
  return Number(text);
};

type ReadContext = Pick<LoadContext, 'database' | 'clock' | 'viewer'>;

type Seen = ReadonlySet<string> | null;

/** The key of a truck that a viewer sees, else nothing. */
const toSeen = <T extends { unit: string }>(of: T, seen: Seen): T =>
  seen === null || seen.has(of.unit) ? of : { ...of, unit: '' };

/** A load without the keys of trucks that had it and that a viewer does not see; null where that is the one that has it now, or had it last. */
const limitLoad = (load: Load, seen: Seen): Load | null => {
  if (seen?.has(load.trucks.at(-1)?.unit ?? '') === false) return null;
  return {
    ...load,
    trucks: load.trucks.map((truck) => toSeen(truck, seen)),
    judged: load.judged.map(({ visit, isPassed }) => ({ isPassed, visit: visit && toSeen(visit, seen) })),
  };
};

/** The loads of a fleet that are under way, and those that ended within the last week, of trucks that the viewer sees. */
export const listLoads = async (
  { database, clock, viewer }: ReadContext,
  usdot: string,
): Promise<{ loads: Load[]; nowMs: number }> => {
  const { pool } = await database.open();
  const nowMs = clock.nowMs();
  const seen = await readSeenUnits(database, viewer, usdot);
  const loads = await readLoads(pool, usdot, { endedAfterMs: nowMs - LISTED_MS, nowMs });
  return { loads: loads.flatMap((load) => limitLoad(load, seen) ?? []), nowMs };
};

/** The loads of a fleet that ended in a range, of trucks that the viewer sees; with a text, the newest that have it in their references or customer. */
export const listEndedLoads = async (
  { database, clock, viewer }: ReadContext,
  usdot: string,
  { fromMs, toMs, find }: TimeRange & { find: string },
): Promise<{ loads: Load[]; nowMs: number }> => {
  const { pool } = await database.open();
  const nowMs = clock.nowMs();
  const seen = await readSeenUnits(database, viewer, usdot);
  const most = find === '' ? MOST_ENDED : MOST_FOUND;
  const { rows } = await pool.query<LoadRow>(READ_ENDED, [usdot, fromMs, toMs, find, most]);
  return { loads: rows.flatMap((row) => limitLoad(toLoad(row, nowMs), seen) ?? []), nowMs };
};

/** What happens at one time happens in this order. */
const EVENT_ORDER = ['truck', 'passed', 'arrived', 'left', 'ended', 'closed'];
const rankOf = ({ kind }: Pick<LoadHistory, 'kind'>): number => EVENT_ORDER.indexOf(kind);

/**
 * What happened to a load, in any order: what was done by hand, and what its visits say today. A visit may become known late
 * or get another beginning, so what polls found before counts only at stops whose site was removed.
 */
const toHistory = (load: Load, rows: readonly LoadHistory[]): LoadHistory[] => {
  const { stops, judged, state, endedMs } = load;
  const lastLeftMs = judged.at(-1)?.visit?.leftMs ?? null;
  const found = toEvents([], { stops: judged, state, endedMs: endedMs ?? lastLeftMs });
  const isJudged = (position: number): boolean =>
    judged[position]!.visit !== null || judged[position]!.isPassed;
  const isKept = ({ actor, kind, position }: LoadHistory): boolean => {
    if (actor !== null) return true;
    if (kind === 'ended') return state !== 'delivered' && endedMs !== null;
    // With its site the visits to it were removed.
    return stops[position]?.siteId === null && !isJudged(position);
  };
  return [
    ...rows.filter(isKept),
    ...found.map((event) => ({
      ...event,
      actor: null,
      seenMs:
        rows.find(({ kind, position }) => kind === event.kind && position === event.position)?.seenMs ??
        event.atMs,
    })),
  ];
};

/** An event with what a check at a dock found, if it is one. */
const withCheck = ({
  details,
  ...event
}: LoadHistory & { details: Record<string, unknown> | null }): LoadHistory => {
  const { result, typed } = (details ?? {}) as Partial<NonNullable<LoadHistory['check']>>;
  return event.kind === 'checked' && result && typed !== undefined
    ? { ...event, check: { result, typed } }
    : event;
};

/** A load with what happened to it, the newest first. @throws AppError 'unknown-load' */
export const readLoad = async (
  { database, clock, viewer }: ReadContext,
  usdot: string,
  id: number,
): Promise<{ load: LoadInFull; events: LoadHistory[]; nowMs: number }> => {
  const { orm, pool } = await database.open();
  const nowMs = clock.nowMs();
  const seen = await readSeenUnits(database, viewer, usdot);
  const [found] = await readLoads(pool, usdot, { endedAfterMs: 0, ids: [id], nowMs });
  const load = found && limitLoad(found, seen);
  if (!load) throw new AppError('unknown-load');
  const { atMs, seenMs, kind, position, unit, actor, details } = loadEvents;
  const rows = await orm
    .select({ atMs, seenMs, kind, position, unit, actor, details })
    .from(loadEvents)
    .where(eq(loadEvents.loadId, id));
  const events = toHistory(load, rows.map(withCheck));
  events.sort((a, b) => b.atMs - a.atMs || b.position - a.position || rankOf(b) - rankOf(a));
  const inFull = await readInFull(pool, usdot, load, nowMs);
  return { load: inFull, events: events.map((event) => toSeen(event, seen)), nowMs };
};
