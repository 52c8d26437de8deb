import 'server-only';
import { distanceM } from '@/lib/geo/geodesy';
import { isUsableTime } from '@/lib/motion/observe';
import type { MotionSettings } from '@/lib/motion/settings';
import { countFixes, fixOf, type Track } from '@/lib/motion/track';
import type { TrackedUnit } from '@/lib/tracking/unit';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { FlagEvidence } from '@/lib/wire/unit';
import { MINUTE_MS } from '@/lib/base/time';

/**
 * The clock that dates a record.
 *
 * - `own`: its own time; `receipt`: when it was received, because the unit's times cannot be trusted
 * - `untimed`: when it was received, and its position is only kept aside
 * - `flagsOnly`: when it was received, and its position is left out
 */
type Dating = 'own' | 'receipt' | 'untimed' | 'flagsOnly';

/** One stored record of a unit; `lat` and `lng` have no meaning where it has no position. */
export interface HistoryRecord {
  dating: Dating;
  /** Its time in the unit's history, Unix ms. */
  atMs: number;
  /** Its two times as given, Unix ms. */
  fixAtMs: number | null;
  otherAtMs: number | null;
  lat: number;
  lng: number;
  hasPlace: boolean;
  flags: readonly FlagEvidence[];
  identity: UnitIdentity;
  /** The most by which its time may precede its position more than that of the record before, ms. */
  slackMs: number;
}

/** Records in a row that support dating the unit by another clock. */
export interface BaseChange {
  to: 'own' | 'receipt';
  sinceMs: number;
  /** The first of them, dated by that clock. */
  first: HistoryRecord;
  last: HistoryRecord;
  /** Records that were inserted among older ones, and are removed if the clock is changed. */
  inserted: readonly HistoryRecord[];
}

/** The state of a unit whose times cannot be trusted. */
export interface ReceiptBase {
  /** The newest time that was trusted before, Unix ms; -Infinity where there is none. */
  soundAtMs: number;
  /** The age of the newest record by its own time when it was received; null where it gave none. */
  lagMs: number | null;
}

/** The state that decides how the next record of a unit is dated. */
export interface TimeBase {
  /** The record that was received last, wherever it is in the history. */
  last: HistoryRecord | null;
  /** The newest record by the clock that the unit is dated by. */
  held: HistoryRecord | null;
  /** How old it was when it was received: the delay that is usual for the unit, ms. */
  heldLagMs: number;
  /** Its times are cut to whole minutes: between two of them more or less time has passed than they give. */
  hasCutTimes: boolean;
  /** Null while its records are dated by their own times. */
  receipt: ReceiptBase | null;
  change: BaseChange | null;
}

/** How a record is dated, and which clock it supports; null where it supports neither. */
interface Verdict {
  dating: Dating;
  favors: 'held' | 'own' | 'receipt' | null;
}

const OWN: Verdict = { dating: 'own', favors: 'held' };
const OWN_AGAIN: Verdict = { dating: 'own', favors: null };
const OWN_AGAINST: Verdict = { dating: 'own', favors: 'receipt' };
const UNTIMED: Verdict = { dating: 'untimed', favors: null };
const UNTIMED_AGAINST: Verdict = { dating: 'untimed', favors: 'receipt' };
const FLAGS_ONLY: Verdict = { dating: 'flagsOnly', favors: null };
const FLAGS_ONLY_AGAINST: Verdict = { dating: 'flagsOnly', favors: 'receipt' };
const RECEIPT: Verdict = { dating: 'receipt', favors: 'held' };
const RECEIPT_SOUND: Verdict = { dating: 'receipt', favors: 'own' };

/** Whether two records have the same times and the same position. */
const isSameReport = (a: HistoryRecord, b: HistoryRecord): boolean =>
  a.fixAtMs === b.fixAtMs &&
  a.otherAtMs === b.otherAtMs &&
  a.hasPlace === b.hasPlace &&
  (!a.hasPlace || (a.lat === b.lat && a.lng === b.lng));

/** Whether a record has the times and the position of a unit as the provider gives it. */
export const isReportOf = (record: HistoryRecord, { position, fixAtMs, otherAtMs }: TrackedUnit): boolean =>
  record.fixAtMs === fixAtMs &&
  record.otherAtMs === otherAtMs &&
  (position === null
    ? !record.hasPlace
    : record.hasPlace && record.lat === position.lat && record.lng === position.lng);

const isWholeMinute = (ms: number): boolean => ms % MINUTE_MS === 0;

/** Whether a time may have been cut to the minute; records that are received at once are a backlog, with times of their own. */
const mayBeCut = (
  { held, heldLagMs }: TimeBase,
  fixAtMs: number,
  nowMs: number,
  { baselineMs }: MotionSettings,
): boolean =>
  isWholeMinute(fixAtMs) && held?.fixAtMs != null && nowMs - held.fixAtMs - heldLagMs >= baselineMs;

/**
 * Whether an older record's position is current: nearer to the unit's last position than to where it was at that time.
 */
const isPlaceOfNow = (
  track: Track,
  record: HistoryRecord,
  fixAtMs: number,
  settings: MotionSettings,
): boolean => {
  const count = countFixes(track);
  if (count < 2) return true;
  let then = fixOf(track, 0);
  for (let i = 1; i < count && fixOf(track, i - 1).fixAtMs < fixAtMs; i++) {
    const fix = fixOf(track, i);
    if (Math.abs(fix.fixAtMs - fixAtMs) <= Math.abs(then.fixAtMs - fixAtMs)) then = fix;
  }
  return distanceM(fixOf(track, count - 1), record) <= distanceM(then, record) + settings.jitterM;
};

/** Whether an older record is as far as the unit has come by now from where it was before the record's own time. */
const isAsFarAsNow = (track: Track, record: HistoryRecord, fixAtMs: number): boolean => {
  const last = countFixes(track) - 1;
  let i = last - 1;
  while (i > 0 && fixOf(track, i).fixAtMs >= fixAtMs) i--;
  if (i < 0) return true;
  const before = fixOf(track, i);
  return distanceM(before, record) >= distanceM(before, fixOf(track, last));
};

/** Above 0 where a report is newer than the one held of its unit, below 0 where it is older, 0 where it is the same. */
export const compareToHeld = (
  { held, receipt, records }: TimeBase & { records: readonly HistoryRecord[] },
  unit: TrackedUnit,
  nowMs: number,
  settings: MotionSettings,
): number => {
  const { position, fixAtMs } = unit;
  if (held === null || position === null) return 0;
  const newest = records[records.length - 1];
  if (isReportOf(held, unit) || (newest && isReportOf(newest, unit))) return 0;
  // Times that cannot be trusted give no order: a record that differs was received later.
  if (receipt !== null || held.fixAtMs === null || !isUsableTime(fixAtMs, nowMs, settings)) return 1;
  return fixAtMs === held.fixAtMs ? 1 : fixAtMs - held.fixAtMs;
};

/** A time that may be off by more than this share of the time since the fix before gives no speed. */
const LEAST_UNEVEN = 0.2;

/**
 * Compares how old a record is at receipt with the one before, if its time is a whole minute: that may be cut, so that
 * the record is older by as much. `apartMs` is the time between two answers.
 */
export const observeCutTime = (
  base: TimeBase,
  record: HistoryRecord,
  nowMs: number,
  apartMs: number,
  settings: MotionSettings,
): void => {
  const { held, heldLagMs } = base;
  const { fixAtMs } = record;
  if (fixAtMs === null || held?.fixAtMs == null) return;
  if (!isWholeMinute(fixAtMs)) {
    if (!isWholeMinute(held.fixAtMs)) base.hasCutTimes = false;
    return;
  }
  if (!mayBeCut(base, fixAtMs, nowMs, settings)) return;
  const olderMs = nowMs - fixAtMs - heldLagMs;
  record.slackMs = Math.min(Math.max(0, olderMs), settings.receiptSlackMs);
  const leastMs = Math.max(apartMs, LEAST_UNEVEN * (fixAtMs - held.fixAtMs));
  if (Math.abs(olderMs) > leastMs) base.hasCutTimes = true;
};

/** For a unit that is dated by its own times. */
const judgeByOwn = (
  base: TimeBase,
  track: Track,
  record: HistoryRecord,
  hasClockFault: boolean,
  nowMs: number,
  settings: MotionSettings,
): Verdict => {
  const { held } = base;
  const { fixAtMs, hasPlace } = record;
  if (!isUsableTime(fixAtMs, nowMs, settings)) return hasPlace ? UNTIMED_AGAINST : UNTIMED;
  if (held?.fixAtMs == null || fixAtMs > held.fixAtMs) {
    // A record that is new and half an hour old may come from a clock that is slow.
    return hasPlace && nowMs - fixAtMs >= settings.silentAfterMs ? OWN_AGAINST : OWN;
  }
  if (isSameReport(held, record)) return OWN_AGAIN;
  if (fixAtMs === held.fixAtMs) return hasPlace ? OWN_AGAINST : OWN_AGAIN;
  const isAgainst = hasPlace && isPlaceOfNow(track, record, fixAtMs, settings);
  const isCut = isAgainst && mayBeCut(base, fixAtMs, nowMs, settings);
  // Inserted at a time that was cut to the minute before the held one, it would make the unit jump.
  if (isCut && isAsFarAsNow(track, record, fixAtMs)) return FLAGS_ONLY_AGAINST;
  // A record whose clock is at fault is only a little late: further back its time is wrong.
  const isLate = !hasClockFault || held.fixAtMs - fixAtMs <= settings.lateAtLeastMs;
  if (!isLate) return isAgainst ? FLAGS_ONLY_AGAINST : FLAGS_ONLY;
  return isAgainst ? OWN_AGAINST : OWN_AGAIN;
};

/** A time that continues those that were trusted before: fresh, or much less old than those that are not trusted. */
const isSound = (
  { soundAtMs, lagMs }: ReceiptBase,
  fixAtMs: number | null,
  nowMs: number,
  settings: MotionSettings,
): boolean => {
  if (!isUsableTime(fixAtMs, nowMs, settings) || fixAtMs <= soundAtMs) return false;
  const ageMs = nowMs - fixAtMs;
  if (ageMs <= settings.receiptSlackMs) return true;
  const isOther = lagMs === null || lagMs < 0 || ageMs < lagMs - settings.receiptSlackMs;
  return isOther && ageMs < settings.silentAfterMs;
};

/** For a unit that is dated by when its records are received. */
const judgeByReceipt = (
  base: ReceiptBase,
  { held, change }: TimeBase,
  record: HistoryRecord,
  nowMs: number,
  settings: MotionSettings,
): Verdict => {
  const { fixAtMs, hasPlace } = record;
  if (!hasPlace || (held && isSameReport(held, record))) return FLAGS_ONLY;
  const isBefore = (other: HistoryRecord | null | undefined): boolean =>
    fixAtMs !== null && other?.fixAtMs != null && fixAtMs < other.fixAtMs;
  if (isSound(base, fixAtMs, nowMs, settings))
    return change?.to === 'own' && isBefore(change.last) ? FLAGS_ONLY : RECEIPT_SOUND;
  return isBefore(held) ? FLAGS_ONLY_AGAINST : RECEIPT;
};

/** How the next record is dated, in the order of receipt. A new time or position shows that the unit reports. */
export const judgeRecordTime = (
  base: TimeBase,
  track: Track,
  record: HistoryRecord,
  hasClockFault: boolean,
  nowMs: number,
  settings: MotionSettings,
): Verdict =>
  base.receipt === null
    ? judgeByOwn(base, track, record, hasClockFault, nowMs, settings)
    : judgeByReceipt(base.receipt, base, record, nowMs, settings);

/** How far two spans may differ when records arrive at the pace at which they are made. */
const PACE_TOLERANCE_MS = 15_000;

/** Whether a record that is newer than the held one advances at the pace of our clock: a backlog arrives faster. */
const isAtPace = ({ first, sinceMs }: BaseChange, fixAtMs: number, nowMs: number): boolean => {
  const passedMs = nowMs - sinceMs;
  const apartMs = Math.abs(fixAtMs - (first.fixAtMs ?? fixAtMs) - passedMs);
  return apartMs <= Math.max(PACE_TOLERANCE_MS, passedMs / 2);
};

const continuesChange = (
  change: BaseChange,
  record: HistoryRecord,
  isNewer: boolean,
  nowMs: number,
): boolean => {
  const { fixAtMs } = record;
  if (fixAtMs === null || change.last.fixAtMs === null) return true;
  return fixAtMs >= change.last.fixAtMs && (!isNewer || isAtPace(change, fixAtMs, nowMs));
};

/** Counts a record in favor of another clock, keeping the first one dated by it; true once there are enough. */
export const countForChange = (
  base: TimeBase,
  to: 'own' | 'receipt',
  record: HistoryRecord,
  nowMs: number,
  settings: MotionSettings,
): boolean => {
  const { change, held } = base;
  const { fixAtMs } = record;
  const isNewer = to === 'receipt' && fixAtMs !== null && held?.fixAtMs != null && fixAtMs > held.fixAtMs;
  if (change?.to !== to || !continuesChange(change, record, isNewer, nowMs)) {
    const atMs = to === 'own' && fixAtMs !== null ? fixAtMs : nowMs;
    base.change = { to, sinceMs: nowMs, first: { ...record, dating: to, atMs }, last: record, inserted: [] };
    return false;
  }
  change.last = record;
  if (to === 'own')
    return fixAtMs !== change.first.fixAtMs && nowMs - change.sinceMs >= settings.timeBaseAfterMs;
  const ageMs = fixAtMs === null ? Infinity : nowMs - fixAtMs;
  // A provider may pass on every record some minutes late: that is no fault of the unit's clock.
  const usualMs = Math.min(Math.max(0, base.heldLagMs) + settings.receiptSlackMs, settings.silentAfterMs - 1);
  const isStale = ageMs > usualMs || ageMs < -settings.receiptSlackMs;
  return isStale && nowMs - change.sinceMs >= settings.timeBaseAfterMs;
};
