import { expect, it } from 'vitest';
import { toDay } from '@/lib/trips/trips';
import { distanceM } from '@/lib/geo/geodesy';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { DEMO_SEED } from '@/service/demo/seed';
import { createDemoFleet } from '@/service/simulator/demo-fleet';
import { IS_LONG } from '@/testing/long';
import { DAY_MS, HOUR_MS } from '@/lib/base/time';

const MONDAY_MS = Date.UTC(2026, 10, 16);
const [UNITS, DAYS] = IS_LONG ? [198, 2] : [4, 1];
/** A unit whose device says that it is somewhere else is no measure of the miles. */
const MOST_OFF_M = 60;

const fleet = createDemoFleet({ units: UNITS, seed: DEMO_SEED });

/** The fixes of a unit's device, and where the unit truly was. */
const readFixes = (unit: number, fromMs: number, toMs: number) => {
  const fixes = [];
  for (let atMs = fleet.nextReportAt(unit, fromMs); atMs < toMs; atMs = fleet.nextReportAt(unit, atMs)) {
    const { lat, lng } = fleet.reportAt(unit, atMs);
    fixes.push({ lat, lng, fixAtMs: atMs, isByReceipt: false, truly: fleet.stateAt(unit, atMs) });
  }
  return fixes;
};

it(`the miles of ${UNITS * DAYS} unit-days of the demo fleet are within 0.2 % of the way between their true places`, () => {
  let [days, countedM, trueM] = [0, 0, 0];
  for (let unit = 0; unit < UNITS; unit++) {
    for (let fromMs = MONDAY_MS; fromMs < MONDAY_MS + DAYS * DAY_MS; fromMs += DAY_MS) {
      const toMs = fromMs + DAY_MS;
      const fixes = readFixes(unit, fromMs - 2 * HOUR_MS, toMs + HOUR_MS / 2);
      if (fixes.length === 0 || fixes.some((fix) => distanceM(fix, fix.truly) > MOST_OFF_M)) continue;
      const coverage = [{ fromMs: 0, toMs: 2 * toMs, state: 'answered', problem: null } as const];
      const { totals } = toDay({ fixes, coverage, fromMs, toMs, nowMs: 2 * toMs }, DEFAULT_MOTION_SETTINGS);
      let wayM = 0;
      for (const [i, to] of fixes.entries()) {
        const from = fixes[i - 1];
        if (from === undefined) continue;
        const withinMs = Math.min(to.fixAtMs, toMs) - Math.max(from.fixAtMs, fromMs);
        const share = Math.max(0, withinMs) / (to.fixAtMs - from.fixAtMs);
        wayM += share * distanceM(from.truly, to.truly);
      }
      const dayM = totals.drivenM + totals.bridgedM;
      // Of a day with few miles the wander of the receiver is a larger part.
      expect(Math.abs(dayM - wayM)).toBeLessThan(0.002 * wayM + 200);
      days++;
      countedM += dayM;
      trueM += wayM;
    }
  }
  expect(days).toBeGreaterThan(0.9 * UNITS * DAYS);
  expect(Math.abs(countedM / trueM - 1)).toBeLessThan(0.002);
});
