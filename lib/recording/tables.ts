import 'server-only';
import { sql } from 'drizzle-orm';
import { bigint, boolean, check, integer, jsonb, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { linehaul } from '@/lib/database/tables';

/** The recorded fixes, partitioned by the hour in which they were seen; one of a unit and time each. Unix ms. */
export const fixes = linehaul.table('fixes', {
  fixMs: bigint('fix_ms', { mode: 'number' }).notNull(),
  /** When the answer with it came. */
  seenMs: bigint('seen_ms', { mode: 'number' }).notNull(),
  /** Degrees times 100,000. */
  latE5: integer('lat_e5').notNull(),
  lngE5: integer('lng_e5').notNull(),
  /** The unit's own times cannot be trusted: the fix is dated by when it was received. */
  isByReceipt: boolean('is_by_receipt').notNull(),
  usdot: text('usdot').notNull(),
  unit: text('unit').notNull(),
  /** Derived from the unit's fixes when the map showed this one, -1: not; null where it showed another position. */
  speedKph: smallint('speed_kph'),
  headingDeg: smallint('heading_deg'),
  /** Handed over from the service's store: no poll showed it, so a feed does not start from it. */
  isFromStore: boolean('is_from_store').notNull().default(false),
});

/** The revision of an own fleet's store up to which its fixes are recorded; it changes with them. */
export const handedOver = linehaul.table('handed_over', {
  usdot: text('usdot').primaryKey(),
  revision: bigint('revision', { mode: 'number' }).notNull(),
});

/**
 * Times of units for which fixes were recorded late, Unix ms: visits to sites are yet to be found in them. Of no unit, but
 * named "#" and a revision: the fixes of an own fleet's store up to that are yet to be recorded, since the poll at `from_ms`.
 */
export const lateTrails = linehaul.table(
  'late_trails',
  {
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    toMs: bigint('to_ms', { mode: 'number' }).notNull(),
    /** When the last of them was recorded. */
    seenMs: bigint('seen_ms', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.unit] })],
);

/** Rows of the live screen in wire columns: one for each poll that changed more than a fix explains. All null: forgotten. */
export const states = linehaul.table('states', {
  /** The poll, Unix ms. */
  seenMs: bigint('seen_ms', { mode: 'number' }).notNull(),
  latE5: integer('lat_e5'),
  lngE5: integer('lng_e5'),
  fixAtS: integer('fix_s'),
  sinceS: integer('since_s'),
  datedAfterS: integer('dated_after_s'),
  coarseM: integer('coarse_m'),
  flags: integer('flags'),
  speedKph: smallint('speed_kph'),
  headingDeg: smallint('heading_deg'),
  status: smallint('status'),
  reason: smallint('reason'),
  usdot: text('usdot').notNull(),
  unit: text('unit').notNull(),
});

/** The names of each unit, from a poll on. */
export const unitIdentities = linehaul.table(
  'unit_identities',
  {
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    seenMs: bigint('seen_ms', { mode: 'number' }).notNull(),
    identity: jsonb('identity').notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.unit, table.seenMs] })],
);

/** The motion from which late and silent units resume after a restart: MotionMemory of `lib/motion`, as of their last fix then. */
export const unitMotions = linehaul.table(
  'unit_motions',
  {
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    motion: jsonb('motion').notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.unit] })],
);

/** Intervals of a fleet's recording, in Unix ms: whether the provider's answers came, and if not, why not. */
export const coverage = linehaul.table(
  'coverage',
  {
    usdot: text('usdot').notNull(),
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    toMs: bigint('to_ms', { mode: 'number' }).notNull(),
    /** `lost`: answers came that could not be stored. */
    state: text('state', { enum: ['answered', 'failing', 'notRunning', 'lost'] }).notNull(),
    /** The kind of the problem; null where there is none. */
    problem: text('problem'),
  },
  (table) => [
    primaryKey({ columns: [table.usdot, table.fromMs] }),
    check('coverage_state_known', sql`${table.state} in ('answered', 'failing', 'notRunning', 'lost')`),
  ],
);

/** Which provider a fleet was polled at, from when on, Unix ms. */
export const fleetProviders = linehaul.table(
  'fleet_providers',
  {
    usdot: text('usdot').notNull(),
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    /** The host of its API, or what stands for it. */
    provider: text('provider').notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.fromMs] })],
);

/** The greatest fencing number of a fleet's recording: a server that has lost the fleet cannot write what it polled before. */
export const fleetFences = linehaul.table('fleet_fences', {
  usdot: text('usdot').primaryKey(),
  fence: bigint('fence', { mode: 'number' }).notNull(),
});

/** How many units of a fleet had each status, in the order of STATUSES, at the end of each ten minutes from `fromMs` on. */
export const statusCounts = linehaul.table(
  'status_counts',
  {
    usdot: text('usdot').notNull(),
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    counts: integer('counts').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.fromMs] })],
);
