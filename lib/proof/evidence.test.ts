import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { EvidenceFix } from '@/lib/rules/sure-stay';
import { toEvidence } from './evidence';
import type { Terms } from './terms';

const DEGREES_PER_M = 1 / 111_195.08;
const SITE = { shape: { type: 'circle', lat: 35, lng: -101, radiusM: 200 } as const, marginM: 75 };
const TERMS: Terms = { freeMin: 0, countedFrom: 'arrival', rateCents: 6000, stepMin: 1, capCents: null };

/** A fix a minute, so many meters north of the middle of the site. */
const drive = (northM: (min: number) => number): EvidenceFix[] =>
  Array.from({ length: 5 * 60 }, (_, min) => ({
    ...{ lat: 35 + northM(min) * DEGREES_PER_M, lng: -101, isByReceipt: false },
    ...{ fixAtMs: min * MINUTE_MS, seenAtMs: min * MINUTE_MS },
  }));

/** A truck that is inside from minute 10 to minute 250, but for an hour. */
const evidenceOf = (awayM: number, change: (fix: EvidenceFix) => EvidenceFix = (fix) => fix) =>
  toEvidence({
    fixes: drive((min) => (min < 10 || min > 250 ? 5000 : min > 100 && min < 160 ? awayM : 0)).map(change),
    ...{ site: SITE, coverage: [], terms: TERMS, appointment: null },
    stay: {
      ...{ arrivedAfterMs: 9 * MINUTE_MS, arrivedMs: 10 * MINUTE_MS },
      ...{ leftMs: 250 * MINUTE_MS, leftByMs: 251 * MINUTE_MS },
    },
  })!;

it('a truck that was seen outside during its stay is not billed for that', () => {
  expect(evidenceOf(0)).toMatchObject({ billing: { billableMin: 239 }, sure: { away: [] } });
  const away = [{ fromMs: 99 * MINUTE_MS, toMs: 160 * MINUTE_MS }];
  // Elsewhere, and within the margin, by which no time is counted.
  for (const awayM of [5000, 240])
    expect(evidenceOf(awayM)).toMatchObject({ billing: { billableMin: 239 - 61 }, sure: { away } });
  // At the edge it may have been inside.
  expect(evidenceOf(205).billing.billableMin).toBe(239);
});

it('nor where only the time at which it was seen outside is known', () => {
  const isAway = ({ fixAtMs }: EvidenceFix): boolean =>
    fixAtMs > 100 * MINUTE_MS && fixAtMs < 160 * MINUTE_MS;
  const undated = (fix: EvidenceFix) => ({ ...fix, isByReceipt: isAway(fix) });
  expect(evidenceOf(5000, undated).billing.billableMin).toBe(239 - 61);
  // Its clock was hours behind for a while, and gave no time at all once.
  const behind = (fix: EvidenceFix) => ({
    ...fix,
    ...(isAway(fix) && { fixAtMs: fix.fixAtMs - 4 * HOUR_MS }),
    isByReceipt: fix.fixAtMs === 120 * MINUTE_MS,
  });
  expect(evidenceOf(5000, behind).billing.billableMin).toBe(239 - 61);
});

it('a silence counts only where the truck stood at one spot before and after it', () => {
  const silentAt = (afterM: number) =>
    toEvidence({
      fixes: drive((min) => (min < 10 || min > 250 ? 5000 : min >= 160 ? afterM : 0)).filter(
        ({ fixAtMs }) => fixAtMs <= 100 * MINUTE_MS || fixAtMs >= 160 * MINUTE_MS,
      ),
      ...{ site: SITE, coverage: [], terms: TERMS, appointment: null },
      stay: {
        ...{ arrivedAfterMs: 9 * MINUTE_MS, arrivedMs: 10 * MINUTE_MS },
        ...{ leftMs: 250 * MINUTE_MS, leftByMs: 251 * MINUTE_MS },
      },
    })!;
  expect(silentAt(40)).toMatchObject({ billing: { billableMin: 239 }, sure: { away: [] } });
  expect(silentAt(60)).toMatchObject({
    billing: { billableMin: 239 - 61 },
    sure: { away: [{ fromMs: 99 * MINUTE_MS, toMs: 160 * MINUTE_MS }] },
  });
});
