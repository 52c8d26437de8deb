import 'server-only';
import { randomBytes, randomUUID } from 'node:crypto';
import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { change } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';
import { sites } from '@/lib/sites/server/tables';
import { toOwnedItem, type OwnedItem } from '@/lib/users/schema';
import { createHideName } from '@/lib/users/server/user-scope';
import type { CalendarInput, SiteCalendar } from '../calendars';
import { MOST_SHARES, type ShareLink } from '../schema';
import type { ShareContext } from './shares';
import { siteCalendars } from './tables';
import { deriveToken, hashToken } from './token';

const NONCE_BYTES = 16;
const MOST_LISTED = 1000;

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

/** The calendars of a fleet's sites, the newest first. */
export const listCalendars = async (
  context: Pick<ShareContext, 'database' | 'viewer' | 'clock'>,
  usdot: string,
): Promise<{ calendars: SiteCalendar[] }> => {
  const { database, viewer, clock } = context;
  const { orm } = await database.open();
  const nowMs = clock.nowMs();
  const rows = await orm
    .select({ row: siteCalendars, site: sites.name })
    .from(siteCalendars)
    .innerJoin(sites, eq(sites.id, siteCalendars.siteId))
    .where(eq(siteCalendars.usdot, usdot))
    .orderBy(sql`${siteCalendars.madeMs} desc, ${siteCalendars.id}`)
    .limit(MOST_LISTED);
  const hideName = await createHideName(database, viewer);
  return {
    calendars: rows
      .filter(({ row }) => isSeen(context, row))
      .map(({ row, site }): SiteCalendar => {
        const { id, siteId, recipient, language, showsTruck, endsMs, revokedMs, madeBy, madeMs } = row;
        const isEnded = endsMs !== null && endsMs <= nowMs;
        const state = revokedMs !== null ? 'revoked' : isEnded ? 'ended' : 'open';
        return {
          ...{ id, siteId, site, recipient, language, showsTruck, endsMs, state },
          ...{ madeBy: hideName(madeBy), madeMs },
        };
      }),
  };
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

/** Makes a calendar of a site. @throws AppError 'bad-input', 'unknown-site', 'too-many-shares' */
export const addCalendar = async (
  context: ShareContext,
  usdot: string,
  input: CalendarInput,
): Promise<{ id: string } & ShareLink> => {
  const nowMs = context.clock.nowMs();
  if (input.endsMs !== null && input.endsMs <= nowMs) {
    const message = 'A calendar ends in the future.';
    throw new AppError('bad-input', { detail: message, faults: [{ field: 'endsMs', message }] });
  }
  const { viewer } = context;
  const row = { id: randomUUID(), nonce: randomBytes(NONCE_BYTES).toString('base64url') };
  await change(context, 'share.add', async (tx, record) => {
    await lockFleet(tx, usdot);
    const site = await requireSite(tx, usdot, input.siteId);
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
