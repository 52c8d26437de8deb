import 'server-only';
import { bigint, boolean, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { linehaul, instant, reader } from '@/lib/database/tables';

/** Views of the fleet screen by name: of one reader, or shared with all who see the fleet. */
export const savedViews = linehaul.table(
  'saved_views',
  {
    id: text('id').primaryKey(),
    usdot: text('usdot').notNull(),
    reader: reader(),
    isShared: boolean('is_shared').notNull(),
    name: text('name').notNull(),
    /** The query of its address. */
    search: text('search').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [unique('saved_views_name_unique').on(table.usdot, table.reader, table.name)],
);

/** What a reader chose for a fleet, and when the reader was there last. */
export const fleetReaders = linehaul.table(
  'fleet_readers',
  {
    reader: reader(),
    usdot: text('usdot').notNull(),
    startViewId: text('start_view_id').references(() => savedViews.id, { onDelete: 'set null' }),
    /** The end of the last visit that a handover begins with, Unix ms. */
    visitedMs: bigint('visited_ms', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.reader, table.usdot] })],
);
