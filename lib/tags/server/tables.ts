import 'server-only';
import { boolean, primaryKey, text } from 'drizzle-orm/pg-core';
import { linehaul } from '@/lib/database/tables';

/** The tags by which a carrier says which of its units are free. */
export const freeTags = linehaul.table(
  'free_tags',
  {
    usdot: text('usdot').notNull(),
    tag: text('tag').notNull(),
    /** True: a unit needs one of these; false: a unit with it is not free. */
    isNeeded: boolean('is_needed').notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.tag] })],
);
