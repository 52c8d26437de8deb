import 'server-only';
import { boolean, index, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { linehaul, instant, users } from '@/lib/database/tables';
import { SCREEN_DISTANCES } from '../distance';

/** Wall screens, by the hash of their link's token: its bearer reads the maps of their fleets. */
export const wallScreens = linehaul.table(
  'wall_screens',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** The USDOT numbers whose fleets it may show; null: all. */
    usdots: text('usdots').array(),
    /** How far its viewers stand from it. */
    distance: text('distance', { enum: SCREEN_DISTANCES }).notNull().default('wall'),
    /** Its map goes from region to region. */
    isRotating: boolean('is_rotating').notNull().default(false),
    /** The maker's e-mail address, also after that user is deleted. */
    madeBy: text('made_by').notNull(),
    /** The manager who made it, whose rights it depends on; null for the demo, and where `made_by` is no user's address. */
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    /** About when it was last seen, and from which address; null: never. */
    seenAt: instant('seen_at'),
    seenAddress: text('seen_address'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    uniqueIndex('wall_screens_token_hash').on(table.tokenHash),
    index('wall_screens_made_by_id').on(table.madeById),
  ],
);
