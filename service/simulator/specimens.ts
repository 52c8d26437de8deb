import { toTruckNumber } from './vehicles';

/**
 * Units that misbehave, so that every state a dispatcher may meet can be seen in the demo.
 *
 * - pausing: falls silent for twelve minutes of every sixteen, far beyond its own rhythm
 * - vanishing: reports for forty minutes of every six hours; moving or parked, as it happens
 * - neverReporting: on the roster, never heard of
 * - rare: one report every 28 minutes, from one place
 * - lostFix: every fourth report has no position (0, 0), which the service refuses
 * - fastClock: its clock runs an hour ahead
 * - frozen: says the same place to the last digit, whatever it drives
 * - jumping: every twentieth report is some 300 km off
 * - badVin: the check digit of its VIN is wrong
 * - leased: its VIN is registered to another carrier
 */
export const SPECIMENS = [
  'pausing',
  'vanishing',
  'neverReporting',
  'rare',
  'lostFix',
  'fastClock',
  'frozen',
  'jumping',
  'badVin',
  'leased',
] as const;
export type Specimen = (typeof SPECIMENS)[number];

/** One unit in so many is of the kind; its remainder keeps two kinds from falling on one unit. */
const EVERY: Readonly<Record<Specimen, readonly [every: number, remainder: number]>> = {
  pausing: [20, 7],
  vanishing: [40, 3],
  neverReporting: [200, 11],
  rare: [200, 31],
  lostFix: [200, 51],
  fastClock: [200, 71],
  frozen: [200, 91],
  jumping: [200, 111],
  badVin: [200, 131],
  leased: [100, 15],
};

/** What is wrong with a unit, or null for the great majority. */
export const specimenOf = (unit: number): Specimen | null =>
  SPECIMENS.find((specimen) => unit % EVERY[specimen][0] === EVERY[specimen][1]) ?? null;

/** Truck numbers of the default demo fleet by what is wrong with them. */
export const DEMO_SPECIMENS: Readonly<Record<Specimen, readonly string[]>> = (() => {
  const found = Object.fromEntries(SPECIMENS.map((specimen) => [specimen, [] as string[]]));
  for (let unit = 0; unit < 400; unit++) {
    const specimen = specimenOf(unit);
    if (specimen) found[specimen]!.push(toTruckNumber(unit));
  }
  return found as Record<Specimen, string[]>;
})();
