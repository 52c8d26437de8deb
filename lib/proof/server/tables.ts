import 'server-only';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { linehaul, users } from '@/lib/database/tables';
import { loads } from '@/lib/loads/server/tables';
import { DOCUMENT_KINDS } from '../content';

const ms = (name: string) => bigint(name, { mode: 'number' });

/** The keys that sign documents. None is ever deleted: what it signed stays verifiable. Times are Unix ms. */
export const proofKeys = linehaul.table(
  'proof_keys',
  {
    /** The thumbprint of the public key by RFC 7638. */
    kid: text('kid').primaryKey(),
    /** The public key as `x` of its JWK. */
    x: text('x').notNull(),
    /** The private key as `d` of its JWK, sealed. */
    sealed: text('sealed').notNull(),
    fromMs: ms('from_ms').notNull(),
    /** When another took its place; null: it signs. */
    untilMs: ms('until_ms'),
    /** When it was marked as no longer to be trusted. */
    revokedMs: ms('revoked_ms'),
  },
  (table) => [
    uniqueIndex('proof_keys_one_signs')
      .on(sql`(true)`)
      .where(sql`${table.untilMs} is null`),
  ],
);

/** Documents as they were issued, each revision a row of its own that never changes. Times are Unix ms. */
export const proofDocuments = linehaul.table(
  'proof_documents',
  {
    number: text('number').notNull(),
    revision: integer('revision').notNull(),
    usdot: text('usdot').notNull(),
    kind: text('kind', { enum: DOCUMENT_KINDS }).notNull(),
    /** The truck by its key, and the load if it is about one, for lists and for who may see it. */
    unit: text('unit').notNull(),
    loadId: ms('load_id').references(() => loads.id, { onDelete: 'set null' }),
    /** What a list calls it, such as "Truck 4107 at Acme Rolla". */
    about: text('about').notNull(),
    /** The signed document in compact form; its payload is the canonical JSON. */
    jws: text('jws').notNull(),
    kid: text('kid')
      .notNull()
      .references(() => proofKeys.kid),
    /** The hash of the canonical JSON, SHA-256 in hex. */
    contentHash: text('content_hash').notNull(),
    issuedMs: ms('issued_ms').notNull(),
    /** Its number alone shows it to people without an account; as the newest revision has it. */
    isShownByNumber: boolean('is_shown_by_number').notNull(),
    /** The maker's e-mail address, also after that user is deleted; "server": a correction. */
    madeBy: text('made_by').notNull(),
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    primaryKey({ columns: [table.number, table.revision] }),
    index('proof_documents_of_fleet').on(table.usdot, table.issuedMs),
    index('proof_documents_of_load').on(table.loadId),
    index('proof_documents_of_key').on(table.kid, table.issuedMs),
    index('proof_documents_made_by_id').on(table.madeById),
  ],
);
