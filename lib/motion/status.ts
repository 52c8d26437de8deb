/** The status of a unit, in wire order: append only. */
export const STATUSES = ['moving', 'stopped', 'late', 'silent', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];

/**
 * The reason of a unit's status, in wire order: append only.
 *
 * - `displaced`: fixes far enough apart in space; `inPlace`: repeated fixes in one place
 * - `overdue`: no fix for three times its own usual interval
 * - `vanishedMoving`, `vanishedStopped`: left the provider's list of active units, with its last motion
 * - `quiet`: still listed, but no fix for half an hour; `neverSeen`: on the roster, no fix since the feed
 *   began
 * - `oneFix`: nothing to compare with yet; `noFix`: listed without a usable position or time
 * - `vanished`: left the list before its motion was known
 * - `unclear`: several fixes that show neither driving nor standing
 * - `byReceipt`: it reports, but its times cannot be trusted; moving, stopped or unknown by when its
 *   reports were received
 */
export const REASONS = [
  'displaced',
  'inPlace',
  'overdue',
  'vanishedMoving',
  'vanishedStopped',
  'quiet',
  'neverSeen',
  'oneFix',
  'noFix',
  'vanished',
  'unclear',
  'byReceipt',
] as const;
export type Reason = (typeof REASONS)[number];

/** Reasons of units that are not in the provider's list of active units. */
export const LEFT_REASONS: ReadonlySet<Reason> = new Set([
  'vanishedMoving',
  'vanishedStopped',
  'vanished',
  'neverSeen',
]);

/** Something a person should check. A unit's flags are sent as a bit mask: bit n is FLAGS[n]; append only. */
export const FLAGS = [
  'noPosition',
  'clockFault',
  'impossibleJump',
  'duplicateVin',
  'badVin',
  'notOnRoster',
  'wrongCarrier',
  'frozenPosition',
  'identityChange',
  'vinMismatch',
  'implausiblePosition',
  'notIdentified',
] as const;
export type Flag = (typeof FLAGS)[number];

/** The one bit of a flag in a mask. */
export const flagBit = (flag: Flag): number => 1 << FLAGS.indexOf(flag);

export const toFlagMask = (flags: Iterable<Flag>): number => {
  let mask = 0;
  for (const flag of flags) mask |= flagBit(flag);
  return mask;
};

export const toFlags = (mask: number): Flag[] => FLAGS.filter((_, bit) => mask & (1 << bit));
