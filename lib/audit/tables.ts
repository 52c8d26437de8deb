import 'server-only';
import { bigint, index, jsonb, text } from 'drizzle-orm/pg-core';
import { linehaul } from '@/lib/database/tables';

/**
 * Who did what, when, from where, and with what result. Rows are only ever added: a trigger in the migrations
 * refuses changes. Names are copied, so that a line stays the same after its user is deleted.
 */
export const auditLog = linehaul.table(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
    actorId: text('actor_id'),
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
