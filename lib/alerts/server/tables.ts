import 'server-only';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Alert, AlertRule } from '@/lib/rules/alert-rule';
import type { AlertPreferences } from '../preferences';
import { linehaul, instant, users, ownerId, reader } from '@/lib/database/tables';

const severity = (name: string) => text(name, { enum: ['info', 'warning', 'critical'] }).notNull();

/** Rules of a fleet that managers set (`ownerId` null), and those that users set for themselves. */
export const alertRules = linehaul.table(
  'alert_rules',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    usdot: text('usdot').notNull(),
    ownerId: text('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    condition: jsonb('condition').$type<AlertRule['condition']>().notNull(),
    units: jsonb('units').$type<AlertRule['units']>().notNull(),
    schedule: jsonb('schedule').$type<AlertRule['schedule']>(),
    severity: severity('severity'),
    coolDownMin: integer('cool_down_min').notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    madeBy: text('made_by').notNull(),
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Cases that held at this time open no alert until they have ended once; null: all cases open one. */
    newFromMs: bigint('new_from_ms', { mode: 'number' }),
    /** The `newFromMs` for which these cases are in alert_known_cases. */
    knownFromMs: bigint('known_from_ms', { mode: 'number' }),
  },
  (table) => [index('alert_rules_usdot').on(table.usdot)],
);

/** Cases that open no alert until they have ended: known when their rule was saved, or closed by hand. */
export const alertKnownCases = linehaul.table(
  'alert_known_cases',
  {
    ruleId: integer('rule_id')
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    /** Key of the unit; empty: the feed of the fleet. */
    unit: text('unit').notNull(),
    knownMs: bigint('known_ms', { mode: 'number' }).notNull(),
    isByHand: boolean('is_by_hand').notNull().default(false),
    siteId: integer('site_id'),
    sinceMs: bigint('since_ms', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.unit] })],
);

/** Each time that a rule fired. Name, severity and owner are copied, so that an alert outlives its rule. */
export const alerts = linehaul.table(
  'alerts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    usdot: text('usdot').notNull(),
    ruleId: integer('rule_id').references(() => alertRules.id, { onDelete: 'set null' }),
    ruleName: text('rule_name').notNull(),
    ownerId: text('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    severity: severity('severity'),
    /** Key of the unit; empty: the feed of the fleet. */
    unit: text('unit').notNull(),
    openedMs: bigint('opened_ms', { mode: 'number' }).notNull(),
    closedMs: bigint('closed_ms', { mode: 'number' }),
    facts: jsonb('facts').$type<Alert['facts']>().notNull(),
    acknowledgedBy: text('acknowledged_by'),
    acknowledgedMs: bigint('acknowledged_ms', { mode: 'number' }),
    note: text('note'),
    /** Who closed it by hand; null: it closed with its cause, or is open. */
    closedBy: text('closed_by'),
  },
  (table) => [
    index('alerts_usdot').on(table.usdot, table.id),
    // The bell counts the open ones of a fleet every ten seconds, and nearly all are closed.
    index('alerts_open')
      .on(table.usdot, table.id)
      .where(sql`${table.closedMs} is null`),
    // However many servers evaluate a rule, one alert of it is open for a unit.
    uniqueIndex('alerts_open_unique')
      .on(table.ruleId, table.unit)
      .where(sql`${table.closedMs} is null`),
    index('alerts_of_rule').on(table.ruleId, table.unit, table.openedMs),
  ],
);

export const alertPreferences = linehaul.table('alert_preferences', {
  userId: ownerId().primaryKey(),
  preferences: jsonb('preferences').$type<AlertPreferences>().notNull(),
});

/** The newest alert of a fleet that a reader has seen. */
export const alertReads = linehaul.table(
  'alert_reads',
  {
    reader: reader(),
    usdot: text('usdot').notNull(),
    lastAlertId: bigint('last_alert_id', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.reader, table.usdot] })],
);

/** Addresses of a fleet's own programs that get its alerts; the secret is sealed as a provider's is. */
export const webhooks = linehaul.table(
  'webhooks',
  {
    id: text('id').primaryKey(),
    usdot: text('usdot').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    sealedSecret: text('sealed_secret').notNull(),
    minSeverity: severity('min_severity'),
    isEnabled: boolean('is_enabled').notNull(),
    /** Its messages name the people to call about a truck. */
    includesContacts: boolean('includes_contacts').notNull().default(false),
    madeBy: text('made_by').notNull(),
    /** The user who entered the address; null: not known. */
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('webhooks_usdot').on(table.usdot)],
);

/** Browsers of users that get alerts by Web Push. */
export const pushSubscriptions = linehaul.table(
  'push_subscriptions',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    endpoint: text('endpoint').notNull(),
    keys: jsonb('keys').$type<{ p256dh: string; auth: string }>().notNull(),
    userAgent: text('user_agent').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('push_subscriptions_endpoint').on(table.endpoint),
    index('push_subscriptions_user_id').on(table.userId),
  ],
);

/** One message about an alert to one target. Its id goes with it, so that a receiver can recognize a repeat. */
export const alertDeliveries = linehaul.table(
  'alert_deliveries',
  {
    id: text('id').primaryKey(),
    alertId: bigint('alert_id', { mode: 'number' })
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    event: text('event', { enum: ['opened', 'closed'] }).notNull(),
    channel: text('channel', { enum: ['email', 'webhook', 'push'] }).notNull(),
    /** Id of the user, the browser's subscription or the webhook. */
    target: text('target').notNull(),
    state: text('state', { enum: ['pending', 'sent', 'failed'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    uniqueIndex('alert_deliveries_once').on(table.alertId, table.event, table.channel, table.target),
    index('alert_deliveries_target').on(table.target, table.createdMs),
  ],
);
