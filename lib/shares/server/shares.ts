import 'server-only';
import { randomBytes, randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { toLoadEnd } from '@/lib/arrivals/load-end';
import { readSeenUnits } from '@/lib/access/unit-limit';
import { change, listChanges, type ActionContext } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import { DAY_MS, MINUTE_MS } from '@/lib/base/time';
import type { Viewer } from '@/lib/base/viewer';
import type { Database, Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';
import { requireVehicles } from '@/lib/devices/server/devices';
import type { Load } from '@/lib/loads/load';
import { readLoads } from '@/lib/loads/server/loads';
import { sites } from '@/lib/sites/server/tables';
import { toOwnedItem, type OwnedItem } from '@/lib/users/schema';
import { createHideName } from '@/lib/users/server/user-scope';
import { nameAmong } from '@/lib/view/unit-name';
import type { UnitIdentity } from '@/lib/wire/fleet';
import {
  LATEST_END_MS,
  MOST_SHARES,
  type Share,
  type ShareInput,
  type ShareLink,
  type ShareOpenings,
} from '../schema';
import { estimatePlaces } from '../places';
import { readShares, standingOf, type ShareRow } from './share-rows';
import { shareItems, shareOpenings, shares } from './tables';
import { deriveToken, hashToken } from './token';

/** A request about the links of a fleet. */
export type ShareContext = ActionContext &
  Parameters<typeof requireVehicles>[0] & {
    /** Derives tokens. */
    shares: { secret: string };
    env: { publicUrl: string | null };
    /** Null: nothing is recorded. */
    history: object | null;
  };

type ReadContext = Pick<ShareContext, 'database' | 'viewer' | 'clock'>;

/** An arrival is judged up to so long after its first fix inside. */
const JUDGED_WITHIN_MS = 15 * MINUTE_MS;
const NONCE_BYTES = 16;
/** Links, and calendars, that have ended and are listed: the newest of them. */
export const MOST_LISTED = 1000;
/** A link or calendar is kept for so long after its end. */
export const KEPT_MS = 366 * DAY_MS;
const MOST_HOURS = 24 * 366;

const toFault = (field: string, message: string): AppError =>
  new AppError('bad-input', { detail: message, faults: [{ field, message }] });

/** The loads of links by their ids, whatever became of them. */
const readLoadsOf = async (
  { pool }: Pick<Database, 'pool'>,
  usdot: string,
  ids: readonly number[],
  nowMs: number,
): Promise<Map<number, Load>> => {
  const loads = ids.length === 0 ? [] : await readLoads(pool, usdot, { endedAfterMs: 0, ids, nowMs });
  return new Map(loads.map((load) => [load.id, load]));
};

interface Seen {
  /** Null: all. */
  units: ReadonlySet<string> | null;
  loads: ReadonlyMap<number, Load>;
}

/** Whether a viewer sees the load or truck of an item; one that was removed is seen by those who see all. */
const isSeen = (
  { loadId, unit }: { loadId: number | null; unit: string | null },
  { units, loads }: Seen,
): boolean => {
  if (units === null) return true;
  const last = loadId === null ? unit : loads.get(loadId)?.trucks.at(-1)?.unit;
  return units.has(last ?? '');
};

const toInput = (row: ShareRow): ShareInput => {
  const {
    recipient,
    precision,
    fields,
    delayMin,
    endsMs,
    endsOn,
    endsAtStop,
    endsAtSite,
    showsEnd,
    frameOrigins,
  } = row;
  return {
    ...{ recipient, precision, fields, endsMs, endsOn, endsAtStop, endsAtSite, showsEnd, frameOrigins },
    delayMin: delayMin as ShareInput['delayMin'],
    items: row.items.map(({ loadId, unit, alias }) => ({ loadId, unit, alias })),
  };
};

const READ_NAMES = `
  SELECT DISTINCT ON (unit) unit, identity FROM linehaul.unit_identities
  WHERE usdot = $1 AND unit = ANY ($2) ORDER BY unit, seen_ms DESC`;

const READ_COUNTS = `
  SELECT share_id AS id, sum(count)::float8 AS opened, max(last_ms)::float8 AS "lastOpenedMs"
  FROM linehaul.share_openings WHERE share_id = ANY ($1) GROUP BY 1`;

const READ_MAKERS = 'SELECT id, made_by AS "madeBy" FROM linehaul.shares WHERE id = ANY ($1)';

/** The links of a fleet about what a viewer sees: those that are open, and the newest that have ended. */
export const listShares = async (
  context: ReadContext,
  usdot: string,
): Promise<{ shares: Share[]; nowMs: number }> => {
  const { database, viewer, clock } = context;
  const { pool } = await database.open();
  const nowMs = clock.nowMs();
  const all = (await readShares(pool, usdot)).map((row) => ({ row, ...standingOf(row, nowMs) }));
  const ended = all.filter(({ state }) => state !== 'open').slice(0, MOST_LISTED);
  const listed = all.filter((each) => each.state === 'open' || ended.includes(each));
  const items = listed.flatMap(({ row }) => row.items);
  const loads = await readLoadsOf(
    { pool },
    usdot,
    [...new Set(items.flatMap(({ loadId }) => loadId ?? []))],
    nowMs,
  );
  const units = await readSeenUnits(database, viewer, usdot);
  const seen = listed.filter(({ row }) => row.items.every((item) => isSeen(item, { units, loads })));
  const keys = [...new Set(items.flatMap(({ unit }) => unit ?? []))];
  const names = await pool.query<{ unit: string; identity: UnitIdentity }>(READ_NAMES, [usdot, keys]);
  const identities = new Map(names.rows.map(({ unit, identity }) => [unit, identity]));
  const ids = seen.map(({ row }) => row.id);
  const counts = await pool.query<{ id: string; opened: number; lastOpenedMs: number }>(READ_COUNTS, [ids]);
  const makers = await pool.query<{ id: string; madeBy: string }>(READ_MAKERS, [ids]);
  const hideName = await createHideName(database, viewer);
  const nameOf = ({ loadId, unit, alias }: ShareRow['items'][number]): string => {
    if (unit !== null) return nameAmong(identities, unit);
    return loads.get(loadId ?? 0)?.reference ?? (alias || 'Removed load');
  };
  return {
    nowMs,
    shares: seen.map(({ row, state, endedMs, endedBy }): Share => {
      const count = counts.rows.find(({ id }) => id === row.id);
      return {
        ...{ ...toInput(row), id: row.id, names: row.items.map(nameOf), state, endedMs, endedBy },
        madeBy: hideName(makers.rows.find(({ id }) => id === row.id)!.madeBy),
        ...{ madeMs: row.madeMs, opened: count?.opened ?? 0, lastOpenedMs: count?.lastOpenedMs ?? null },
      };
    }),
  };
};

/** @throws AppError 'bad-input' where the end does not fit what is shared */
const requireEnd = ({ items, endsMs, endsOn, endsAtSite }: ShareInput, nowMs: number): void => {
  const trucks = items.filter(({ unit }) => unit !== null).length;
  if (endsMs !== null && endsMs <= nowMs) throw toFault('endsMs', 'A link ends in the future.');
  if (endsMs !== null && endsMs > nowMs + LATEST_END_MS)
    throw toFault('endsMs', 'A link ends within a year at the latest.');
  if (trucks > 0 && endsOn === 'delivery')
    throw toFault('endsOn', 'Only a link of loads ends with a delivery.');
  if (trucks > 0 && endsOn !== null && endsAtSite === null)
    throw toFault('endsAtSite', 'Choose the site where the link of a truck ends.');
  if (endsAtSite !== null && (trucks === 0 || endsOn === null))
    throw toFault('endsAtSite', 'Only a link of trucks ends at a site.');
};

/** @throws AppError 'unknown-site' */
const requireSite = async (tx: Executor, usdot: string, id: number | null): Promise<void> => {
  if (id === null) return;
  const [site] = await tx
    .select({ id: sites.id })
    .from(sites)
    .where(and(eq(sites.usdot, usdot), eq(sites.id, id), eq(sites.isOfLoad, false)))
    .for('key share');
  if (!site) throw new AppError('unknown-site');
};

/** Requires that a viewer may share each item, and that it does not end at once. @throws AppError 'unknown-load', 'unknown-unit', 'share-would-end' */
const requireItems = async (context: ShareContext, usdot: string, input: ShareInput): Promise<void> => {
  const { database, viewer, clock } = context;
  const { endsOn, endsAtStop, items } = input;
  const keys = items.map(({ loadId, unit }) => loadId ?? unit);
  if (new Set(keys).size < keys.length) throw toFault('items', 'A link has each load and truck once.');
  const units = await readSeenUnits(database, viewer, usdot);
  const loadIds = items.flatMap(({ loadId }) => loadId ?? []);
  const loads = await readLoadsOf(await database.open(), usdot, loadIds, clock.nowMs());
  for (const item of items) {
    if (item.loadId !== null && !loads.has(item.loadId)) throw new AppError('unknown-load');
    if (!isSeen(item, { units, loads }))
      throw new AppError(item.loadId === null ? 'unknown-unit' : 'unknown-load');
    const load = loads.get(item.loadId ?? 0);
    const end =
      load && toLoadEnd({ ...load, isClosed: load.endedBy !== null }, { on: endsOn, stop: endsAtStop });
    if (end) throw new AppError('share-would-end');
  }
  await requireVehicles(
    context,
    usdot,
    items.flatMap(({ unit }) => unit ?? []),
  );
};

/** The newest visit of a truck to a site that does not end a link which is made now, Unix ms. */
const READ_NEWEST = `
  SELECT v.unit, max(v.arrived_ms) FILTER (WHERE v.left_ms IS NOT NULL)::float8 AS "leftMs", max(v.arrived_ms)::float8 AS "arrivedMs",
    bool_or(v.left_ms IS NULL) AS "isThere"
  FROM linehaul.site_visits v WHERE v.usdot = $1 AND v.site_id = $2 AND v.unit = ANY ($3) GROUP BY 1`;

const readVisitsAfter = async (
  { pool }: Pick<Database, 'pool'>,
  usdot: string,
  { items, endsOn, endsAtSite }: ShareInput,
  nowMs: number,
): Promise<Map<string, number>> => {
  const units = items.flatMap(({ unit }) => unit ?? []);
  if (endsAtSite === null || units.length === 0) return new Map();
  const { rows } = await pool.query<{
    unit: string;
    leftMs: number | null;
    arrivedMs: number;
    isThere: boolean;
  }>(READ_NEWEST, [usdot, endsAtSite, units]);
  return new Map(
    units.map((unit) => {
      const newest = rows.find((row) => row.unit === unit);
      const sinceMs = nowMs - JUDGED_WITHIN_MS;
      // A truck that is there leaves next.
      if (endsOn === 'departure' && newest?.isThere) return [unit, newest.leftMs ?? 0];
      return [unit, Math.max(sinceMs, newest?.arrivedMs ?? 0)];
    }),
  );
};

const requireRoom = async (tx: Executor, usdot: string, nowMs: number): Promise<void> => {
  const { rows } = (await tx.execute(sql`SELECT count(*)::int AS open FROM ${shares} s
    WHERE s.usdot = ${usdot} AND s.revoked_ms IS NULL AND (s.ends_ms IS NULL OR s.ends_ms > ${nowMs})
      AND EXISTS (SELECT FROM ${shareItems} i WHERE i.share_id = s.id AND i.ended_ms IS NULL)`)) as unknown as {
    rows: { open: number }[];
  };
  if (rows[0]!.open >= MOST_SHARES) throw new AppError('too-many-shares');
};

/** Removes the links of a fleet that ended long ago, with their ledgers. */
const removeOld = async (tx: Executor, usdot: string, nowMs: number): Promise<void> => {
  await tx.execute(sql`DELETE FROM ${shares} s WHERE s.usdot = ${usdot} AND least(s.revoked_ms, s.ends_ms,
    (SELECT max(i.ended_ms) FROM ${shareItems} i WHERE i.share_id = s.id HAVING bool_and(i.ended_ms IS NOT NULL)))
    < ${nowMs - KEPT_MS}`);
};

const makerOf = ({ viewer }: { viewer: Viewer }) => ({
  madeBy: viewer.email ?? viewer.name,
  madeById: viewer.kind === 'user' ? viewer.id : null,
});

const toValues = ({ items: _items, fields, frameOrigins, ...values }: ShareInput) => ({
  ...values,
  fields: [...new Set(fields)],
  frameOrigins: [...new Set(frameOrigins)],
});

const detailsOf = (usdot: string, { items, ...input }: ShareInput) => ({
  usdot,
  ...input,
  items: items.map(({ loadId, unit }) => (loadId === null ? { unit } : { loadId })),
});

/** The address of a link: a path of this server, or a full URL if the server has a public URL. */
const toLink = (
  { shares: { secret }, env }: ShareContext,
  share: { id: string; nonce: string },
): ShareLink => ({
  link: `${env.publicUrl ?? ''}/t/${deriveToken(secret, share)}`,
});

/**
 * Makes a link, which shows what is recorded.
 * @throws AppError 'recording-off', 'bad-input', 'unknown-site', 'unknown-load', 'unknown-unit', 'share-would-end', 'too-many-shares'
 */
export const addShare = async (
  context: ShareContext,
  usdot: string,
  input: ShareInput,
): Promise<{ id: string } & ShareLink> => {
  if (context.history === null)
    throw new AppError('recording-off', {
      detail: 'This server does not record its fleets: a link would show nothing.',
    });
  const nowMs = context.clock.nowMs();
  requireEnd(input, nowMs);
  await requireItems(context, usdot, input);
  const [id, nonce] = [randomUUID(), randomBytes(NONCE_BYTES).toString('base64url')];
  const token = deriveToken(context.shares.secret, { id, nonce });
  const after = await readVisitsAfter(await context.database.open(), usdot, input, nowMs);
  await change(context, 'share.add', async (tx, record) => {
    await lockFleet(tx, usdot);
    await requireSite(tx, usdot, input.endsAtSite);
    await removeOld(tx, usdot, nowMs);
    await requireRoom(tx, usdot, nowMs);
    await tx.insert(shares).values({
      ...{ ...toValues(input), id, usdot, nonce, tokenHash: hashToken(token), madeMs: nowMs },
      ...makerOf(context),
    });
    await tx.insert(shareItems).values(
      input.items.map((item, position) => ({
        ...{ ...item, shareId: id, position },
        visitsAfterMs: after.get(item.unit ?? '') ?? null,
      })),
    );
    await record(input.recipient, { id, ...detailsOf(usdot, input) });
  });
  return { id, ...toLink(context, { id, nonce }) };
};

/** A link about what the viewer sees. @throws AppError 'unknown-share' */
const requireShare = async (context: ReadContext, usdot: string, id: string): Promise<ShareRow> => {
  const { database, viewer, clock } = context;
  const opened = await database.open();
  const [row] = await readShares(opened.pool, usdot, id);
  if (!row) throw new AppError('unknown-share');
  const units = await readSeenUnits(database, viewer, usdot);
  const loadIds = row.items.flatMap(({ loadId }) => loadId ?? []);
  const loads = await readLoadsOf(opened, usdot, loadIds, clock.nowMs());
  if (!row.items.every((item) => isSeen(item, { units, loads }))) throw new AppError('unknown-share');
  return row;
};

/** The link as it is now, locked until the transaction ends. @throws AppError 'unknown-share' */
const lockShare = async (tx: Executor, { usdot, id, ...known }: ShareRow): Promise<ShareRow> => {
  const [stored] = await tx
    .select()
    .from(shares)
    .where(and(eq(shares.usdot, usdot), eq(shares.id, id)))
    .for('update');
  if (!stored) throw new AppError('unknown-share');
  const items = await tx
    .select()
    .from(shareItems)
    .where(eq(shareItems.shareId, id))
    .orderBy(shareItems.position);
  return { ...known, ...stored, items };
};

const CHANGED = [
  ...(['recipient', 'items', 'precision', 'fields', 'delayMin', 'endsMs', 'endsOn'] as const),
  ...(['endsAtStop', 'endsAtSite', 'showsEnd', 'frameOrigins'] as const),
];

/** The items of a changed link: of those that it had, an end that has come stays. */
const toItemRows = ({
  row,
  input,
  after,
}: {
  row: ShareRow;
  input: ShareInput;
  after: ReadonlyMap<string, number>;
}): (typeof shareItems.$inferInsert)[] => {
  const isSameEnd = row.endsOn === input.endsOn && row.endsAtSite === input.endsAtSite;
  return input.items.map((item, position) => {
    const was = row.items.find(({ loadId, unit }) => loadId === item.loadId && unit === item.unit);
    const visitsAfterMs = after.get(item.unit ?? '') ?? null;
    return {
      ...{ ...item, shareId: row.id, position },
      visitsAfterMs: was && isSameEnd ? was.visitsAfterMs : visitsAfterMs,
      ...{ taken: was?.taken ?? null, endedMs: was?.endedMs ?? null, endedBy: was?.endedBy ?? null },
    };
  });
};

/**
 * Changes a link that is open: from then on it depends on the rights of the viewer.
 * @throws AppError 'unknown-share', 'share-over', and as addShare does
 */
export const changeShare = async (
  context: ShareContext,
  usdot: string,
  id: string,
  input: ShareInput,
): Promise<void> => {
  const nowMs = context.clock.nowMs();
  requireEnd(input, nowMs);
  const known = await requireShare(context, usdot, id);
  const isOver = ({ loadId, unit }: ShareInput['items'][number]): boolean =>
    known.items.some((item) => item.loadId === loadId && item.unit === unit && item.endedMs !== null);
  await requireItems(context, usdot, { ...input, items: input.items.filter((item) => !isOver(item)) });
  const after = await readVisitsAfter(await context.database.open(), usdot, input, nowMs);
  await change(context, 'share.change', async (tx, record) => {
    await requireSite(tx, usdot, input.endsAtSite);
    const row = await lockShare(tx, known);
    if (standingOf(row, nowMs).state !== 'open') throw new AppError('share-over');
    const changes = listChanges(toInput(row), { ...input, ...toValues(input) }, CHANGED);
    if (Object.keys(changes).length === 0) return;
    await tx
      .update(shares)
      .set({ ...toValues(input), ...makerOf(context) })
      .where(eq(shares.id, id));
    await tx.delete(shareItems).where(eq(shareItems.shareId, id));
    await tx.insert(shareItems).values(toItemRows({ row, input, after }));
    await record(input.recipient, { usdot, id, ...changes });
  });
};

/** Ends a link at once, on every server within a second. @throws AppError 'unknown-share' */
export const revokeShare = async (context: ShareContext, usdot: string, id: string): Promise<void> => {
  const known = await requireShare(context, usdot, id);
  await change(context, 'share.revoke', async (tx, record) => {
    if (await revokeShareItem(tx, id, context.clock.nowMs())) await record(known.recipient, { usdot, id });
  });
};

/** The address of a link, to be copied again. @throws AppError 'unknown-share', 'share-not-copied' */
export const readShareLink = async (context: ShareContext, usdot: string, id: string): Promise<ShareLink> => {
  await requireShare(context, usdot, id);
  const { orm } = await context.database.open();
  const [stored] = await orm
    .select({ nonce: shares.nonce, tokenHash: shares.tokenHash })
    .from(shares)
    .where(eq(shares.id, id));
  if (!stored) throw new AppError('unknown-share');
  const share = { id, nonce: stored.nonce };
  if (hashToken(deriveToken(context.shares.secret, share)) !== stored.tokenHash)
    throw new AppError('share-not-copied');
  return toLink(context, share);
};

/** The hours in which a link was opened, the newest first, and from how many places in all. @throws AppError 'unknown-share' */
export const readShareOpenings = async (
  context: ShareContext,
  usdot: string,
  id: string,
): Promise<{ openings: ShareOpenings[]; places: number }> => {
  await requireShare(context, usdot, id);
  const { orm } = await context.database.open();
  const { hourMs, count, places } = shareOpenings;
  const rows = await orm
    .select({ hourMs, count, places })
    .from(shareOpenings)
    .where(eq(shareOpenings.shareId, id))
    .orderBy(sql`${hourMs} desc`)
    .limit(MOST_HOURS);
  // A network of two hours is one place.
  const [all] = await orm
    .select({ places: sql<string | null>`bit_or(${places})` })
    .from(shareOpenings)
    .where(eq(shareOpenings.shareId, id));
  return {
    openings: rows.map((row) => ({ ...row, places: estimatePlaces(row.places) })),
    places: estimatePlaces(all?.places ?? '0'),
  };
};

/** The links that are open, as items that end with the right of their maker. */
export const listShareItems = async (tx: Executor, nowMs: number): Promise<OwnedItem[]> => {
  const rows = await tx
    .select()
    .from(shares)
    .where(
      and(
        isNull(shares.revokedMs),
        sql`(${shares.endsMs} IS NULL OR ${shares.endsMs} > ${nowMs})`,
        inArray(
          shares.id,
          tx.select({ id: shareItems.shareId }).from(shareItems).where(isNull(shareItems.endedMs)),
        ),
      ),
    );
  return rows.map(({ id, usdot, recipient, madeById }) =>
    toOwnedItem('share', { id, name: recipient, usdots: [usdot], madeById }),
  );
};

/** Ends a link in a transaction; false if it was revoked before. */
export const revokeShareItem = async (tx: Executor, id: string, nowMs: number): Promise<boolean> => {
  const ended = await tx
    .update(shares)
    .set({ revokedMs: nowMs })
    .where(and(eq(shares.id, id), isNull(shares.revokedMs)))
    .returning({ id: shares.id });
  return ended.length > 0;
};
