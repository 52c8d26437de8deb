import 'server-only';
import { and, eq, isNull } from 'drizzle-orm';
import { requireUserId } from '@/lib/alerts/server/account';
import { change, type ActionContext } from '@/lib/audit/audit';
import { dayOf, toMoment } from '@/lib/trips/days';
import type { Executor } from '@/lib/database/database';
import { handoverMails } from './tables';
import { users } from '@/lib/database/tables';
import { formatMinute, formatWeekdays } from '@/lib/rules/hours';
import { AppError } from '@/lib/base/http/problems';
import { MAX_HANDOVER_HOURS, type MailAnswer, type MailKind, type ScheduledMailInput } from '../schema';
import { MAIL_LABELS } from '../text';
import { toOwnedItem } from '@/lib/users/schema';

const ofUser = ({ userId, usdot, kind }: Pick<ScheduledMail, 'userId' | 'usdot' | 'kind'>) =>
  and(eq(handoverMails.userId, userId), eq(handoverMails.usdot, usdot), eq(handoverMails.kind, kind));

/** "Mon–Fri 6:00 AM America/Chicago, of 12 h". */
const toScheduleText = ({ atMin, timeZone, weekdays, hours, unit, tag }: ScheduledMailInput): string => {
  const chosen = unit ?? (tag === null ? '' : `tag ${tag}`);
  return `${formatWeekdays(weekdays)} ${formatMinute(atMin)} ${timeZone}, of ${hours} h${chosen && `, ${chosen}`}`;
};

export const listMailItems = async (tx: Executor) =>
  (await tx.select().from(handoverMails)).map((mail) => {
    const { userId: madeById, usdot, kind } = mail;
    const name = `${MAIL_LABELS[kind]} ${toScheduleText(mail)}`;
    return toOwnedItem('handover-mail', {
      id: `${madeById} ${usdot} ${kind}`,
      name,
      usdots: [usdot],
      madeById,
    });
  });

/** Ends a scheduled mail by the id of its item; false if it has already ended. */
export const removeMailItem = async (tx: Executor, id: string): Promise<boolean> => {
  const [userId, usdot, kind] = id.split(' ') as [string, string, MailKind];
  return (await tx.delete(handoverMails).where(ofUser({ userId, usdot, kind }))).rowCount === 1;
};

/** When a user gets a handover or a report of a fleet, and which fleets they may see. */
export interface ScheduledMail extends ScheduledMailInput {
  userId: string;
  usdot: string;
  kind: MailKind;
  email: string;
  usdots: string[] | null;
  /** Mails that were due by then are not sent, Unix ms. */
  sentMs: number | null;
}

const { atMin, timeZone, weekdays, hours, unit, tag } = handoverMails;
const MAIL = { atMin, timeZone, weekdays, hours, unit, tag };

/** The schedules of users who are not disabled and see whole fleets: all, or that of a user for a fleet. */
export const listScheduledMails = (
  orm: Executor,
  of?: Pick<ScheduledMail, 'userId' | 'usdot' | 'kind'>,
): Promise<ScheduledMail[]> =>
  orm
    .select({
      ...MAIL,
      userId: handoverMails.userId,
      usdot: handoverMails.usdot,
      kind: handoverMails.kind,
      sentMs: handoverMails.sentMs,
      email: users.email,
      usdots: users.usdots,
    })
    .from(handoverMails)
    .innerJoin(users, eq(users.id, handoverMails.userId))
    .where(and(isNull(users.disabledAt), isNull(users.tags), of && ofUser(of)));

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
  { sentMs, ...mail }: Pick<ScheduledMail, 'userId' | 'usdot' | 'kind' | 'sentMs'>,
  dueMs: number,
): Promise<boolean> => {
  const isAsRead = sentMs === null ? isNull(handoverMails.sentMs) : eq(handoverMails.sentMs, sentMs);
  const { rowCount } = await tx
    .update(handoverMails)
    .set({ sentMs: dueMs })
    .where(and(ofUser(mail), isAsRead));
  return rowCount === 1;
};

/** When the viewer gets a mail about a fleet. @throws AppError 'demo-has-no-users', 'accounts-unavailable' */
export const readMailSchedule = async (
  context: Pick<ActionContext, 'viewer' | 'database'> & { messages: { canMail: boolean } | null },
  usdot: string,
  kind: MailKind,
): Promise<MailAnswer> => {
  const userId = requireUserId(context);
  const { database, messages, viewer } = context;
  const { orm } = await database.open();
  const [mail] = await orm.select(MAIL).from(handoverMails).where(ofUser({ userId, usdot, kind }));
  return { mail: mail ?? null, email: messages?.canMail ? viewer.email : null };
};

/** @throws AppError 'bad-input' for more hours than a handover has */
const requireHours = (kind: MailKind, mail: ScheduledMailInput | null): void => {
  if (kind !== 'handover' || mail === null || mail.hours <= MAX_HANDOVER_HOURS) return;
  const message = `A handover has at most ${MAX_HANDOVER_HOURS} hours.`;
  throw new AppError('bad-input', { detail: message, faults: [{ field: 'hours', message }] });
};

/** Sets when the viewer gets a mail about a fleet; null: never. @throws AppError 'demo-has-no-users', 'bad-input' */
export const writeMailSchedule = async (
  context: ActionContext,
  usdot: string,
  kind: MailKind,
  mail: ScheduledMailInput | null,
): Promise<void> => {
  const userId = requireUserId(context);
  requireHours(kind, mail);
  const sentMs = context.clock.nowMs();
  await change(context, 'handover-mail.change', async (tx, record) => {
    if (mail === null) await tx.delete(handoverMails).where(ofUser({ userId, usdot, kind }));
    else
      await tx
        .insert(handoverMails)
        .values({ ...mail, userId, usdot, kind, sentMs })
        .onConflictDoUpdate({
          target: [handoverMails.userId, handoverMails.usdot, handoverMails.kind],
          set: { ...mail, sentMs },
        });
    const schedule = mail === null ? null : toScheduleText(mail);
    await record(usdot, { usdot, kind: MAIL_LABELS[kind].toLowerCase(), schedule });
  });
};
