import 'server-only';
import { bigint, index, text } from 'drizzle-orm/pg-core';
import { linehaul } from '@/lib/database/tables';

/** What people write about a unit for their colleagues. */
export const unitNotes = linehaul.table(
  'unit_notes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    text: text('text').notNull(),
    /** Copied, as in the audit log. */
    author: text('author').notNull(),
    authorId: text('author_id'),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    /** Unix ms; null: it stays until it is deleted. */
    expiresMs: bigint('expires_ms', { mode: 'number' }),
  },
  (table) => [index('unit_notes_usdot').on(table.usdot, table.unit)],
);
