import 'server-only';
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { linehaul, instant, users, ownerId } from '@/lib/database/tables';

/** Open invitations, by the SHA-256 of their link's token; accepted, withdrawn and replaced ones are deleted. */
export const invitations = linehaul.table(
  'invitations',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull(),
    email: text('email').notNull(),
    role: text('role', { enum: ['dispatcher', 'manager'] }).notNull(),
    /** As of users. */
    usdots: text('usdots').array(),
    tags: text('tags').array(),
    invitedById: ownerId('invited_by_id'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_token_hash_unique').on(table.tokenHash),
    uniqueIndex('invitations_email_unique').on(table.email),
    check('invitations_role_known', sql`${table.role} in ('dispatcher', 'manager')`),
  ],
);

/** Unused password reset links, stored as invitations are. */
export const passwordResets = linehaul.table(
  'password_resets',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull(),
    userId: ownerId(),
    /** The manager who made it; null for a user's own request by mail. */
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('password_resets_token_hash_unique').on(table.tokenHash),
    index('password_resets_user_id').on(table.userId),
  ],
);

/** The mail of an invitation or a password reset, whose id it has; its link is sealed while it waits, and null after that. */
export const linkMails = linehaul.table(
  'link_mails',
  {
    id: text('id').primaryKey(),
    invitationId: text('invitation_id').references(() => invitations.id, { onDelete: 'cascade' }),
    resetId: text('reset_id').references(() => passwordResets.id, { onDelete: 'cascade' }),
    sealed: text('sealed'),
    state: text('state', { enum: ['retrying', 'sent', 'failed', 'none'] }).notNull(),
    /** Why the last attempt failed, as the mail server says it. */
    problem: text('problem'),
    attempts: integer('attempts').notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    index('link_mails_invitation_id').on(table.invitationId),
    index('link_mails_reset_id').on(table.resetId),
    check('link_mails_of_one_link', sql`num_nonnulls(${table.invitationId}, ${table.resetId}) = 1`),
  ],
);
