import 'server-only';
import { sql } from 'drizzle-orm';
import {
  bigint,
  bit,
  boolean,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { linehaul, users } from '@/lib/database/tables';
import { loads } from '@/lib/loads/server/tables';
import { LANGUAGES } from '@/lib/catalog/catalog';
import { sites } from '@/lib/sites/server/tables';
import { PRECISIONS, SHARED_FIELDS, SHARE_ENDS } from '../schema';
import type { TakenPosition } from '../blur';
import { PLACE_BITS } from '../places';

const ms = (name: string) => bigint(name, { mode: 'number' });

/** Links for people without an account, by the hash of their token. Times are Unix ms. */
export const shares = linehaul.table(
  'shares',
  {
    id: text('id').primaryKey(),
    usdot: text('usdot').notNull(),
    /** The token is derived from it and the id, so that the link can be copied again. */
    nonce: text('nonce').notNull(),
    tokenHash: text('token_hash').notNull(),
    recipient: text('recipient').notNull(),
    precision: text('precision', { enum: PRECISIONS }).notNull(),
    fields: text('fields', { enum: SHARED_FIELDS }).array().notNull(),
    delayMin: integer('delay_min').notNull(),
    endsMs: ms('ends_ms'),
    endsOn: text('ends_on', { enum: SHARE_ENDS }),
    endsAtStop: smallint('ends_at_stop'),
    /** Null where it is to end at a site: that was removed. */
    endsAtSite: integer('ends_at_site').references(() => sites.id, { onDelete: 'set null' }),
    showsEnd: boolean('shows_end').notNull(),
    frameOrigins: text('frame_origins').array().notNull(),
    /** The maker's e-mail address, also after that user is deleted. */
    madeBy: text('made_by').notNull(),
    /** The user whose rights it depends on; null for the demo. */
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'cascade' }),
    madeMs: ms('made_ms').notNull(),
    revokedMs: ms('revoked_ms'),
  },
  (table) => [
    uniqueIndex('shares_token_hash').on(table.tokenHash),
    index('shares_of_fleet').on(table.usdot, table.madeMs),
    index('shares_made_by_id').on(table.madeById),
  ],
);

const shareId = () =>
  text('share_id')
    .notNull()
    .references(() => shares.id, { onDelete: 'cascade' });

/** The loads and trucks of links, in their order. An item without either is of a load that was removed. */
export const shareItems = linehaul.table(
  'share_items',
  {
    shareId: shareId(),
    position: smallint('position').notNull(),
    loadId: ms('load_id').references(() => loads.id, { onDelete: 'set null' }),
    unit: text('unit'),
    alias: text('alias').notNull(),
    /** Visits of a truck to the site where the link ends count that began later, Unix ms. */
    visitsAfterMs: ms('visits_after_ms'),
    /** The blurred position that is shown; null: none was taken yet. */
    taken: jsonb('taken').$type<TakenPosition>(),
    /** When what ends it happened, never undone; null: it goes on. */
    endedMs: ms('ended_ms'),
    endedBy: text('ended_by', { enum: [...SHARE_ENDS, 'closed', 'removed'] }),
  },
  (table) => [
    primaryKey({ columns: [table.shareId, table.position] }),
    index('share_items_of_load')
      .on(table.loadId)
      .where(sql`${table.endedMs} is null`),
    index('share_items_of_unit')
      .on(table.unit)
      .where(sql`${table.endedMs} is null`),
  ],
);

/** How often a link was opened in each hour, Unix ms, and from which networks, of which none can be found in it. */
export const shareOpenings = linehaul.table(
  'share_openings',
  {
    shareId: shareId(),
    hourMs: ms('hour_ms').notNull(),
    count: integer('count').notNull(),
    /** The bits of their keyed hashes. */
    places: bit('places', { dimensions: PLACE_BITS }).notNull(),
    lastMs: ms('last_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.shareId, table.hourMs] })],
);

/** Calendars of the arrivals that are expected at a site, for people without an account. Times are Unix ms. */
export const siteCalendars = linehaul.table(
  'site_calendars',
  {
    id: text('id').primaryKey(),
    usdot: text('usdot').notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    nonce: text('nonce').notNull(),
    tokenHash: text('token_hash').notNull(),
    recipient: text('recipient').notNull(),
    language: text('language', { enum: LANGUAGES }).notNull(),
    showsTruck: boolean('shows_truck').notNull(),
    endsMs: ms('ends_ms'),
    madeBy: text('made_by').notNull(),
    /** The user whose rights it depends on; null for the demo. */
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'cascade' }),
    madeMs: ms('made_ms').notNull(),
    revokedMs: ms('revoked_ms'),
    /** How often programs have read it, and when last. */
    opened: integer('opened').notNull().default(0),
    lastOpenedMs: ms('last_opened_ms'),
  },
  (table) => [
    uniqueIndex('site_calendars_token_hash').on(table.tokenHash),
    index('site_calendars_of_fleet').on(table.usdot, table.madeMs),
    index('site_calendars_of_site').on(table.siteId),
    index('site_calendars_made_by_id').on(table.madeById),
  ],
);
