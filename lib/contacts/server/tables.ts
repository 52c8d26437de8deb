import 'server-only';
import { bigint, primaryKey, text } from 'drizzle-orm/pg-core';
import { linehaul } from '@/lib/database/tables';

const part = (name: string) => text(name).notNull().default('');

/** The people to call about a unit; an empty text: not given. */
export const unitContacts = linehaul.table(
  'unit_contacts',
  {
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    driver: part('driver'),
    driverPhone: part('driver_phone'),
    secondDriver: part('second_driver'),
    secondDriverPhone: part('second_driver_phone'),
    dispatcher: part('dispatcher'),
    dispatcherPhone: part('dispatcher_phone'),
    text: part('text'),
    changedMs: bigint('changed_ms', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.unit] })],
);
