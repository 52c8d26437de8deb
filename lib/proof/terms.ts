import { z } from '@/lib/base/zod';
import { MINUTE_MS } from '@/lib/base/time';
import { COUNTED_FROM, toFreeUse } from '@/lib/arrivals/free-time';
import type { SureStay } from '@/lib/arrivals/sure';
import type { Interval } from '@/lib/arrivals/interval';
import type { Appointment } from '@/lib/arrivals/load';

const MINUTES_PER_HOUR = 60;

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

/** What trucks that had the load at the stop before have used of its free time, ms, and of its cap, cents. */
export interface Earlier {
  freeMs: number;
  amountCents: number;
}

const toSteps = (ms: number, { stepMin }: Terms): number =>
  Math.max(0, Math.floor(ms / (stepMin * MINUTE_MS)) * stepMin);

/**
 * What is billed of a stay by its terms: time inside beyond as much that is free. Nothing is ever rounded up. Free time and the cap
 * are of the stop: what `earlier` trucks have used of both is taken off.
 */
export const toBilling = (
  sure: SureStay,
  { arrival, departure }: { arrival: Interval; departure: Interval },
  terms: Terms,
  appointment: Appointment | null,
  earlier: Earlier = { freeMs: 0, amountCents: 0 },
): Billing => {
  const { fromMs: freeFromMs, toMs: freeToMs, overMs } = toFreeUse(sure, terms, appointment, earlier.freeMs);
  const billableMin = toSteps(overMs, terms);
  const uncapped = Math.floor((billableMin * terms.rateCents) / MINUTES_PER_HOUR);
  const capCents = Math.max(0, (terms.capCents ?? Infinity) - earlier.amountCents);
  const amountCents = Math.min(uncapped, capCents);
  const most =
    arrival.afterMs === null || departure.byMs === null
      ? null
      : toSteps(
          departure.byMs -
            toFreeUse(
              { fromMs: arrival.afterMs, toMs: arrival.afterMs, away: [] },
              terms,
              appointment,
              earlier.freeMs,
            ).toMs,
          terms,
        );
  return {
    ...{ freeFromMs, freeToMs, billableMin, amountCents },
    overMin: Math.max(0, Math.floor(overMs / MINUTE_MS)),
    mostMin: most === null ? null : Math.max(most, billableMin),
    isCapped: amountCents < uncapped,
  };
};

/** What some stays of other trucks at the same stop, in order, have used of its free time and of its cap. */
export const toEarlier = (
  stays: readonly SureStay[],
  terms: Terms,
  appointment: Appointment | null,
): Earlier => {
  const used: Earlier = { freeMs: 0, amountCents: 0 };
  const unknown = { afterMs: null, byMs: null };
  for (const stay of stays) {
    const { amountCents } = toBilling(
      stay,
      { arrival: unknown, departure: unknown },
      terms,
      appointment,
      used,
    );
    const freeMs = terms.freeMin * MINUTE_MS;
    const { overMs } = toFreeUse(stay, terms, appointment, used.freeMs);
    const insideMs = overMs + Math.max(0, freeMs - used.freeMs);
    used.freeMs = Math.min(freeMs, used.freeMs + insideMs);
    used.amountCents += amountCents;
  }
  return used;
};
