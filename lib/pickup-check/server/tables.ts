import 'server-only';
import { bigint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { linehaul } from '@/lib/database/tables';
import { loads } from '@/lib/loads/server/tables';

const ms = (name: string) => bigint(name, { mode: 'number' });

/** Codes by which a shipper's dock checks the truck of a load, by their hash. Times are Unix ms. */
export const pickupCodes = linehaul.table(
  'pickup_codes',
  {
    loadId: ms('load_id')
      .primaryKey()
      .references(() => loads.id, { onDelete: 'cascade' }),
    /** The code is derived from it and the load, so that it can be shown again. */
    nonce: text('nonce').notNull(),
    codeHash: text('code_hash').notNull(),
    /** The maker's e-mail address, also after that user is deleted. */
    madeBy: text('made_by').notNull(),
    madeMs: ms('made_ms').notNull(),
    /** When another truck was checked last; null: none was. */
    wrongMs: ms('wrong_ms'),
  },
  (table) => [uniqueIndex('pickup_codes_hash').on(table.codeHash)],
);
