import 'server-only';
import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { handoverMails } from './tables';
import { formatMinute, formatWeekdays } from '@/lib/rules/hours';
import { toOwnedItem } from '@/lib/users/schema';
import type { HandoverMail } from '../schema';

export const ofUser = (userId: string, usdot: string) =>
  and(eq(handoverMails.userId, userId), eq(handoverMails.usdot, usdot));

/** "Mon–Fri 6:00 AM America/Chicago, of 12 h". */
export const toScheduleText = ({ atMin, timeZone, weekdays, hours }: HandoverMail): string =>
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
