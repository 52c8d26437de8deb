import { expect, it } from 'vitest';
import { findTerms, toBilling, toSureStay, type KeptTerms, type Terms } from './terms';

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
    { fromMs: 0, toMs: 200 * MIN },
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

it('a stay is counted by the clock of this server: what was handed over later or dated wrongly makes it no longer', () => {
  const live = [10, 20, 30].map((min) => ({ fixMs: min * MIN, seenMs: min * MIN + 20_000 }));
  expect(toSureStay(live)).toEqual({ fromMs: 10 * MIN + 20_000, toMs: 29 * MIN });
  const early = { fixMs: 2 * MIN, seenMs: 40 * MIN };
  expect(toSureStay([early, ...live])).toEqual({ fromMs: 10 * MIN + 20_000, toMs: 29 * MIN });
  const late = { fixMs: 38 * MIN, seenMs: 60 * MIN };
  expect(toSureStay([...live, late])).toEqual({ fromMs: 10 * MIN + 20_000, toMs: 29 * MIN });
  const ahead = { fixMs: 34 * MIN, seenMs: 31 * MIN };
  expect(toSureStay([...live, ahead])).toEqual({ fromMs: 10 * MIN + 20_000, toMs: 30 * MIN });
  expect(toSureStay([early])).toEqual({ fromMs: 40 * MIN, toMs: 40 * MIN });
  expect(toSureStay([])).toBeNull();
});
