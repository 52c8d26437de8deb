import 'server-only';
import { bigint, boolean, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { linehaul, ownerId } from '@/lib/database/tables';
import { REPORT_KINDS } from '../schema';

const schedule = () => ({
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
});

/** When users get the handover of a fleet by mail. Servers of the version before write by its key too. */
export const handoverMails = linehaul.table('handover_mails', schedule(), (table) => [
  primaryKey({ columns: [table.userId, table.usdot] }),
]);

/** When users get a report of a fleet by mail. */
export const reportMails = linehaul.table(
  'report_mails',
  {
    ...schedule(),
    kind: text('kind', { enum: REPORT_KINDS }).notNull(),
    /** The key of the truck that it is about; null: all. */
    unit: text('unit'),
    /** The tag of the trucks that it is about; null: any. */
    tag: text('tag'),
    /** Its truck or tag was removed: the next mail says so and is the last. */
    isEnding: boolean('is_ending').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.userId, table.usdot, table.kind] })],
);
