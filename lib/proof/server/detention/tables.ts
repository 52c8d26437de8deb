import 'server-only';
import { bigint, index, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { COUNTED_FROM } from '@/lib/arrivals/free-time';
import { instant, linehaul } from '@/lib/database/tables';
import { loads } from '@/lib/loads/server/tables';
import { sites } from '@/lib/sites/server/tables';
import { TERMS_OF } from '../../terms';

const ms = (name: string) => bigint(name, { mode: 'number' });

/** What was agreed about detention: of the fleet, or of one customer, site or load. */
export const detentionTerms = linehaul.table(
  'detention_terms',
  {
    usdot: text('usdot').notNull(),
    /** "fleet", "customer:acme foods", "site:7", "load:9". */
    key: text('key').notNull(),
    of: text('of', { enum: TERMS_OF }).notNull(),
    customer: text('customer'),
    siteId: integer('site_id').references(() => sites.id, { onDelete: 'cascade' }),
    loadId: ms('load_id').references(() => loads.id, { onDelete: 'cascade' }),
    freeMin: integer('free_min').notNull(),
    countedFrom: text('counted_from', { enum: COUNTED_FROM }).notNull(),
    rateCents: integer('rate_cents').notNull(),
    stepMin: integer('step_min').notNull(),
    capCents: integer('cap_cents'),
    madeBy: text('made_by').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.usdot, table.key] }),
    index('detention_terms_of_site').on(table.siteId),
    index('detention_terms_of_load').on(table.loadId),
  ],
);

/** The detention statements of a fleet, by their newest revision: which stay each is about, and what it bills. Times are Unix ms. */
export const detentionStatements = linehaul.table(
  'detention_statements',
  {
    usdot: text('usdot').notNull(),
    number: text('number').notNull(),
    revision: integer('revision').notNull(),
    unit: text('unit').notNull(),
    siteId: integer('site_id').references(() => sites.id, { onDelete: 'set null' }),
    siteName: text('site_name').notNull(),
    /** The stop of a load; null: a visit without one, or its load was removed. */
    loadId: ms('load_id').references(() => loads.id, { onDelete: 'set null' }),
    position: smallint('position'),
    reference: text('reference').notNull(),
    customer: text('customer').notNull(),
    timeZone: text('time_zone').notNull(),
    /** The first fix inside and the last one, which find the visits that it is about. */
    arrivedMs: ms('arrived_ms').notNull(),
    leftMs: ms('left_ms').notNull(),
    /** The times of these visits when it was issued: others now are a reason for a revision. */
    basis: text('basis').notNull(),
    billableMin: integer('billable_min').notNull(),
    mostMin: integer('most_min'),
    amountCents: integer('amount_cents').notNull(),
    issuedMs: ms('issued_ms').notNull(),
    /** When it was first issued. */
    firstMs: ms('first_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.usdot, table.number] }),
    index('detention_statements_of_visit').on(table.usdot, table.unit, table.siteId, table.arrivedMs),
    index('detention_statements_of_site').on(table.siteId),
    index('detention_statements_of_load').on(table.loadId),
    index('detention_statements_by_arrival').on(table.usdot, table.arrivedMs),
  ],
);

/** Visits that are not to be billed, by a user's choice. Times are Unix ms; a stay is found by them, as that of a statement. */
export const detentionDismissals = linehaul.table(
  'detention_dismissals',
  {
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    arrivedMs: ms('arrived_ms').notNull(),
    leftMs: ms('left_ms').notNull(),
    madeBy: text('made_by').notNull(),
    madeAt: instant('made_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.usdot, table.unit, table.siteId, table.arrivedMs] }),
    index('detention_dismissals_of_site').on(table.siteId),
  ],
);
