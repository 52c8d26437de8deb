import 'server-only';
import { bigint, boolean, index, integer, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { linehaul, instant, ownerId } from '@/lib/database/tables';

/** `token` is worthless alone: a cookie carries it signed with a secret that is not in the database. */
export const sessions = linehaul.table(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    token: text('token').notNull(),
    expiresAt: instant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('sessions_token_unique').on(table.token),
    index('sessions_user_id').on(table.userId),
  ],
);

/** Ways to sign in: a password's hash (provider "credential"), or an identity at a provider. */
export const identities = linehaul.table(
  'identities',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('identities_provider_account_unique').on(table.providerId, table.accountId),
    index('identities_user_id').on(table.userId),
  ],
);

/** The authenticator's secret and the recovery codes, encrypted by better-auth; not verified until a code is received. */
export const secondFactors = linehaul.table(
  'second_factors',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    secret: text('secret').notNull(),
    backupCodes: text('recovery_codes').notNull(),
    verified: boolean('verified').notNull().default(true),
    failedVerificationCount: integer('failed_count').notNull().default(0),
    lockedUntil: instant('locked_until'),
    /** The newest time step (30 s each since 1970) whose code was accepted: no code is accepted twice. */
    lastUsedStep: bigint('last_used_step', { mode: 'number' }),
  },
  (table) => [uniqueIndex('second_factors_user_id').on(table.userId)],
);

/** Short-lived values for one use: the state of an OpenID Connect sign-in, the second step of a sign-in. */
export const verifications = linehaul.table(
  'verifications',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [index('verifications_identifier').on(table.identifier)],
);

/** "access" grows with each change of users, screens and settings and each session that ends, by triggers in the migrations. */
export const revisions = linehaul.table('revisions', {
  name: text('name').primaryKey(),
  revision: bigint('revision', { mode: 'number' }).notNull(),
});
