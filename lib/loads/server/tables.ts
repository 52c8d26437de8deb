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
  smallint,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { LOAD_STATES, STOP_KINDS, VERDICTS } from '@/lib/arrivals/load';
import { NO_WINDOW, type LoadWindow } from '@/lib/rules/load-watch';
import { instant, linehaul } from '@/lib/database/tables';
import { sites } from '@/lib/sites/server/tables';
import { MAIL_LANGUAGES, MAIL_SUBJECTS, type MailedAddress } from '../mails';

const ms = (name: string) => bigint(name, { mode: 'number' });

/** What a carrier moves for a customer, from its first stop to its last. */
export const loads = linehaul.table(
  'loads',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    usdot: text('usdot').notNull(),
    reference: text('reference').notNull(),
    po: text('po').notNull().default(''),
    bol: text('bol').notNull().default(''),
    customer: text('customer').notNull().default(''),
    note: text('note').notNull().default(''),
    tags: text('tags')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    /** When its last stop was left, or it was ended by hand, Unix ms; null: it is under way. */
    endedMs: ms('ended_ms'),
    /** Who ended it by hand; null: it was delivered, or is under way. */
    endedBy: text('ended_by'),
    /** Counts the changes of its stops: what a poll found of earlier ones is not written. */
    revision: integer('revision').notNull().default(0),
    madeBy: text('made_by').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    unique('loads_reference_unique').on(table.usdot, table.reference),
    index('loads_under_way')
      .on(table.usdot)
      .where(sql`${table.endedMs} is null`),
    index('loads_ended').on(table.usdot, table.endedMs),
  ],
);

const loadId = () =>
  bigint('load_id', { mode: 'number' })
    .notNull()
    .references(() => loads.id, { onDelete: 'cascade' });

/** The stops of a load in their order. A stop that is no site of the fleet has a site of its own. */
export const loadStops = linehaul.table(
  'load_stops',
  {
    loadId: loadId(),
    position: smallint('position').notNull(),
    kind: text('kind', { enum: STOP_KINDS }).notNull(),
    /** Null: its site was removed, so that nothing is judged here any more. */
    siteId: integer('site_id').references(() => sites.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    address: text('address').notNull().default(''),
    lat: doublePrecision('lat').notNull(),
    lng: doublePrecision('lng').notNull(),
    timeZone: text('time_zone').notNull(),
    appointmentFromMs: ms('appointment_from_ms'),
    appointmentToMs: ms('appointment_to_ms'),
    freeMin: integer('free_min'),
    contactName: text('contact_name').notNull().default(''),
    contactPhone: text('contact_phone').notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.loadId, table.position] }),
    index('load_stops_of_site').on(table.siteId),
  ],
);

/** The trucks that had a load, by key, Unix ms; one of them at a time. */
export const loadTrucks = linehaul.table(
  'load_trucks',
  {
    loadId: loadId(),
    fromMs: ms('from_ms').notNull(),
    toMs: ms('to_ms'),
    unit: text('unit').notNull(),
    madeBy: text('made_by').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.loadId, table.fromMs] }),
    index('load_trucks_of_unit').on(table.unit),
  ],
);

/** What polls found of a load last. */
export const loadStates = linehaul.table('load_states', {
  loadId: loadId().primaryKey(),
  seenMs: ms('seen_ms').notNull(),
  state: text('state', { enum: LOAD_STATES }).notNull(),
  next: smallint('next'),
  verdict: text('verdict', { enum: VERDICTS }).notNull(),
  window: jsonb('window').$type<LoadWindow>(),
  /** Why there is no window; null: there is one. */
  noWindow: text('no_window', { enum: NO_WINDOW }),
  /** Earlier windows for the next stop, thinned out, by which it is graded once the truck is there. */
  shown: jsonb('shown').$type<readonly LoadWindow[]>().notNull(),
});

/** What happened to a load, by polls, or by hand where there is an actor. */
export const loadEvents = linehaul.table(
  'load_events',
  {
    loadId: loadId(),
    atMs: ms('at_ms').notNull(),
    kind: text('kind').notNull(),
    position: smallint('position').notNull().default(-1),
    unit: text('unit').notNull().default(''),
    seenMs: ms('seen_ms').notNull(),
    actor: text('actor'),
    details: jsonb('details').$type<Record<string, unknown>>(),
  },
  // What two servers find, or one before it is killed and again after that, happened once.
  (table) => [primaryKey({ columns: [table.loadId, table.kind, table.position, table.unit, table.atMs] })],
);

/** Windows at fixed times before an arrival, and what happened. */
export const arrivalGrades = linehaul.table(
  'arrival_grades',
  {
    loadId: loadId(),
    position: smallint('position').notNull(),
    leadMs: ms('lead_ms').notNull(),
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    shownMs: ms('shown_ms').notNull(),
    fixMs: ms('fix_ms').notNull(),
    fromMs: ms('from_ms').notNull(),
    toMs: ms('to_ms').notNull(),
    by: text('by').notNull(),
    isStanding: boolean('is_standing').notNull(),
    stops: doublePrecision('stops').notNull(),
    expectedMs: ms('expected_ms').notNull(),
    distM: doublePrecision('dist_m').notNull(),
    arrivedMs: ms('arrived_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.loadId, table.position, table.leadMs] }),
    index('arrival_grades_of_fleet').on(table.usdot, table.arrivedMs),
  ],
);

/** Whom the customer's mails of a load go to, and what they are about. They end with the load. */
export const loadMails = linehaul.table('load_mails', {
  loadId: loadId().primaryKey(),
  addresses: jsonb('addresses').$type<readonly MailedAddress[]>().notNull(),
  about: text('about', { enum: MAIL_SUBJECTS }).array().notNull(),
  language: text('language', { enum: MAIL_LANGUAGES }).notNull(),
});

/** Mails to customers that were found to be due, each once. Times are Unix ms. */
export const customerMails = linehaul.table(
  'customer_mails',
  {
    /** Its Message-ID and its job, which stay the same however often it is tried. */
    id: text('id').primaryKey(),
    loadId: loadId(),
    address: text('address').notNull(),
    about: text('about', { enum: MAIL_SUBJECTS }).notNull(),
    /** The stop that it is about, which may get another place in the load: its site, and how many stops are there before it. */
    siteId: integer('site_id').notNull(),
    nth: smallint('nth').notNull(),
    /** The end of the appointment that the window has moved beyond; 0 for what happened. */
    appointmentMs: ms('appointment_ms').notNull(),
    state: text('state', { enum: ['pending', 'sent', 'failed', 'dropped'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    problem: text('problem'),
    createdMs: ms('created_ms').notNull(),
    updatedMs: ms('updated_ms').notNull(),
  },
  (table) => [
    unique('customer_mails_once').on(
      table.loadId,
      table.address,
      table.about,
      table.siteId,
      table.nth,
      table.appointmentMs,
    ),
    index('customer_mails_pending')
      .on(table.createdMs)
      .where(sql`${table.state} = 'pending'`),
    index('customer_mails_sent')
      .on(table.updatedMs)
      .where(sql`${table.state} = 'sent'`),
  ],
);
