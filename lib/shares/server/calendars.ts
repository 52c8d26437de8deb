import 'server-only';
import { randomBytes, randomUUID } from 'node:crypto';
import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { change, listChanges } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';
import { users } from '@/lib/database/tables';
import { sites } from '@/lib/sites/server/tables';
import { toOwnedItem, type OwnedItem } from '@/lib/users/schema';
import { createHideName } from '@/lib/users/server/user-scope';
import type { CalendarChange, CalendarInput, SiteCalendar } from '../calendars';
import { MOST_SHARES, type ShareLink, type ShareState } from '../schema';
import { KEPT_MS, MOST_LISTED, type ShareContext } from './shares';
import { siteCalendars } from './tables';
import { deriveToken, hashToken } from './token';

const NONCE_BYTES = 16;

type Row = typeof siteCalendars.$inferSelect;

const isOpen = (nowMs: number) =>
  and(
    isNull(siteCalendars.revokedMs),
    sql`(${siteCalendars.endsMs} IS NULL OR ${siteCalendars.endsMs} > ${nowMs})`,
  );

/** A viewer of some trucks has the calendars that they made themselves: another one shows trucks of its maker. */
const isSeen = ({ viewer }: Pick<ShareContext, 'viewer'>, { madeById }: Row): boolean =>
  viewer.tags === null || madeById === viewer.id;

const toLink = ({ shares: { secret }, env }: ShareContext, row: Pick<Row, 'id' | 'nonce'>): ShareLink => ({
  link: `${env.publicUrl ?? ''}/t/${deriveToken(secret, row)}/calendar.ics`,
});

const standingOf = (
  { revokedMs, endsMs }: Row,
  isKept: boolean,
  nowMs: number,
): { state: ShareState; endedMs: number | null } => {
  if (revokedMs !== null) return { state: 'revoked', endedMs: revokedMs };
  if (!isKept) return { state: 'revoked', endedMs: null };
  return endsMs !== null && endsMs <= nowMs
    ? { state: 'ended', endedMs: endsMs }
    : { state: 'open', endedMs: null };
};

/** The calendars of a fleet's sites, the newest first: those that are open, and the newest that have ended. */
export const listCalendars = async (
  context: Pick<ShareContext, 'database' | 'viewer' | 'clock'>,
  usdot: string,
): Promise<{ calendars: SiteCalendar[] }> => {
  const { database, viewer, clock } = context;
  const { orm } = await database.open();
  const nowMs = clock.nowMs();
  const rows = await orm
    .select({
      row: siteCalendars,
      site: sites.name,
      isKept: sql<boolean>`${siteCalendars.madeById} IS NULL OR (${users.disabledAt} IS NULL
        AND (${users.usdots} IS NULL OR ${siteCalendars.usdot} = ANY (${users.usdots})))`,
    })
    .from(siteCalendars)
    .innerJoin(sites, eq(sites.id, siteCalendars.siteId))
    .leftJoin(users, eq(users.id, siteCalendars.madeById))
    .where(eq(siteCalendars.usdot, usdot))
    .orderBy(sql`${siteCalendars.madeMs} desc, ${siteCalendars.id}`);
  const hideName = await createHideName(database, viewer);
  const all = rows
    .filter(({ row }) => isSeen(context, row))
    .map(({ row, site, isKept }): SiteCalendar => {
      const { id, siteId, recipient, language, showsTruck, endsMs, madeBy, madeMs, opened, lastOpenedMs } =
        row;
      return {
        ...{ id, siteId, site, recipient, language, showsTruck, endsMs },
        ...standingOf(row, isKept, nowMs),
        ...{ madeBy: hideName(madeBy), madeMs, opened, lastOpenedMs },
      };
    });
  const ended = new Set(all.filter(({ state }) => state !== 'open').slice(0, MOST_LISTED));
  return { calendars: all.filter((each) => each.state === 'open' || ended.has(each)) };
};

/** @throws AppError 'unknown-site' */
const requireSite = async (tx: Executor, usdot: string, id: number): Promise<string> => {
  const [site] = await tx
    .select({ name: sites.name })
    .from(sites)
    .where(and(eq(sites.usdot, usdot), eq(sites.id, id), eq(sites.isOfLoad, false)))
    .for('key share');
  if (!site) throw new AppError('unknown-site');
  return site.name;
};

/** @throws AppError 'bad-input' */
const requireLaterEnd = (endsMs: number | null, nowMs: number): void => {
  if (endsMs === null || endsMs > nowMs) return;
  const message = 'A calendar ends in the future.';
  throw new AppError('bad-input', { detail: message, faults: [{ field: 'endsMs', message }] });
};

/** Makes a calendar of a site. @throws AppError 'bad-input', 'unknown-site', 'too-many-shares' */
export const addCalendar = async (
  context: ShareContext,
  usdot: string,
  input: CalendarInput,
): Promise<{ id: string } & ShareLink> => {
  const nowMs = context.clock.nowMs();
  requireLaterEnd(input.endsMs, nowMs);
  const { viewer } = context;
  const row = { id: randomUUID(), nonce: randomBytes(NONCE_BYTES).toString('base64url') };
  await change(context, 'share.add', async (tx, record) => {
    await lockFleet(tx, usdot);
    const site = await requireSite(tx, usdot, input.siteId);
    await tx
      .delete(siteCalendars)
      .where(
        and(
          eq(siteCalendars.usdot, usdot),
          sql`least(${siteCalendars.revokedMs}, ${siteCalendars.endsMs}) < ${nowMs - KEPT_MS}`,
        ),
      );
    const [held] = await tx
      .select({ open: count() })
      .from(siteCalendars)
      .where(and(eq(siteCalendars.usdot, usdot), isOpen(nowMs)));
    if (held!.open >= MOST_SHARES) throw new AppError('too-many-shares');
    await tx.insert(siteCalendars).values({
      ...{ ...input, ...row, usdot, madeMs: nowMs },
      tokenHash: hashToken(deriveToken(context.shares.secret, row)),
      madeBy: viewer.email ?? viewer.name,
      madeById: viewer.kind === 'user' ? viewer.id : null,
    });
    await record(input.recipient, { usdot, id: row.id, calendarOf: site, ...input });
  });
  return { id: row.id, ...toLink(context, row) };
};

/** @throws AppError 'unknown-share' */
const requireCalendar = async (context: ShareContext, usdot: string, id: string): Promise<Row> => {
  const { orm } = await context.database.open();
  const [row] = await orm
    .select()
    .from(siteCalendars)
    .where(and(eq(siteCalendars.usdot, usdot), eq(siteCalendars.id, id)));
  if (!row || !isSeen(context, row)) throw new AppError('unknown-share');
  return row;
};

const CHANGED = ['recipient', 'language', 'showsTruck', 'endsMs'] as const;

/**
 * Changes a calendar that is open, which stays its maker's: the loads in it are those that this user sees.
 * @throws AppError 'bad-input', 'unknown-share', 'share-over'
 */
export const changeCalendar = async (
  context: ShareContext,
  usdot: string,
  id: string,
  input: CalendarChange,
): Promise<void> => {
  const nowMs = context.clock.nowMs();
  requireLaterEnd(input.endsMs, nowMs);
  await requireCalendar(context, usdot, id);
  await change(context, 'share.change', async (tx, record) => {
    const [row] = await tx
      .select()
      .from(siteCalendars)
      .where(and(eq(siteCalendars.id, id), isOpen(nowMs)))
      .for('update');
    if (!row) throw new AppError('share-over');
    const changes = listChanges(row, input, CHANGED);
    if (Object.keys(changes).length === 0) return;
    await tx.update(siteCalendars).set(input).where(eq(siteCalendars.id, id));
    await record(input.recipient, { usdot, id, ...changes });
  });
};

/** Ends a calendar at once, on every server within a second. @throws AppError 'unknown-share' */
export const revokeCalendar = async (context: ShareContext, usdot: string, id: string): Promise<void> => {
  const { recipient } = await requireCalendar(context, usdot, id);
  await change(context, 'share.revoke', async (tx, record) => {
    if (await endCalendar(tx, id, context.clock.nowMs())) await record(recipient, { usdot, id });
  });
};

/** The address of a calendar, to be copied again. @throws AppError 'unknown-share', 'share-not-copied' */
export const readCalendarLink = async (
  context: ShareContext,
  usdot: string,
  id: string,
): Promise<ShareLink> => {
  const row = await requireCalendar(context, usdot, id);
  if (hashToken(deriveToken(context.shares.secret, row)) !== row.tokenHash)
    throw new AppError('share-not-copied');
  return toLink(context, row);
};

/** The calendars that are open, as items that end with the right of their maker. */
export const listCalendarItems = async (tx: Executor, nowMs: number): Promise<OwnedItem[]> => {
  const rows = await tx.select().from(siteCalendars).where(isOpen(nowMs));
  return rows.map(({ id, usdot, recipient, madeById }) =>
    toOwnedItem('share', { id, name: recipient, usdots: [usdot], madeById }),
  );
};

/** Ends a calendar in a transaction; false if it was revoked before, or is none. */
export const endCalendar = async (tx: Executor, id: string, nowMs: number): Promise<boolean> => {
  const ended = await tx
    .update(siteCalendars)
    .set({ revokedMs: nowMs })
    .where(and(eq(siteCalendars.id, id), isNull(siteCalendars.revokedMs)));
  return ended.rowCount === 1;
};
