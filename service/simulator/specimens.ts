/**
 * Units that misbehave, so that every state a dispatcher may meet can be seen in the demo.
 *
 * [every, remainder]: one unit in `every` is of the kind; different remainders keep two kinds off one unit.
 */
export const SPECIMENS = {
  pausing: [20, 7], // falls silent for twelve minutes of every sixteen, far beyond its own rhythm
  vanishing: [40, 3], // reports for forty minutes of every six hours; moving or parked, as it happens
  neverReporting: [200, 11], // on the roster, without a report
  rare: [200, 31], // one report every 28 minutes, from one place
  lostFix: [200, 51], // every fourth report has no position (0, 0), which the service acknowledges and does not store
  fastClock: [200, 71], // its clock runs an hour ahead
  frozen: [100, 91], // for ten minutes of every fifteen its reports repeat the last place to the last digit, however it drives
  jumping: [200, 111], // every eighth report is some 300 km off
  badVin: [200, 131], // the check digit of its VIN is wrong
  leased: [100, 15], // its VIN is registered to another carrier
  mismatched: [200, 59], // the model year that is given is not its VIN's
  // No device can cause the others: they are simulated faults of the provider.
  unplaced: [200, 151], // listed without coordinates
  signLost: [200, 79], // listed with its longitude positive
  doubled: [200, 171], // listed twice, with two devices
  unrostered: [200, 179], // reports, but is not on the list of VINs
  wrongZone: [200, 39], // its written time is five hours behind its Unix time
  renamed: [200, 19], // its plate becomes another, soon after the first answer
  nameless: [200, 99], // loses its VIN after the first answers
  dropped: [50, 22], // leaves the list of active units for twelve minutes of every six hours, moving or parked, as it happens
} as const;
export type Specimen = keyof typeof SPECIMENS;

const NAMES = Object.keys(SPECIMENS) as Specimen[];

/** All repeat after so many units. */
const PERIOD = 200;
const BY_UNIT = Array.from(
  { length: PERIOD },
  (_, unit) => NAMES.find((name) => unit % SPECIMENS[name][0] === SPECIMENS[name][1]) ?? null,
);

/** The fault of a unit; null for the great majority. */
export const specimenOf = (unit: number): Specimen | null => BY_UNIT[unit % PERIOD]!;
