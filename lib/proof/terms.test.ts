import { expect, it } from 'vitest';
import { toSureStay } from '@/lib/rules/sure-stay';
import { findTerms, toBilling, type KeptTerms, type Terms } from './terms';

const MIN = 60_000;
const TERMS: Terms = {
  freeMin: 120,
  countedFrom: 'appointment',
  rateCents: 7500,
  stepMin: 15,
  capCents: null,
};
const NONE = { customer: null, siteId: null, loadId: null };
const ARRIVAL = { afterMs: -5 * MIN, byMs: 0 };
const DEPARTURE = { afterMs: 200 * MIN, byMs: 212 * MIN };
const bill = (terms: Partial<Terms> = {}, appointment: { fromMs: number; toMs: number } | null = null) =>
  toBilling(
    { fromMs: 0, toMs: 200 * MIN, away: [] },
    { arrival: ARRIVAL, departure: DEPARTURE },
    { ...TERMS, ...terms },
    appointment,
  );

it('the most specific terms win, and free minutes of the stop over all', () => {
  const kept = (of: KeptTerms['of'], rateCents: number, about: Partial<KeptTerms> = {}): KeptTerms => ({
    ...TERMS,
    ...NONE,
    ...{ of, rateCents, ...about },
  });
  const all = [
    kept('site', 3, { siteId: 7 }),
    kept('fleet', 1),
    kept('load', 4, { loadId: 9 }),
    kept('customer', 2, { customer: 'Acme Foods' }),
  ];
  const rateOf = (stay: object) => findTerms(all, { ...NONE, freeMin: null, ...stay })?.rateCents;
  expect(rateOf({})).toBe(1);
  expect(rateOf({ customer: ' ACME foods ' })).toBe(2);
  expect(rateOf({ customer: 'Acme Foods', siteId: 7 })).toBe(3);
  expect(rateOf({ customer: 'Acme Foods', siteId: 7, loadId: 9 })).toBe(4);
  expect(findTerms(all, { ...NONE, freeMin: 30 })?.freeMin).toBe(30);
  expect(findTerms([], { ...NONE, freeMin: 30 })).toBeNull();
});

it('minutes and amounts are rounded down, and capped', () => {
  expect(bill()).toMatchObject({
    ...{ freeFromMs: 0, freeToMs: 120 * MIN, overMin: 80, billableMin: 75, mostMin: 90, amountCents: 9375 },
    isCapped: false,
  });
  expect(bill({ stepMin: 7, rateCents: 1001 })).toMatchObject({ billableMin: 77, amountCents: 1284 });
  expect(bill({ capCents: 5000 })).toMatchObject({ amountCents: 5000, isCapped: true });
  expect(bill({ freeMin: 500 })).toMatchObject({ overMin: 0, billableMin: 0, mostMin: 0, amountCents: 0 });
});

it('free time begins with the appointment of a truck that came early, where that is agreed', () => {
  const appointment = { fromMs: 60 * MIN, toMs: 90 * MIN };
  expect(bill({}, appointment)).toMatchObject({ freeToMs: 180 * MIN, billableMin: 15 });
  expect(bill({ countedFrom: 'arrival' }, appointment)).toMatchObject({
    freeToMs: 120 * MIN,
    billableMin: 75,
  });
  expect(bill({}, { fromMs: -60 * MIN, toMs: -30 * MIN })).toMatchObject({ freeToMs: 120 * MIN });
});

it('neither free time nor billable minutes go on while it is away', () => {
  const sure = { fromMs: 0, toMs: 300 * MIN, away: [{ fromMs: 100 * MIN, toMs: 160 * MIN }] };
  const of = (fromMs: number, freeMin = 120) =>
    toBilling(
      sure,
      { arrival: ARRIVAL, departure: { afterMs: 300 * MIN, byMs: 301 * MIN } },
      { ...TERMS, freeMin },
      { fromMs, toMs: fromMs },
    );
  expect(of(0)).toMatchObject({ freeToMs: 180 * MIN, overMin: 120, billableMin: 120 });
  expect(of(0, 60)).toMatchObject({ freeToMs: 60 * MIN, overMin: 180 });
  expect(of(130 * MIN)).toMatchObject({ freeFromMs: 130 * MIN, freeToMs: 280 * MIN, overMin: 20 });
  expect(of(0, 250)).toMatchObject({ freeToMs: 310 * MIN, overMin: 0, billableMin: 0 });
  expect(of(400 * MIN)).toMatchObject({ freeToMs: 520 * MIN, overMin: 0 });
});

it('a stay is counted by the clock of this server: what was handed over later or dated wrongly makes it no longer', () => {
  const live = [10, 20, 30].map((min) => ({ fixMs: min * MIN, seenMs: min * MIN + 20_000 }));
  const usual = { fromMs: 10 * MIN + 20_000, toMs: 29 * MIN, away: [] };
  expect(toSureStay([live])).toEqual(usual);
  const early = { fixMs: 2 * MIN, seenMs: 40 * MIN };
  expect(toSureStay([[early, ...live]])).toEqual(usual);
  const late = { fixMs: 38 * MIN, seenMs: 60 * MIN };
  expect(toSureStay([[...live, late]])).toEqual(usual);
  const ahead = { fixMs: 34 * MIN, seenMs: 31 * MIN };
  expect(toSureStay([[...live, ahead]])).toEqual({ ...usual, toMs: 30 * MIN });
  expect(toSureStay([[early]])).toEqual({ fromMs: 40 * MIN, toMs: 40 * MIN, away: [] });
  expect(toSureStay([])).toBeNull();
  const again = [50, 60].map((min) => ({ fixMs: min * MIN, seenMs: min * MIN }));
  // One fix alone shows no time inside.
  expect(toSureStay([live, [{ fixMs: 40 * MIN, seenMs: 40 * MIN }], again])).toEqual({
    ...{ fromMs: 10 * MIN + 20_000, toMs: 59 * MIN },
    away: [{ fromMs: 29 * MIN, toMs: 50 * MIN }],
  });
});
