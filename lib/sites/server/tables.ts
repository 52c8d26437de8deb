import 'server-only';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { SureStay } from '@/lib/arrivals/sure';
import type { Site } from '@/lib/rules/site';
import { linehaul, instant } from '@/lib/database/tables';

/** Locations that matter to a carrier, each of one fleet. */
export const sites = linehaul.table(
  'sites',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    usdot: text('usdot').notNull(),
    name: text('name').notNull(),
    kind: text('kind', { enum: ['yard', 'customer', 'fuel', 'noGo', 'other'] }).notNull(),
    /** "#rrggbb" */
    color: text('color').notNull(),
    notes: text('notes').notNull().default(''),
    openingHours: jsonb('opening_hours').$type<Site['openingHours']>(),
    marginM: integer('margin_m').notNull(),
    shape: jsonb('shape').$type<Site['shape']>().notNull(),
    /** The circle of a stop of a load, which is no site that a user manages. */
    isOfLoad: boolean('is_of_load').notNull().default(false),
    madeBy: text('made_by').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [unique('sites_name_unique').on(table.usdot, table.name)],
);

/** The search of the recording for visits to a site, which begins again with each `number`, and since when polls judge it. */
export const siteScans = linehaul.table('site_scans', {
  siteId: integer('site_id')
    .primaryKey()
    .references(() => sites.id, { onDelete: 'cascade' }),
  usdot: text('usdot').notNull(),
  number: integer('number').notNull().default(1),
  /** Unix ms. */
  watchedFromMs: bigint('watched_from_ms', { mode: 'number' }).notNull(),
  /** How much of the recording has been searched: 0 to 1. */
  share: doublePrecision('share').notNull().default(0),
});

/**
 * When units were at sites, Unix ms. A visit lasts from `arrivedMs`, the first fix inside, to `leftMs`, the last one inside,
 * and is open while that is null; the unit came after `arrivedAfterMs` and was gone by `leftByMs`. `origin`: judged by polls
 * (`live`), proved by fixes that came late (`late`), or found in the recording when its site was made or moved (`recording`),
 * or that, and going on as polls judge it (`joined`).
 */
export const siteVisits = linehaul.table(
  'site_visits',
  {
    usdot: text('usdot').notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    unit: text('unit').notNull(),
    arrivedMs: bigint('arrived_ms', { mode: 'number' }).notNull(),
    arrivedAfterMs: bigint('arrived_after_ms', { mode: 'number' }),
    leftMs: bigint('left_ms', { mode: 'number' }),
    leftByMs: bigint('left_by_ms', { mode: 'number' }),
    origin: text('origin', { enum: ['live', 'late', 'recording', 'joined'] })
      .notNull()
      .default('live'),
    /** What its fixes prove of it by the clock of this server; null: it is not counted yet, or they prove nothing. */
    sure: jsonb('sure').$type<SureStay>(),
    /** How long its truck was away between arrival and departure by that, ms. */
    awayMs: bigint('away_ms', { mode: 'number' }).notNull().default(0),
    /** When it is to be counted next, Unix ms: a trigger says so whenever its times change. Null: it has been. */
    countDueMs: bigint('count_due_ms', { mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.usdot, table.siteId, table.unit, table.arrivedMs] }),
    index('site_visits_to_count')
      .on(table.countDueMs)
      .where(sql`${table.countDueMs} is not null`),
    index('site_visits_of_site').on(table.siteId, table.arrivedMs),
    index('site_visits_left').on(table.siteId, table.leftMs, table.arrivedMs),
    // However many servers judge a fleet, a unit is at a site once.
    uniqueIndex('site_visits_open_unique')
      .on(table.siteId, table.unit)
      .where(sql`${table.leftMs} is null`),
    index('site_visits_of_unit').on(table.usdot, table.unit, table.arrivedMs),
  ],
);
