/**
 * Units that misbehave, so that every state a dispatcher may meet can be seen in the demo.
 *
 * - pausing: falls silent for twelve minutes of every sixteen, far beyond its own rhythm
 * - vanishing: reports for forty minutes of every six hours; moving or parked, as it happens
 * - neverReporting: on the roster, without a report
 * - rare: one report every 28 minutes, from one place
 * - lostFix: every fourth report has no position (0, 0), which the service acknowledges and does not store
 * - fastClock: its clock runs an hour ahead
 * - frozen: for ten minutes of every fifteen its reports repeat the last place to the last digit, however it drives
 * - jumping: every eighth report is some 300 km off
 * - badVin: the check digit of its VIN is wrong
 * - leased: its VIN is registered to another carrier
 * - mismatched: the model year that is given is not its VIN's
 *
 * No device can cause the others: they are simulated faults of the provider.
 *
 * - unplaced: listed without coordinates
 * - signLost: listed with its longitude positive
 * - doubled: listed twice, with two devices
 * - unrostered: reports, but is not on the list of VINs
 * - wrongZone: its written time is five hours behind its Unix time
 * - renamed: its plate becomes another, soon after the first answer
 * - nameless: loses its VIN after the first answers
 * - dropped: leaves the list of active units for twelve minutes at a time, moving or parked, as it happens
 *
 * [every, remainder]: one unit in `every` is of the kind; different remainders keep two kinds off one unit.
 */
export const SPECIMENS = {
  pausing: [20, 7],
  vanishing: [40, 3],
  neverReporting: [200, 11],
  rare: [200, 31],
  lostFix: [200, 51],
  fastClock: [200, 71],
  frozen: [100, 91],
  jumping: [200, 111],
  badVin: [200, 131],
  leased: [100, 15],
  mismatched: [200, 59],
  unplaced: [200, 151],
  signLost: [200, 79],
  doubled: [200, 171],
  unrostered: [200, 179],
  wrongZone: [200, 39],
  renamed: [200, 19],
  nameless: [200, 99],
  dropped: [50, 22],
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
