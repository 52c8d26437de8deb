import 'server-only';
import { index, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { linehaul, instant, users } from '@/lib/database/tables';

/** Keys of programs that write the loads of a fleet, by their hash: a key opens nothing else. */
export const loadKeys = linehaul.table(
  'load_keys',
  {
    id: text('id').primaryKey(),
    usdot: text('usdot').notNull(),
    name: text('name').notNull(),
    keyHash: text('key_hash').notNull(),
    /** The first characters of the key. */
    prefix: text('prefix').notNull(),
    /** The maker's e-mail address, also after that user is deleted. */
    madeBy: text('made_by').notNull(),
    /** The manager who made it, whose rights it depends on; null for the demo. */
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    /** Null: it does not expire. */
    expiresAt: instant('expires_at'),
    /** About when it was last used; null: never. */
    usedAt: instant('used_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    uniqueIndex('load_keys_key_hash').on(table.keyHash),
    index('load_keys_made_by_id').on(table.madeById),
  ],
);
