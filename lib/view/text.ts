import { compassPoint } from '@/lib/motion/bearing';
import type { Flag, Reason, Status } from '@/lib/wire/status';
import type { UnitDetail } from '@/lib/wire/unit';
import { momentWords } from './clock';
import { countWords, distanceWords, durationWords, fixAgeWords, toMph } from './numbers';
import type { UnitRow } from './unit-row';

export const STATUS_WORDS: Record<Status, string> = {
  moving: 'Moving',
  stopped: 'Stopped',
  late: 'Late',
  silent: 'Silent',
  unknown: 'Unknown',
};

export const FLAG_WORDS: Record<Flag, string> = {
  noPosition: 'No position',
  clockFault: 'Clock fault',
  impossibleJump: 'Jumped',
  duplicateVin: 'VIN twice',
  badVin: 'Bad VIN',
  notOnRoster: 'Not on roster',
  wrongCarrier: 'Check lease',
  frozenPosition: 'Frozen',
  identityChange: 'Identity changed',
  vinMismatch: 'VIN mismatch',
  implausiblePosition: 'Implausible position',
  notIdentified: 'Not identified',
};

/**
 * The reasons of silence in the order of a menu and a page: a truck that vanished on the road first, because
 * dispatchers call it first.
 */
export const SILENT_REASONS = [
  'vanishedMoving',
  'vanishedStopped',
  'vanished',
  'quiet',
  'neverSeen',
] as const satisfies readonly Reason[];
export type SilentReason = (typeof SILENT_REASONS)[number];

export const SILENT_WORDS: Record<SilentReason, string> = {
  vanishedMoving: 'Vanished while moving',
  vanishedStopped: 'Vanished while parked',
  vanished: 'Vanished',
  quiet: 'Gone quiet',
  neverSeen: 'Never seen',
};

/** An explanation of each flag for a new user. */
export const FLAG_MEANINGS: Record<Flag, string> = {
  noPosition: 'The provider lists the unit without a usable position.',
  clockFault: 'The times of its reports cannot be trusted.',
  impossibleJump:
    'A fix lies further off than any truck drives; the old place is held until a second fix confirms it.',
  duplicateVin: 'Two records carry this VIN. Of one truck the newer fix is shown; two trucks are both shown.',
  badVin: 'The VIN fails its own check digit.',
  notOnRoster: 'It reports, but is not on the list of VINs of this USDOT number.',
  wrongCarrier: 'The VIN is registered to another USDOT number than the one that is watched.',
  frozenPosition: 'New fixes come, but they repeat one place to the last digit, and it was driving.',
  identityChange: 'Its device, truck number or plate has become another, or was another vehicle’s.',
  vinMismatch: 'The VIN says another model year or maker than the provider does.',
  implausiblePosition:
    'It is listed where this fleet does not drive; its coordinates may be swapped or lack a sign.',
  notIdentified:
    'Its VIN, device or truck number is missing, mistyped or shared with other units, so another name identifies it.',
};

const MINUTE_MS = 60_000;

/** "64 mph E", "64 mph" or null: only what was derived. */
export const speedWords = ({
  speedKph,
  headingDeg,
}: Pick<UnitRow, 'speedKph' | 'headingDeg'>): string | null => {
  if (speedKph === null) return null;
  const speed = `${toMph(speedKph)} mph`;
  return headingDeg === null ? speed : `${speed} ${compassPoint(headingDeg, 8)}`;
};

/** Reasons that describe a current status; the others imply that there is no news. */
const PRESENT: readonly Reason[] = ['displaced', 'inPlace', 'oneFix', 'unclear', 'byReceipt'];

/**
 * The time of the fix that a status depends on, Unix ms, where the age of that fix exceeds the unit's usual
 * interval: the status was so at that time. Else null. `nowMs` is server time.
 */
export const datedAtMs = (
  { reason, fixAtMs, datedAfterMs }: Pick<UnitRow, 'reason' | 'fixAtMs' | 'datedAfterMs'>,
  nowMs: number,
): number | null =>
  fixAtMs !== null && PRESENT.includes(reason) && nowMs - fixAtMs >= datedAfterMs ? fixAtMs : null;

/** "position is coarse (±0.7 mi)"; empty where it is not. */
export const coarseWords = (coarseM: number): string =>
  coarseM === 0 ? '' : `position is coarse (${offWords(coarseM)})`;

/** The error of a position: "±0.7 mi". */
export const offWords = (coarseM: number): string => `±${distanceWords(coarseM)}`;

const parkedWords = (unit: UnitRow, nowMs: number): string => {
  if (unit.sinceMs === null) return 'parked';
  const lastedMs = nowMs - unit.sinceMs;
  return lastedMs < MINUTE_MS ? 'just parked' : `parked ${durationWords(lastedMs)}`;
};

const byReceiptWords = (unit: UnitRow, nowMs: number): string => {
  if (unit.status === 'stopped') return parkedWords(unit, nowMs);
  return unit.status === 'moving' ? 'moving, clock wrong' : 'reporting, clock wrong';
};

/**
 * The status of a unit in the fewest words: "64 mph E", "parked 2 h 14 m", "vanished while moving"; with the
 * time of its fix where that is old: "64 mph E at 10:12". `nowMs` is server time; the zone is the viewer's by
 * default.
 */
export const whatWords = (unit: UnitRow, nowMs: number, zone?: string): string => {
  const atMs = datedAtMs(unit, nowMs);
  if (atMs === null) return doesWords(unit, nowMs);
  const parkedMs = unit.sinceMs === null ? 0 : atMs - unit.sinceMs;
  const does = unit.reason === 'inPlace' && parkedMs < MINUTE_MS ? 'parked' : doesWords(unit, atMs);
  return `${does} at ${momentWords(atMs, nowMs, zone)}`;
};

const doesWords = (unit: UnitRow, nowMs: number): string => {
  switch (unit.reason) {
    case 'displaced':
      return speedWords(unit) ?? 'moving';
    case 'inPlace':
      return parkedWords(unit, nowMs);
    case 'overdue':
      return unit.speedKph === null ? 'overdue' : `last ${toMph(unit.speedKph)} mph`;
    case 'vanishedMoving':
      return 'vanished while moving';
    case 'vanishedStopped':
      return 'vanished while parked';
    case 'quiet':
      return 'gone quiet';
    case 'neverSeen':
      return 'never seen';
    case 'oneFix':
      return 'one fix';
    case 'noFix':
      return 'no usable fix';
    case 'vanished':
      return 'vanished';
    case 'unclear':
      return 'moving or parked: unclear';
    case 'byReceipt':
      return byReceiptWords(unit, nowMs);
  }
};

/** The time of an old copy: server time, and as text by the viewer's clock. */
interface CopyMoment {
  asOfMs: number;
  at: string;
}

/** The time of an old copy's status as text: that of the fix where it was old already, else of the copy. */
export const pastAt = (
  unit: Pick<UnitRow, 'reason' | 'fixAtMs' | 'datedAfterMs'>,
  { asOfMs, at }: CopyMoment,
): string => {
  const fixedAtMs = datedAtMs(unit, asOfMs);
  return fixedAtMs === null ? at : momentWords(fixedAtMs, asOfMs);
};

/** A unit's status when an old copy was made. A text without a duration stays as it is. */
export const pastWords = (unit: UnitRow, copy: CopyMoment): string => {
  const at = pastAt(unit, copy);
  switch (unit.reason) {
    case 'displaced':
      return `was moving at ${at}`;
    case 'inPlace':
      return `was parked at ${at}`;
    case 'overdue':
      return `was late at ${at}`;
    case 'byReceipt':
      return unit.status === 'unknown'
        ? 'reporting, clock wrong'
        : `${PAST_STATUS_WORDS[unit.status].toLowerCase()} at ${at}`;
    default:
      return whatWords(unit, 0);
  }
};

/** The status of an old copy before its moment: "Was moving". */
export const PAST_STATUS_WORDS: Record<Status, string> = {
  moving: 'Was moving',
  stopped: 'Was parked',
  late: 'Was late',
  silent: 'Was silent',
  unknown: 'Was unknown',
};

/**
 * The evidence of the status: "3.1 mi in 4 min, 2 fixes". `nowMs` is server time, `fixAtMs` the newest fix.
 */
export const evidenceWords = (
  { reason, evidence, usualIntervalMs }: Pick<UnitDetail, 'reason' | 'evidence' | 'usualIntervalMs'>,
  fixAtMs: number | null,
  nowMs: number,
): string => {
  const { distanceM, spanMs, fixes } = evidence;
  const usually = usualIntervalMs === null ? '' : `usually every ${durationWords(usualIntervalMs)}`;
  const seen =
    fixes < 2
      ? ''
      : ` (${distanceWords(distanceM)} over ${durationWords(spanMs)}, ${countWords(fixes, 'report')})`;
  const lastFix = fixAtMs === null ? 'no fix so far' : `last fix ${fixAgeWords(nowMs - fixAtMs)}`;
  switch (reason) {
    case 'displaced':
      return `${distanceWords(distanceM)} in ${durationWords(spanMs)}, ${countWords(fixes, 'fix', 'fixes')}`;
    case 'inPlace':
      return `within ${distanceWords(distanceM)} for ${durationWords(spanMs)}, ${countWords(fixes, 'fix', 'fixes')}`;
    case 'overdue':
      return [usually, lastFix].filter(Boolean).join(', ');
    case 'vanishedMoving':
      return `left the active list while moving, ${lastFix}`;
    case 'vanishedStopped':
      return `left the active list while parked, ${lastFix}`;
    case 'quiet':
      return `still listed, ${lastFix}`;
    case 'neverSeen':
      return 'on the roster, no fix since Linehaul watches';
    case 'oneFix':
      return 'one fix, nothing to compare it with yet';
    case 'unclear':
      return `${distanceWords(distanceM)} in ${durationWords(spanMs)}, ${countWords(fixes, 'fix', 'fixes')}: too little to tell`;
    case 'noFix':
      return 'listed without a usable position or time';
    case 'vanished':
      return `left the active list, ${lastFix}`;
    case 'byReceipt':
      return `reporting, but its clock is wrong: times shown are when Linehaul received its reports${seen}`;
  }
};
