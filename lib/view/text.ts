import { compassPoint } from '@/lib/geo/geodesy';
import type { Flag, Reason, Status } from '@/lib/motion/status';
import { formatMoment, formatDistance, formatDuration, toMph } from './format';
import type { UnitRow } from './unit-row';
import { MINUTE_MS } from '@/lib/base/time';
import type { CarrierAccount, UnitIdentity } from '@/lib/wire/fleet';
import { marksOf } from './marks';

export const STATUS_LABELS: Record<Status, string> = {
  moving: 'Moving',
  stopped: 'Stopped',
  late: 'Late',
  silent: 'Silent',
  unknown: 'Unknown',
};

export const FLAG_LABELS: Record<Flag, string> = {
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
 * The reasons of silence in the order of a menu: trucks that vanished on the road first, because they get a call first.
 */
export const SILENT_REASONS = [
  'vanishedMoving',
  'vanishedStopped',
  'vanished',
  'quiet',
  'neverSeen',
] as const satisfies readonly Reason[];
export type SilentReason = (typeof SILENT_REASONS)[number];

/** "64 mph E", "64 mph" or null: only what was derived. */
export const speedText = ({
  speedKph,
  headingDeg,
}: Pick<UnitRow, 'speedKph' | 'headingDeg'>): string | null => {
  if (speedKph === null) return null;
  const speed = `${toMph(speedKph)} mph`;
  return headingDeg === null ? speed : `${speed} ${compassPoint(headingDeg, 8)}`;
};

/** Reasons that describe a current status; the others imply that there is no news. */
const PRESENT: readonly Reason[] = ['displaced', 'inPlace', 'oneFix', 'unclear', 'byReceipt'];

/** The time, Unix ms, of a fix that is older than the unit's usual interval: the status was so then. Else null. */
export const datedAtMs = (
  { reason, fixAtMs, datedAfterMs }: Pick<UnitRow, 'reason' | 'fixAtMs' | 'datedAfterMs'>,
  nowMs: number,
): number | null =>
  fixAtMs !== null && PRESENT.includes(reason) && nowMs - fixAtMs >= datedAfterMs ? fixAtMs : null;

/** "position is coarse (±0.7 mi)"; empty where it is not. */
export const coarseText = (coarseM: number): string =>
  coarseM === 0 ? '' : `position is coarse (${positionErrorText(coarseM)})`;

/** The error of a position: "±0.7 mi". */
export const positionErrorText = (coarseM: number): string => `±${formatDistance(coarseM)}`;

const parkedText = (unit: UnitRow, nowMs: number): string => {
  if (unit.sinceMs === null) return 'parked';
  const lastedMs = nowMs - unit.sinceMs;
  return lastedMs < MINUTE_MS ? 'just parked' : `parked ${formatDuration(lastedMs)}`;
};

const byReceiptText = (unit: UnitRow, nowMs: number): string => {
  if (unit.status === 'stopped') return parkedText(unit, nowMs);
  return unit.status === 'moving' ? 'moving, clock wrong' : 'reporting, clock wrong';
};

/**
 * The status of a unit in the fewest words: "64 mph E", "parked 2 h 14 m"; with the time of an old fix, "64 mph E at
 * 10:12 AM". `nowMs` is server time.
 */
export const statusText = (unit: UnitRow, nowMs: number, zone?: string): string => {
  const atMs = datedAtMs(unit, nowMs);
  if (atMs === null) return activityText(unit, nowMs);
  const parkedMs = unit.sinceMs === null ? 0 : atMs - unit.sinceMs;
  const does = unit.reason === 'inPlace' && parkedMs < MINUTE_MS ? 'parked' : activityText(unit, atMs);
  return `${does} at ${formatMoment(atMs, nowMs, zone)}`;
};

const activityText = (unit: UnitRow, nowMs: number): string => {
  const text = ACTIVITIES[unit.reason];
  return typeof text === 'string' ? text : text(unit, nowMs);
};

const ACTIVITIES: Record<Reason, string | ((unit: UnitRow, nowMs: number) => string)> = {
  displaced: (unit) => speedText(unit) ?? 'moving',
  inPlace: parkedText,
  overdue: ({ speedKph }) => (speedKph === null ? 'overdue' : `last ${toMph(speedKph)} mph`),
  vanishedMoving: 'vanished while moving',
  vanishedStopped: 'vanished while parked',
  quiet: 'gone quiet',
  neverSeen: 'never seen',
  oneFix: 'one fix',
  noFix: 'no usable fix',
  vanished: 'vanished',
  unclear: 'moving or parked: unclear',
  byReceipt: byReceiptText,
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
  return fixedAtMs === null ? at : formatMoment(fixedAtMs, asOfMs);
};

/** A unit's status when an old copy was made. A text without a duration stays as it is. */
export const pastText = (unit: UnitRow, copy: CopyMoment): string => {
  const at = pastAt(unit, copy);
  if (unit.reason === 'byReceipt' && unit.status === 'unknown') return 'reporting, clock wrong';
  return DATED_REASONS.includes(unit.reason)
    ? `${PAST_STATUS_LABELS[unit.status].toLowerCase()} at ${at}`
    : statusText(unit, 0);
};

/** Reasons whose status had a duration, which an old copy cannot give. */
const DATED_REASONS: readonly Reason[] = ['displaced', 'inPlace', 'overdue', 'byReceipt'];

/** The status of an old copy before its moment: "Was moving". */
export const PAST_STATUS_LABELS: Record<Status, string> = {
  moving: 'Was moving',
  stopped: 'Was parked',
  late: 'Was late',
  silent: 'Was silent',
  unknown: 'Was unknown',
};

/** How far back tails reach: "10 min", "4 h". */
export const tailSpanText = (minutes: number): string =>
  minutes < 60 ? `${minutes} min` : `${minutes / 60} h`;

interface CarrierText {
  /** The carrier's name where the fleet is its own, else the fleet's number. */
  name: string;
  /** Its numbers, or the account that the fleet is read with; empty while that is not known. */
  numbers: string;
}

/** The carrier of a fleet, according to the account that it is read with. */
export const carrierText = (usdot: string, account: CarrierAccount | null): CarrierText => {
  if (account === null) return { name: `USDOT ${usdot}`, numbers: '' };
  return account.usdot === usdot
    ? {
        name: account.companyName,
        // Own trucks have no provider's id: it is the number.
        numbers: `USDOT ${usdot}${account.companyId === usdot ? '' : ` · ID ${account.companyId}`}`,
      }
    : { name: `USDOT ${usdot}`, numbers: `seen with the key of ${account.companyName}` };
};

/** The columns that the list may show besides name, state, place and age, in this order. */
export const LIST_COLUMNS = ['plate', 'vin', 'vehicle', 'device', 'tags'] as const;
export type ListColumn = (typeof LIST_COLUMNS)[number];

type Text = string | number | null;

const TEXTS_OF: Readonly<Record<ListColumn, (unit: UnitIdentity) => readonly Text[]>> = {
  plate: ({ plateState, plateNumber }) => [plateState, plateNumber],
  vin: ({ vin }) => [vin],
  vehicle: ({ year, make, model }) => [year, make, model],
  device: ({ deviceId }) => [deviceId],
  tags: (unit) => [marksOf(unit).tags.join(', ')],
};

/** The columns of a unit as one line, without those that it has not: "TX R48 2207 · 2022 Volvo VNL 760". */
export const columnsText = (unit: UnitIdentity, columns: readonly ListColumn[]): string =>
  columns
    .map((column) => TEXTS_OF[column](unit).filter(Boolean).join(' '))
    .filter((text) => text !== '')
    .join(' · ');
