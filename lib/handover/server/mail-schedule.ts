import 'server-only';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { requireUserId } from '@/lib/alerts/server/account';
import { change, type ActionContext } from '@/lib/audit/audit';
import { addDays, dayOf, toMoment } from '@/lib/trips/days';
import { DAY_MS } from '@/lib/base/time';
import type { Executor } from '@/lib/database/database';
import { requireKnownTags } from '@/lib/tags/server/known-tags';
import { handoverMails, reportMails } from './tables';
import { users } from '@/lib/database/tables';
import { formatMinute, formatWeekdays } from '@/lib/rules/hours';
import { AppError } from '@/lib/base/http/problems';
import { MAX_HANDOVER_HOURS, type MailAnswer, type MailKind, type ScheduledMailInput } from '../schema';
import { MAIL_LABELS } from '../text';
import { toOwnedItem } from '@/lib/users/schema';

/** A handover or a report of a fleet that a user gets. */
type MailOf = Pick<ScheduledMail, 'userId' | 'usdot' | 'kind'>;

/** Where a mail is stored, and its row. */
const toRow = ({ userId, usdot, kind }: MailOf) => {
  if (kind === 'handover') {
    const where = and(eq(handoverMails.userId, userId), eq(handoverMails.usdot, usdot));
    return { table: handoverMails, sentMs: handoverMails.sentMs, where };
  }
  const isOfUser = and(eq(reportMails.userId, userId), eq(reportMails.usdot, usdot));
  return { table: reportMails, sentMs: reportMails.sentMs, where: and(isOfUser, eq(reportMails.kind, kind)) };
};

const NO_REPORT = { kind: 'handover', unit: null, tag: null, isEnding: false } as const;

/** All schedules, or that of one mail. */
const listRows = async (orm: Executor, of?: MailOf) => {
  const where = of && toRow(of).where;
  const handovers =
    of === undefined || of.kind === 'handover' ? await orm.select().from(handoverMails).where(where) : [];
  const reports = of?.kind === 'handover' ? [] : await orm.select().from(reportMails).where(where);
  return [...handovers.map((row) => ({ ...row, ...NO_REPORT })), ...reports];
};

/** "Mon–Fri 6:00 AM America/Chicago, of 12 h". */
const toScheduleText = ({ atMin, timeZone, weekdays, hours, unit, tag }: ScheduledMailInput): string => {
  const chosen = unit ?? (tag === null ? '' : `tag ${tag}`);
  return `${formatWeekdays(weekdays)} ${formatMinute(atMin)} ${timeZone}, of ${hours} h${chosen && `, ${chosen}`}`;
};

export const listMailItems = async (tx: Executor) =>
  (await listRows(tx)).map((mail) => {
    const { userId: madeById, usdot, kind } = mail;
    const name = `${MAIL_LABELS[kind]} ${toScheduleText(mail)}`;
    return toOwnedItem('handover-mail', {
      id: `${madeById} ${usdot} ${kind}`,
      name,
      usdots: [usdot],
      madeById,
    });
  });

export const endMail = async (tx: Executor, of: MailOf): Promise<boolean> => {
  const { table, where } = toRow(of);
  return (await tx.delete(table).where(where)).rowCount === 1;
};

/** Ends a scheduled mail by the id of its item; false if it has already ended. */
export const removeMailItem = async (tx: Executor, id: string): Promise<boolean> => {
  const [userId, usdot, kind] = id.split(' ') as [string, string, MailKind];
  return endMail(tx, { userId, usdot, kind });
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
  /** Its truck or tag was removed: the next mail says so and is the last. */
  isEnding: boolean;
}

/** The schedules of users who are not disabled and see whole fleets: all, or that of a user for a fleet. */
export const listScheduledMails = async (orm: Executor, of?: MailOf): Promise<ScheduledMail[]> => {
  const rows = await listRows(orm, of);
  const people = await orm
    .select({ id: users.id, email: users.email, usdots: users.usdots })
    .from(users)
    .where(
      and(
        isNull(users.disabledAt),
        isNull(users.tags),
        inArray(
          users.id,
          rows.map(({ userId }) => userId),
        ),
      ),
    );
  const byId = new Map(people.map(({ id, ...person }) => [id, person]));
  return rows.flatMap((row) => {
    const person = byId.get(row.userId);
    return person === undefined ? [] : [{ ...row, ...person }];
  });
};

/** When a mail was due last, in its zone, Unix ms, if that is less than a day ago and it is not sent yet; null: none was. */
export const toDueMs = (
  mail: Pick<ScheduledMail, 'atMin' | 'timeZone' | 'weekdays' | 'sentMs'>,
  nowMs: number,
): number | null => {
  const today = dayOf(nowMs, mail.timeZone);
  const [dueMs] = [today, addDays(today, -1)]
    .filter((day) => mail.weekdays.includes(new Date(day).getUTCDay() || 7))
    .map((day) => toMoment(day, `${formatMinute(mail.atMin)}:00`, mail.timeZone))
    .filter((ms) => ms <= nowMs);
  return dueMs !== undefined && dueMs > Math.max(mail.sentMs ?? 0, nowMs - DAY_MS) ? dueMs : null;
};

/** Notes that the mail that was due at a moment is sent; false where another server has noted that, or the schedule has changed. */
export const noteSent = async (
  tx: Executor,
  { sentMs, ...mail }: Pick<ScheduledMail, 'userId' | 'usdot' | 'kind' | 'sentMs'>,
  dueMs: number,
): Promise<boolean> => {
  const { table, sentMs: stored, where } = toRow(mail);
  const isAsRead = sentMs === null ? isNull(stored) : eq(stored, sentMs);
  const { rowCount } = await tx.update(table).set({ sentMs: dueMs }).where(and(where, isAsRead));
  return rowCount === 1;
};

/** Has a report go on whose truck or tag is there again since it was removed; whether it does. */
export const goOn = async (
  tx: Executor,
  { userId, usdot, kind, unit, tag }: Pick<ScheduledMail, 'userId' | 'usdot' | 'kind' | 'unit' | 'tag'>,
): Promise<boolean> => {
  const table = tag === null ? 'tracking.vehicles' : 'linehaul.unit_tags';
  const { rows: found } = await tx.execute(sql`SELECT to_regclass(${table}) AS name`);
  if (found[0]!.name === null) return false;
  const is = tag === null ? sql`vin = ${unit}` : sql`tag = ${tag}`;
  const { rowCount } = await tx
    .update(reportMails)
    .set({ isEnding: false })
    .where(
      and(
        toRow({ userId, usdot, kind }).where,
        sql`EXISTS (SELECT FROM ${sql.raw(table)} WHERE usdot = ${usdot} AND ${is})`,
      ),
    );
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
  const [row] = await listRows(orm, { userId, usdot, kind });
  const email = messages?.canMail ? viewer.email : null;
  if (row === undefined) return { mail: null, email };
  const { atMin, timeZone, weekdays, hours, unit, tag } = row;
  return { mail: { atMin, timeZone, weekdays, hours, unit, tag }, email };
};

/** @throws AppError 'bad-input' for what a mail of the kind cannot have */
const requireOfKind = (kind: MailKind, { hours, unit, tag }: ScheduledMailInput): void => {
  const refuse = (field: string, message: string): never => {
    throw new AppError('bad-input', { detail: message, faults: [{ field, message }] });
  };
  if (unit !== null && tag !== null) refuse('tag', 'Choose a truck or a tag.');
  if (kind !== 'handover') return;
  if (hours > MAX_HANDOVER_HOURS) refuse('hours', `A handover has at most ${MAX_HANDOVER_HOURS} hours.`);
  if (unit !== null || tag !== null) refuse('unit', 'A handover is about all trucks.');
};

/** Sets when the viewer gets a mail about a fleet; null: never. @throws AppError 'demo-has-no-users', 'bad-input' */
export const writeMailSchedule = async (
  context: ActionContext,
  usdot: string,
  kind: MailKind,
  mail: ScheduledMailInput | null,
): Promise<void> => {
  const userId = requireUserId(context);
  if (mail !== null) requireOfKind(kind, mail);
  const sentMs = context.clock.nowMs();
  await change(context, 'handover-mail.change', async (tx, record) => {
    if (mail?.tag != null) {
      const [held] = await listRows(tx, { userId, usdot, kind });
      const named = { field: 'tag', tags: [mail.tag], before: held?.tag == null ? [] : [held.tag] };
      await requireKnownTags(tx, [usdot], context.viewer, named);
    }
    if (mail === null) await endMail(tx, { userId, usdot, kind });
    else if (kind === 'handover') {
      const { unit: _unit, tag: _tag, ...when } = mail;
      await tx
        .insert(handoverMails)
        .values({ ...when, userId, usdot, sentMs })
        .onConflictDoUpdate({
          target: [handoverMails.userId, handoverMails.usdot],
          set: { ...when, sentMs },
        });
    } else
      await tx
        .insert(reportMails)
        .values({ ...mail, userId, usdot, kind, sentMs })
        .onConflictDoUpdate({
          target: [reportMails.userId, reportMails.usdot, reportMails.kind],
          set: { ...mail, sentMs, isEnding: false },
        });
    const schedule = mail === null ? null : toScheduleText(mail);
    await record(usdot, { usdot, kind: MAIL_LABELS[kind].toLowerCase(), schedule });
  });
};
