import 'server-only';
import { bigint, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { linehaul, ownerId } from '@/lib/database/tables';
import { MAIL_KINDS } from '../schema';

/** When users get the handover of a fleet, or one of its reports, by mail. */
export const handoverMails = linehaul.table(
  'handover_mails',
  {
    userId: ownerId(),
    usdot: text('usdot').notNull(),
    kind: text('kind', { enum: MAIL_KINDS }).notNull().default('handover'),
    /** The key of the truck that a report is about; null: all. */
    unit: text('unit'),
    /** The tag of the trucks that a report is about; null: any. */
    tag: text('tag'),
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
  (table) => [primaryKey({ columns: [table.userId, table.usdot, table.kind] })],
);
