import 'server-only';
import { bigint, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { linehaul, ownerId } from '@/lib/database/tables';

export const handoverMails = linehaul.table(
  'handover_mails',
  {
    userId: ownerId(),
    usdot: text('usdot').notNull(),
    /** Minutes after midnight in the time zone. */
    atMin: integer('at_min').notNull(),
    timeZone: text('time_zone').notNull(),
    /** ISO weekdays, 1 is Monday. */
    weekdays: integer('weekdays').array().notNull(),
    /** Hours that a mail reaches back. */
    hours: integer('hours').notNull(),
    /** When the last one was due or the schedule was set, Unix ms: what was due by then is not sent. */
    sentMs: bigint('sent_ms', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.usdot] })],
);
