import {
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  type ShapeOf,
} from '@/lib/base/shape';
import { toCsvFile } from '@/lib/base/text/csv';
import { z } from '@/lib/base/zod';
import { COUNTED_FROM } from '@/lib/arrivals/free-time';
import { toWallClock } from '@/lib/trips/days';
import { TERMS_OF } from './terms';

/** Which stay a statement is about: a visit to a site, or a stop of a load; of several trucks that had it there, of the one that is named. */
export const stayRefSchema = z
  .strictObject({
    unit: z.string().min(1).max(140).nullable(),
    siteId: z.coerce.number().int().min(1).max(2_147_483_647).nullable(),
    /** A time during the visit, Unix ms. */
    arrivedMs: z.coerce.number().int().min(0).nullable(),
    loadId: z.coerce.number().int().min(1).nullable(),
    position: z.coerce.number().int().min(0).max(100).nullable(),
  })
  .partial()
  .refine(
    ({ unit, siteId, arrivedMs, loadId, position }) =>
      (loadId != null && position != null) || (unit != null && siteId != null && arrivedMs != null),
    'Give a visit to a site, or a stop of a load.',
  );
export type StayRef = z.infer<typeof stayRefSchema>;

/** POST /api/fleets/:usdot/detention/statements */
export const statementInputSchema = z.strictObject({
  stay: stayRefSchema,
  /** Its number alone shows it to people without an account. */
  isShownByNumber: z.boolean(),
  /** The amount that its maker saw, cents: another one now is not issued unseen. */
  amountCents: z.int().min(0),
});
export type StatementInput = z.infer<typeof statementInputSchema>;

const keptTermsShape = object({
  of: oneOf(TERMS_OF),
  customer: nullable(text),
  siteId: nullable(number),
  loadId: nullable(number),
  freeMin: integer(0),
  countedFrom: oneOf(COUNTED_FROM),
  rateCents: integer(0),
  stepMin: integer(1),
  capCents: nullable(integer(0)),
  /** The name of the site, or the reference of the load. */
  name: text,
});
/** GET /api/fleets/:usdot/detention/terms */
export const allTermsShape = object({ terms: list(keptTermsShape) });
export type ListedTerms = ShapeOf<typeof keptTermsShape>;

/** What is missing for a statement, the most important first. */
export const MISSING = ['terms', 'departure', 'arrival', 'appointment', 'customer'] as const;
export type Missing = (typeof MISSING)[number];
export const MISSING_TEXTS: Readonly<Record<Missing, string>> = {
  terms: 'Terms',
  departure: 'A fix after it left',
  arrival: 'A fix before it came',
  appointment: 'Appointment',
  customer: 'Customer',
};

/** Visits that may be billed; those that a user dismissed; those to yards, fuel stops and no-go areas, which no customer keeps a truck at. */
export const BILLABLE_LISTS = ['open', 'dismissed', 'ownPlaces'] as const;
export type BillableList = (typeof BILLABLE_LISTS)[number];

export const billableListSchema = z.strictObject({ list: z.enum(BILLABLE_LISTS).default('open') });

/** PUT /api/fleets/:usdot/detention/dismissals */
export const dismissalSchema = z.strictObject({
  stay: stayRefSchema,
  /** False: it is to be billed after all. */
  isDismissed: z.boolean(),
});
export type Dismissal = z.infer<typeof dismissalSchema>;

const billableShape = object({
  unit: text,
  name: text,
  siteId: number,
  siteName: text,
  timeZone: text,
  loadId: nullable(number),
  position: nullable(number),
  reference: text,
  customer: text,
  arrivedAfterMs: nullable(number),
  arrivedMs: number,
  leftMs: number,
  leftByMs: nullable(number),
  /** What a statement bills. Null without terms. */
  billableMin: nullable(integer(0)),
  amountCents: nullable(integer(0)),
  missing: list(oneOf(MISSING)),
  /** Who chose that it is not billed, and when; null: it may be billed. */
  dismissed: nullable(object({ by: text, atMs: number })),
});
/** GET /api/fleets/:usdot/detention/billable?list=: stays without a statement that went beyond free time, the oldest first. */
export const billableStaysShape = object({
  nowMs: number,
  stays: list(billableShape),
  hasMore: flag,
  counts: object({ open: number, dismissed: number, ownPlaces: number }),
});
export type BillableStay = ShapeOf<typeof billableShape>;
export type BillableStays = ShapeOf<typeof billableStaysShape>;

const statementRowShape = object({
  number: text,
  revision: integer(1),
  unit: text,
  name: text,
  siteName: text,
  loadId: nullable(number),
  reference: text,
  customer: text,
  timeZone: text,
  arrivedMs: number,
  leftMs: number,
  billableMin: integer(0),
  mostMin: nullable(integer(0)),
  amountCents: integer(0),
  issuedMs: number,
  firstMs: number,
});
/** GET /api/fleets/:usdot/detention/statements?month=2026-11 */
export const statementsShape = object({ statements: list(statementRowShape) });
export type StatementRow = ShapeOf<typeof statementRowShape>;

export const monthSchema = z.strictObject({
  month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month is written as 2026-11.'),
});

const factShape = object({ label: text, value: text, note: optional(text) });

/** GET /api/fleets/:usdot/detention/preview: what a statement about a stay would say now. */
export const previewShape = object({
  /** The facts of its page, part by part; empty: there are no terms, so that nothing can be billed. */
  parts: list(object({ heading: text, facts: list(factShape) })),
  amountCents: nullable(integer(0)),
  /** The statement that there is about this stay: a new one is its next revision. */
  number: nullable(text),
  /** Another statement that bills the same stay, for another load. */
  other: nullable(object({ number: text, reference: text })),
  about: text,
  canMail: flag,
  /** What terms may be for. */
  customer: text,
  siteId: number,
  siteName: text,
  /** The site is the circle of a stop, which has no terms of its own. */
  isOwnCircle: flag,
  loadId: nullable(number),
});
export type StatementPreview = ShapeOf<typeof previewShape>;

/** Statements as CSV: times by the clock of each place. */
export const toStatementsCsv = (rows: readonly StatementRow[]): string =>
  toCsvFile([
    [
      ...[
        'number',
        'revision',
        'issued',
        'truck',
        'customer',
        'load',
        'place',
        'time_zone',
        'arrived',
        'left',
      ],
      ...['billable_min', 'at_most_min', 'amount_usd'],
    ],
    ...rows.map((row) => [
      ...[row.number, String(row.revision), toWallClock(row.issuedMs, row.timeZone), row.name, row.customer],
      ...[row.reference, row.siteName, row.timeZone],
      ...[toWallClock(row.arrivedMs, row.timeZone), toWallClock(row.leftMs, row.timeZone)],
      ...[String(row.billableMin), row.mostMin === null ? null : String(row.mostMin)],
      (row.amountCents / 100).toFixed(2),
    ]),
  ]);
