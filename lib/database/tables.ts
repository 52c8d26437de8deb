import 'server-only';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

/** The application has its own schema; the tracking service has another. */
export const linehaul = pgSchema('linehaul');

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Users who may sign in, and their rights, which only `lib/users/server` writes; better-auth uses the columns before those. */
export const users = linehaul.table(
  'users',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** A password alone does not sign the user in. */
    twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
    role: text('role', { enum: ['dispatcher', 'manager'] })
      .notNull()
      .default('dispatcher'),
    /** The USDOT numbers of the user's scope; null: all. */
    usdots: text('usdots')
      .array()
      .default(sql`'{}'::text[]`),
    /** Tags of the units in the user's scope, within these fleets; null: all units. */
    tags: text('tags').array(),
    /** Since when the user is disabled; null: enabled. */
    disabledAt: instant('disabled_at'),
  },
  (table) => [
    uniqueIndex('users_email_unique').on(table.email),
    check('users_role_known', sql`${table.role} in ('dispatcher', 'manager')`),
    check('users_managers_see_all', sql`${table.role} <> 'manager' or ${table.tags} is null`),
  ],
);

export const ownerId = (name = 'user_id') =>
  text(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** Groups of units by a tag each. */
export const unitTags = linehaul.table(
  'unit_tags',
  {
    usdot: text('usdot').notNull(),
    tag: text('tag').notNull(),
    unit: text('unit').notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.tag, table.unit] })],
);

/** Settings of the whole server, by name. The environment determines a setting without a row. */
export const settings = linehaul.table('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  /** The e-mail address of the last user who changed it, copied as in the audit log. */
  changedBy: text('changed_by').notNull(),
  changedAt: instant('changed_at').notNull(),
});

/** Whose personal choices a row holds: a user's id, or "demo". */
export const reader = () => text('reader').notNull();
