import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeRangeOf, overFreeMs } from '@/lib/arrivals/free-time';
import { clipSure, sumMs, type SureStay } from '@/lib/arrivals/sure';
import { toDwell } from '@/lib/arrivals/interval';
import { judgeLoad, partsOf, type Assignment, type StopVisit } from '@/lib/arrivals/load';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { toFacilities } from '@/lib/facilities/facilities';
import { RecordedVisits } from '@/lib/rules/recorded-visits';
import type { Site } from '@/lib/rules/site';
import { toSureVisit, type EvidenceFix } from '@/lib/rules/sure-stay';
import { IS_LONG } from '@/testing/long';
import { toEvidence } from './evidence';
import { toBilling, toEarlier, type Terms } from './terms';

const DEGREES_PER_M = 1 / 111_195.08;
const T0_MS = Date.UTC(2026, 10, 24, 6);
const SITE: Site = {
  ...{ id: 1, name: 'Dock', kind: 'customer', color: '#336699', notes: '', openingHours: null },
  ...{ marginM: 75, shape: { type: 'circle', lat: 35, lng: -101, radiusM: 200 } },
};

/** Where a truck is for a while, m north of the middle: at the dock, elsewhere inside, at the edge, at the gate, or away. */
const leg = fc.record({
  northM: fc.constantFrom(0, 0, 0, 30, 120, 195, 206, 240, 260, 3000),
  minutes: fc.integer({ min: 1, max: 150 }),
  isSilent: fc.boolean(),
  /** How late its fixes are seen, seconds, and how wrong its clock is. */
  lateS: fc.constantFrom(2, 2, 20, 20, 100, 400, 3600),
  aheadS: fc.constantFrom(0, 0, 0, 0, 30, -30, 900, -900),
});
type Leg = typeof leg extends fc.Arbitrary<infer T> ? T : never;

/** The fixes of a truck that comes from afar and leaves, in the order of their times. */
const toFixes = (legs: readonly Leg[], startMin: number, everyMin: number): EvidenceFix[] => {
  const fixes: EvidenceFix[] = [];
  let min = 0;
  const far = { ...legs[0]!, northM: 5000, minutes: 30, isSilent: false, lateS: 2, aheadS: 0 };
  for (const { northM, minutes, isSilent, lateS, aheadS } of [far, ...legs, far]) {
    for (let at = 0; at < minutes; at += everyMin) {
      if (isSilent && at > 0 && at + everyMin < minutes) continue;
      const fixAtMs = T0_MS + (startMin + min + at) * MINUTE_MS + aheadS * 1000;
      fixes.push({
        ...{ lat: 35 + northM * DEGREES_PER_M, lng: -101, fixAtMs },
        ...{ seenAtMs: fixAtMs + (lateS - aheadS) * 1000, isByReceipt: false },
      });
    }
    min += minutes;
  }
  return fixes.sort((a, b) => a.fixAtMs - b.fixAtMs);
};

const toVisits = (unit: string, fixes: readonly EvidenceFix[]): StopVisit[] => {
  const found = new RecordedVisits(unit, [SITE]);
  for (const { fixAtMs, lat, lng } of fixes)
    if (fixAtMs > found.newestMs)
      found.add(Math.floor(fixAtMs / 1000) * 1000, Math.round(lat * 1e5), Math.round(lng * 1e5));
  found.listOpen(fixes.at(-1)!.fixAtMs + HOUR_MS);
  // As they are counted once they have ended.
  return found.visits.map((visit) => ({ ...visit, sure: toSureVisit(fixes, SITE.shape, visit) }));
};

const termsOf = fc.record({
  freeMin: fc.constantFrom(0, 0, 10, 60, 120),
  countedFrom: fc.constantFrom('arrival' as const, 'appointment' as const),
  rateCents: fc.integer({ min: 0, max: 20_000 }),
  stepMin: fc.constantFrom(1, 1, 7, 15),
  capCents: fc.constantFrom(null, null, 4000, 20_000),
});
const truck = fc.record({
  legs: fc.array(leg, { minLength: 1, maxLength: 8 }),
  startMin: fc.integer({ min: 0, max: 240 }),
  everyMin: fc.constantFrom(1, 5, 15),
});

interface Billed {
  overMs: number;
  fromMs: number;
}

/** The statement about the stay of a truck at a stop, by its fixes. */
const toStatement = (
  part: StopVisit,
  earlier: readonly SureStay[],
  { fixes, visits }: { fixes: readonly EvidenceFix[]; visits: readonly StopVisit[] },
  { terms, appointment }: { terms: Terms; appointment: { fromMs: number; toMs: number } | null },
) => {
  const { arrivedAfterMs, arrivedMs, leftMs, leftByMs } = part;
  const stay = { arrivedAfterMs, arrivedMs, leftMs: leftMs!, leftByMs };
  return toEvidence({
    ...{ fixes, site: SITE, stay, coverage: [], terms, appointment },
    visits: visits.filter((visit) => visit.arrivedMs <= leftMs! && visit.leftMs! >= arrivedMs),
    earlier: earlier.length > 0 ? toEarlier(earlier, terms, appointment) : undefined,
  });
};

describe('no list says more than its statement', () => {
  it('of stays that are interrupted, silent, late, and of two trucks', () => {
    let [billed, swapped] = [0, 0];
    fc.assert(
      fc.property(
        fc.array(truck, { minLength: 1, maxLength: 2 }),
        termsOf,
        fc.option(fc.integer({ min: -60, max: 300 })),
        fc.integer({ min: 30, max: 400 }),
        (drives, terms, appointmentMin, swapMin) => {
          const trucks = drives.map(({ legs, startMin, everyMin }, i) => {
            const fixes = toFixes(legs, startMin, everyMin);
            return { unit: 'AB'[i]!, fixes, visits: toVisits('AB'[i]!, fixes) };
          });
          const fromMs = T0_MS + (appointmentMin ?? 0) * MINUTE_MS;
          const appointment = appointmentMin === null ? null : { fromMs, toMs: fromMs + HOUR_MS };
          const swapMs = T0_MS + swapMin * MINUTE_MS;
          const assigned: Assignment[] =
            trucks.length === 1
              ? [{ unit: 'A', fromMs: T0_MS, toMs: null }]
              : [
                  { unit: 'A', fromMs: T0_MS, toMs: swapMs },
                  { unit: 'B', fromMs: swapMs, toMs: null },
                ];
          const planned = { siteId: 1, kind: 'pickup' as const, appointment };
          const [judged] = judgeLoad(
            { id: 1, stops: [planned], trucks: assigned, endedMs: null },
            trucks.flatMap(({ visits }) => visits),
          ).stops;
          const parts = partsOf(judged!);
          if (parts.length > 1) swapped += 1;
          const statements: Billed[] = [];
          let spentCents = 0;
          for (const [i, part] of parts.entries()) {
            if (part.leftMs === null || !part.sure) continue;
            const earlier = parts.slice(0, i).flatMap(({ sure }) => sure ?? []);
            const of = trucks.find(({ unit }) => unit === part.unit)!;
            const statement = toStatement(part, earlier, of, { terms, appointment });
            const unknown = { afterMs: null, byMs: null };
            // As Visits to bill have it.
            const listed = toBilling(
              part.sure,
              { arrival: unknown, departure: unknown },
              terms,
              appointment,
              toEarlier(earlier, terms, appointment),
            );
            // A truck that took the load on after its last fix inside has no statement, and is in no list.
            if (statement === null) {
              expect(listed.overMin).toBe(0);
              continue;
            }
            const { billing, sure } = statement;
            expect(listed.billableMin).toBeLessThanOrEqual(billing.billableMin);
            expect(listed.amountCents).toBeLessThanOrEqual(billing.amountCents);
            // Free time that ends later is billed later.
            expect(listed.freeToMs).toBeGreaterThanOrEqual(billing.freeToMs);
            spentCents += billing.amountCents;
            statements.push({ overMs: billing.overMin * MINUTE_MS, fromMs: sure.fromMs });
            billed += billing.billableMin;
          }
          if (terms.capCents !== null) expect(spentCents).toBeLessThanOrEqual(terms.capCents);
          if (statements.length !== parts.length || parts.length === 0) return;
          // As pages, alerts and webhooks have the free time of the stop, which is counted once.
          const stop = { free: terms, appointment };
          const overMs = overFreeMs(stop, judged!.visit, T0_MS)!;
          const statedMs = statements.reduce((sum, each) => sum + each.overMs + MINUTE_MS - 1, 0);
          expect(overMs).toBeLessThanOrEqual(Math.max(0, statedMs));
          if (parts.length === 1)
            expect(freeRangeOf(stop, judged!.visit)!.fromMs).toBeGreaterThanOrEqual(statements[0]!.fromMs);
          // As reports have how long trucks were there: no time away is in it.
          for (const part of parts) {
            const range = { fromMs: part.arrivedMs, toMs: part.leftMs! };
            const { away } = clipSure(part.sure!, range);
            const stayMs = range.toMs - range.fromMs - sumMs(away);
            expect(toDwell({ ...part, awayMs: sumMs(away) }).leastMs).toBe(stayMs);
            const ends = { arrivedAfterMs: range.fromMs, leftByMs: range.toMs };
            const { all } = toFacilities(
              { stays: [{ ...part, ...ends, key: '1', name: 'Dock' }], appointed: [], billed: null },
              { fromMs: T0_MS, toMs: T0_MS + 72 * HOUR_MS, zone: 'UTC', each: 'range', nowMs: range.toMs },
            );
            expect(all[0]!.medianMs).toBe(stayMs);
            expect(all[0]!.weekdayMs.reduce((sum, ms) => sum + ms, 0)).toBe(stayMs);
          }
        },
      ),
      { numRuns: IS_LONG ? 5000 : 30 },
    );
    expect(billed).toBeGreaterThan(100);
    expect(swapped).toBeGreaterThan(0);
  }, 600_000);
});
