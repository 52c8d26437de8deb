import 'server-only';
import { bigint, index, jsonb, text } from 'drizzle-orm/pg-core';
import { linehaul } from '@/lib/database/tables';

/** Who did what, when and from where, as names that outlive the users. A trigger in the migrations refuses changes of rows. */
export const auditLog = linehaul.table(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
    /** Null if the client was not signed in. */
    actorId: text('actor_id'),
    /** The actor as text: an e-mail address, "demo" or "server". */
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject'),
    address: text('address'),
    outcome: text('outcome', { enum: ['done', 'refused'] }).notNull(),
    details: jsonb('details').$type<Record<string, unknown>>(),
  },
  (table) => [
    index('audit_log_at_ms').on(table.atMs),
    index('audit_log_action').on(table.action, table.atMs),
  ],
);
