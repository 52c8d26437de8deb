import { z } from '@/lib/base/zod';
import { MINUTE_MS } from '@/lib/base/time';
import { COUNTED_FROM, toFreeRange } from '@/lib/arrivals/free-time';
import type { Interval } from '@/lib/arrivals/interval';
import type { Appointment } from '@/lib/arrivals/load';

const MINUTES_PER_HOUR = 60;
/** A tracker's clock may be wrong by so much without showing: it is taken off every stay. */
export const CLOCK_MS = MINUTE_MS;
/** Fixes that are seen within this time of being made show that the tracker's clock agrees with ours, ms. */
export const LIVE_MS = 5 * MINUTE_MS;

/** What was agreed about detention. Minutes are whole; a rate and a cap are cents. */
export const termsSchema = z.strictObject({
  freeMin: z
    .int('Free time is whole minutes.')
    .min(0, 'Free time is 0 minutes or more.')
    .max(10_000, 'Free time is at most 10,000 minutes.'),
  countedFrom: z.enum(COUNTED_FROM),
  /** Cents an hour. */
  rateCents: z
    .int('A rate is an amount in dollars, such as 50.')
    .min(0, 'A rate is $0 or more.')
    .max(1_000_000, 'A rate is at most $10,000 an hour.'),
  /** Billable minutes are rounded down to whole steps. */
  stepMin: z
    .int('A step is whole minutes.')
    .min(1, 'A step is at least 1 minute.')
    .max(240, 'A step is at most 240 minutes.'),
  /** The most for one stay, cents; null: no cap. */
  capCents: z
    .int('A cap is an amount in dollars, such as 500.')
    .min(0, 'A cap is $0 or more.')
    .max(100_000_000, 'A cap is at most $1,000,000.')
    .nullable(),
});
export type Terms = z.infer<typeof termsSchema>;

/** What terms are for, the most specific last. */
export const TERMS_OF = ['fleet', 'customer', 'site', 'load'] as const;
export type TermsOf = (typeof TERMS_OF)[number];

/** Terms of a fleet, or of one customer, site or load of it. */
export interface KeptTerms extends Terms {
  of: TermsOf;
  customer: string | null;
  siteId: number | null;
  loadId: number | null;
}

/** PUT /api/fleets/:usdot/detention/terms */
export const keptTermsSchema = z
  .strictObject({
    of: z.enum(TERMS_OF),
    customer: z.string().trim().min(1).max(100).nullable(),
    siteId: z.int32().positive().nullable(),
    loadId: z.int().positive().nullable(),
    /** Null: they are removed. */
    terms: termsSchema.nullable(),
  })
  .refine(
    ({ of, customer, siteId, loadId }) =>
      (of === 'customer') === (customer !== null) &&
      (of === 'site') === (siteId !== null) &&
      (of === 'load') === (loadId !== null),
    'Terms are of the fleet, or of one customer, site or load.',
  );
export type KeptTermsInput = z.infer<typeof keptTermsSchema>;

/** A stay that terms are sought for. */
export interface StayOf {
  customer: string | null;
  siteId: number | null;
  loadId: number | null;
  /** Free minutes that the stop of the load has itself; null: none. */
  freeMin: number | null;
}

const isFor = (kept: KeptTerms, { customer, siteId, loadId }: StayOf): boolean => {
  if (kept.of === 'load') return kept.loadId === loadId;
  if (kept.of === 'site') return kept.siteId === siteId;
  return kept.of === 'fleet' || kept.customer!.toLowerCase() === (customer ?? '').trim().toLowerCase();
};

/** The terms of a stay: the most specific win, and free minutes of the stop itself win over all. Null: none are agreed. */
export const findTerms = (all: readonly KeptTerms[], stay: StayOf): (Terms & { of: TermsOf }) | null => {
  const found = all
    .filter((kept) => isFor(kept, stay))
    .sort((a, b) => TERMS_OF.indexOf(b.of) - TERMS_OF.indexOf(a.of))[0];
  if (!found) return null;
  const { freeMin, countedFrom, rateCents, stepMin, capCents, of } = found;
  return { freeMin: stay.freeMin ?? freeMin, countedFrom, rateCents, stepMin, capCents, of };
};

/** A fix of a visit, inside its edge, with when it was made and seen, Unix ms. */
export interface InsideFix {
  fixMs: number;
  seenMs: number;
}

interface Span {
  fromMs: number;
  toMs: number;
}

/**
 * A stay that only this server's clock tells of, Unix ms: the truck was inside from `fromMs` to `toMs` at least, but for the times
 * `away`, in order: within each it was seen outside.
 */
export interface SureStay extends Span {
  away: Span[];
}

/** A truck that goes in and out more often counts as gone from then on. */
const MOST_RUNS = 200;

/** When fixes inside, of a truck that was not seen outside between them, surely show it inside. */
const toSpan = (inside: readonly InsideFix[]): Span => {
  const first = inside.reduce(
    (least, { fixMs, seenMs }) => Math.min(least, Math.max(fixMs, seenMs)),
    Infinity,
  );
  const live = inside.filter(({ fixMs, seenMs }) => Math.abs(seenMs - fixMs) <= LIVE_MS);
  const last = live.reduce((most, { fixMs, seenMs }) => Math.max(most, Math.min(fixMs, seenMs)), -Infinity);
  return { fromMs: first, toMs: Math.max(first, last - CLOCK_MS) };
};

/**
 * How long a truck was surely inside, by its fixes inside in order, in a list of their own for each time that it was seen outside
 * in between. It had arrived once the first fix inside was seen, whatever its tracker's clock says, and was there at the last
 * fix inside that was seen while it was new. Fixes that were handed over later count for neither. Null: no fix was seen inside.
 */
export const toSureStay = (runs: readonly (readonly InsideFix[])[]): SureStay | null => {
  const spans = runs.slice(0, MOST_RUNS).map(toSpan);
  if (spans.length === 0) return null;
  // A clock that was wrong may give them in another order.
  const [first, ...others] = spans
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .sort((a, b) => a.fromMs - b.fromMs);
  if (first === undefined) return { fromMs: spans[0]!.fromMs, toMs: spans[0]!.fromMs, away: [] };
  const sure: SureStay = { ...first, away: [] };
  for (const { fromMs, toMs } of others) {
    if (fromMs > sure.toMs) sure.away.push({ fromMs: sure.toMs, toMs: fromMs });
    sure.toMs = Math.max(sure.toMs, toMs);
  }
  return sure;
};

/** What is billable of a stay, by the end of each interval that favors the other side, and at most. Times are Unix ms. */
export interface Billing {
  /** When free time began at the latest, and ended. */
  freeFromMs: number;
  freeToMs: number;
  /** Whole minutes beyond free time, before rounding. */
  overMin: number;
  /** The minutes that are billed: rounded down to whole steps. */
  billableMin: number;
  /** What they would be by the other end of both intervals, rounded down; null: no fix tells. */
  mostMin: number | null;
  /** Of `billableMin`, rounded down to a cent, and never more than the cap. */
  amountCents: number;
  isCapped: boolean;
}

const toSteps = (ms: number, { stepMin }: Terms): number =>
  Math.max(0, Math.floor(ms / (stepMin * MINUTE_MS)) * stepMin);

/** The times from a moment on in which a truck was surely inside. */
const toInside = ({ fromMs, toMs, away }: SureStay, startMs: number): Span[] =>
  [fromMs, ...away.map((span) => span.toMs)].flatMap((from, i) => {
    const span = { fromMs: Math.max(from, startMs), toMs: away[i]?.fromMs ?? toMs };
    return span.toMs > span.fromMs ? span : [];
  });

/** When so much time inside has passed, ms; after the last of it, when it would have. */
const toEnd = (inside: readonly Span[], ms: number, startMs: number): number => {
  let leftMs = ms;
  let endMs = startMs;
  for (const { fromMs, toMs } of inside) {
    if (toMs - fromMs >= leftMs) return fromMs + leftMs;
    leftMs -= toMs - fromMs;
    endMs = toMs;
  }
  return endMs + leftMs;
};

/** What is billed of a stay by its terms: time inside beyond as much that is free. Nothing is ever rounded up. */
export const toBilling = (
  sure: SureStay,
  { arrival, departure }: { arrival: Interval; departure: Interval },
  terms: Terms,
  appointment: Appointment | null,
): Billing => {
  const freeMs = terms.freeMin * MINUTE_MS;
  const { fromMs: freeFromMs } = toFreeRange(sure.fromMs, terms, appointment);
  const inside = toInside(sure, freeFromMs);
  const freeToMs = toEnd(inside, freeMs, freeFromMs);
  const overMs = inside.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) - freeMs;
  const billableMin = toSteps(overMs, terms);
  const uncapped = Math.floor((billableMin * terms.rateCents) / MINUTES_PER_HOUR);
  const amountCents = Math.min(uncapped, terms.capCents ?? Infinity);
  const most =
    arrival.afterMs === null || departure.byMs === null
      ? null
      : toSteps(departure.byMs - toFreeRange(arrival.afterMs, terms, appointment).toMs, terms);
  return {
    ...{ freeFromMs, freeToMs, billableMin, amountCents },
    overMin: Math.max(0, Math.floor(overMs / MINUTE_MS)),
    mostMin: most === null ? null : Math.max(most, billableMin),
    isCapped: amountCents < uncapped,
  };
};
