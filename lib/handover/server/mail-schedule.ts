import 'server-only';
import { and, eq, isNull } from 'drizzle-orm';
import { requireUserId } from '@/lib/alerts/server/account';
import { change, type ActionContext } from '@/lib/audit/audit';
import { dayOf, toMoment } from '@/lib/trips/days';
import type { Executor } from '@/lib/database/database';
import { handoverMails } from './tables';
import { users } from '@/lib/database/tables';
import { formatMinute, formatWeekdays } from '@/lib/rules/hours';
import type { HandoverMail, HandoverMailAnswer } from '../schema';
import { toOwnedItem } from '@/lib/users/schema';

const ofUser = (userId: string, usdot: string) =>
  and(eq(handoverMails.userId, userId), eq(handoverMails.usdot, usdot));

/** "Mon–Fri 6:00 AM America/Chicago, of 12 h". */
const toScheduleText = ({ atMin, timeZone, weekdays, hours }: HandoverMail): string =>
  `${formatWeekdays(weekdays)} ${formatMinute(atMin)} ${timeZone}, of ${hours} h`;

export const listMailItems = async (tx: Executor) =>
  (await tx.select().from(handoverMails)).map((mail) => {
    const { userId: madeById, usdot } = mail;
    const name = `Handover ${toScheduleText(mail)}`;
    return toOwnedItem('handover-mail', { id: `${madeById} ${usdot}`, name, usdots: [usdot], madeById });
  });

/** Ends a scheduled mail by the id of its item; false if it has already ended. */
export const removeMailItem = async (tx: Executor, id: string): Promise<boolean> => {
  const [userId, usdot] = id.split(' ') as [string, string];
  return (await tx.delete(handoverMails).where(ofUser(userId, usdot))).rowCount === 1;
};

/** When a user gets the handover of a fleet, and which fleets they may see. */
export interface ScheduledMail extends HandoverMail {
  userId: string;
  usdot: string;
  email: string;
  usdots: string[] | null;
  /** Mails that were due by then are not sent, Unix ms. */
  sentMs: number | null;
}

const { atMin, timeZone, weekdays, hours } = handoverMails;
const MAIL = { atMin, timeZone, weekdays, hours };

/** The schedules of users who are not disabled and see whole fleets: all, or that of a user for a fleet. */
export const listScheduledMails = (
  orm: Executor,
  of?: Pick<ScheduledMail, 'userId' | 'usdot'>,
): Promise<ScheduledMail[]> =>
  orm
    .select({
      ...MAIL,
      userId: handoverMails.userId,
      usdot: handoverMails.usdot,
      sentMs: handoverMails.sentMs,
      email: users.email,
      usdots: users.usdots,
    })
    .from(handoverMails)
    .innerJoin(users, eq(users.id, handoverMails.userId))
    .where(and(isNull(users.disabledAt), isNull(users.tags), of && ofUser(of.userId, of.usdot)));

/** When a mail was due today, in its zone, that is not sent yet, Unix ms; null: none was. */
export const toDueMs = (
  mail: Pick<ScheduledMail, 'atMin' | 'timeZone' | 'weekdays' | 'sentMs'>,
  nowMs: number,
): number | null => {
  const day = dayOf(nowMs, mail.timeZone);
  if (!mail.weekdays.includes(new Date(day).getUTCDay() || 7)) return null;
  const dueMs = toMoment(day, `${formatMinute(mail.atMin)}:00`, mail.timeZone);
  return dueMs <= nowMs && dueMs > (mail.sentMs ?? 0) ? dueMs : null;
};

/** Notes that the mail that was due at a moment is sent; false where another server has noted that, or the schedule has changed. */
export const noteSent = async (
  tx: Executor,
  { userId, usdot, sentMs }: Pick<ScheduledMail, 'userId' | 'usdot' | 'sentMs'>,
  dueMs: number,
): Promise<boolean> => {
  const isAsRead = sentMs === null ? isNull(handoverMails.sentMs) : eq(handoverMails.sentMs, sentMs);
  const { rowCount } = await tx
    .update(handoverMails)
    .set({ sentMs: dueMs })
    .where(and(ofUser(userId, usdot), isAsRead));
  return rowCount === 1;
};

/** When the viewer gets the handover of a fleet. @throws AppError 'demo-has-no-users', 'accounts-unavailable' */
export const readHandoverMail = async (
  context: Pick<ActionContext, 'viewer' | 'database'> & { messages: { canMail: boolean } | null },
  usdot: string,
): Promise<HandoverMailAnswer> => {
  const userId = requireUserId(context);
  const { database, messages, viewer } = context;
  const { orm } = await database.open();
  const [mail] = await orm.select(MAIL).from(handoverMails).where(ofUser(userId, usdot));
  return { mail: mail ?? null, email: messages?.canMail ? viewer.email : null };
};

/** Sets when the viewer gets a fleet's handover; null: never. @throws AppError 'demo-has-no-users', 'accounts-unavailable' */
export const writeHandoverMail = async (
  context: ActionContext,
  usdot: string,
  mail: HandoverMail | null,
): Promise<void> => {
  const userId = requireUserId(context);
  const sentMs = context.clock.nowMs();
  await change(context, 'handover-mail.change', async (tx, record) => {
    if (mail === null) await tx.delete(handoverMails).where(ofUser(userId, usdot));
    else
      await tx
        .insert(handoverMails)
        .values({ ...mail, userId, usdot, sentMs })
        .onConflictDoUpdate({
          target: [handoverMails.userId, handoverMails.usdot],
          set: { ...mail, sentMs },
        });
    await record(usdot, { usdot, schedule: mail === null ? null : toScheduleText(mail) });
  });
};
