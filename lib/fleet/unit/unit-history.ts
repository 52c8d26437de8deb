import 'server-only';
import { readFixes, type RecordedPosition, type RecordedUnit } from '../recorded-units';
import { NO_TRACKS, shiftTracks, stepFlags, type FlagTrack } from '@/lib/motion/flag-hysteresis';
import { NO_MOTION, type MotionMemory, type MotionState } from '@/lib/motion/motion-state';
import { isUsableTime, observeFix, resumeAt } from '@/lib/motion/observe';
import { shiftTimes } from '@/lib/motion/rebase';
import type { MotionSettings } from '@/lib/motion/settings';
import { toSeconds } from '../row-columns';
import { createTimeline, dropRecords, replay, append, type Timeline } from '@/lib/motion/timeline';
import { CLOCK_TOLERANCE_MS, toSpanText } from '@/lib/tracking/normalize/time';
import type { TrackedUnit } from '@/lib/tracking/unit';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { flagBit, toFlagMask, type Flag } from '@/lib/motion/status';
import type { FlagEvidence } from '@/lib/wire/unit';
import { toFrozenText, toJumpText } from './unit-flags';
import { NO_CHANGES, observeNames, withKnownNames, type NameChange } from './name-changes';
import {
  countForChange,
  isReportOf,
  judgeRecordTime,
  observeCutTime,
  type BaseChange,
  type ReceiptBase,
  type TimeBase,
  type HistoryRecord,
} from './record-dating';

/** The state that the records of a unit give, in the order of their own times. */
export interface HistoryState {
  identity: UnitIdentity;
  motionState: MotionState;
  /** Flags of records and of fixes. */
  tracks: readonly FlagTrack[];
  /** The last known value of each of its names, and the changes of names. */
  names: Pick<UnitIdentity, 'deviceId' | 'truckNumber' | 'plateState' | 'plateNumber'>;
  changes: readonly NameChange[];
  atMs: number;
}

export interface UnitHistory extends Timeline<HistoryState, HistoryRecord>, TimeBase {}

/** Flags of a record that concern its fix; the others concern the answer or the vehicle. */
const OF_FIX = flagBit('noPosition') | flagBit('clockFault');
const CLOCK = flagBit('clockFault');
const DUPLICATE = flagBit('duplicateVin');
const JUMP = flagBit('impossibleJump');
const FROZEN = flagBit('frozenPosition');

export const createHistory = (identity: UnitIdentity, motionState = NO_MOTION): UnitHistory => {
  const { state, before, records, isCut } = createTimeline<HistoryState, HistoryRecord>({
    identity,
    motionState,
    tracks: NO_TRACKS,
    names: identity,
    changes: NO_CHANGES,
    atMs: -Infinity,
  });
  // Spelled out, because V8 keeps fields after a spread in a separate list for each unit.
  return {
    state,
    before,
    records,
    isCut,
    last: null,
    held: null,
    heldLagMs: 0,
    hasCutTimes: false,
    receipt: null,
    change: null,
  };
};

/** One shared empty list, so that each stored record does not allocate its own. */
const NO_FLAGS: readonly FlagEvidence[] = [];

const toMask = (flags: readonly FlagEvidence[]): number =>
  flags.length === 0 ? 0 : toFlagMask(flags.map(({ flag }) => flag));

/** The last clock fault of a unit whose newest record has none. */
const toClockText = (tracks: readonly FlagTrack[], { fixAtMs, atMs }: HistoryRecord): string => {
  const lagMs = fixAtMs === null ? 0 : atMs - fixAtMs;
  return lagMs > CLOCK_TOLERANCE_MS
    ? `Its reports give times ${toSpanText(lagMs)} before they are received.`
    : (tracks.find(({ flag }) => flag === 'clockFault')?.text ?? '');
};

const stepRecordFlags = (
  tracks: readonly FlagTrack[],
  motionState: MotionState,
  record: HistoryRecord,
  motion: MotionSettings,
): readonly FlagTrack[] => {
  const { flags, atMs } = record;
  let found = toMask(flags) & OF_FIX;
  if (motionState.isByReceipt) found |= CLOCK;
  if (motionState.unconfirmed) found |= JUMP;
  if (motionState.frozen && motionState.frozen.fixes >= motion.frozenFixes) found |= FROZEN;
  if (found === 0 && tracks.length === 0) return tracks;
  const textOf = (flag: Flag): string => {
    if (flag === 'impossibleJump') return toJumpText(motionState);
    if (flag === 'frozenPosition') return toFrozenText(motionState.frozen);
    const words = flags.find((evidence) => evidence.flag === flag)?.text;
    return words ?? (flag === 'clockFault' ? toClockText(tracks, record) : '');
  };
  return stepFlags(tracks, found, atMs, motion.flags, textOf);
};

const observeRecord = (
  motionState: MotionState,
  record: HistoryRecord,
  motion: MotionSettings,
): MotionState => {
  const { lat, lng, atMs, dating, hasPlace } = record;
  if (!hasPlace || dating === 'flagsOnly') return motionState;
  const position = dating === 'receipt' ? { lat, lng, fixAtMs: atMs, isByReceipt: true } : record;
  return observeFix(motionState, position, atMs, motion);
};

const createFold =
  (motion: MotionSettings) =>
  (state: HistoryState, record: HistoryRecord): HistoryState => {
    const { atMs, identity, flags } = record;
    const motionState = observeRecord(state.motionState, record, motion);
    const tracks = stepRecordFlags(state.tracks, motionState, record, motion);
    // With two records of one VIN the newer fix wins, which alternates between them: no change of names.
    const isNamed = identity !== state.identity && !(toMask(flags) & DUPLICATE);
    if (!isNamed || state.atMs === -Infinity) {
      const names = state.atMs === -Infinity ? identity : state.names;
      return { identity, motionState, tracks, names, changes: state.changes, atMs };
    }
    return {
      identity,
      motionState,
      tracks,
      names: withKnownNames(state.names, identity),
      changes: observeNames(
        state.changes,
        state.names,
        identity,
        state.atMs,
        atMs,
        motion.flags.identityChange.enterMs,
      ),
      atMs,
    };
  };

/** Spelled out, because it runs for every unit of every answer. */
const isSameIdentity = (a: UnitIdentity, b: UnitIdentity): boolean =>
  a === b ||
  (a.vin === b.vin &&
    a.truckNumber === b.truckNumber &&
    a.plateState === b.plateState &&
    a.plateNumber === b.plateNumber &&
    a.make === b.make &&
    a.model === b.model &&
    a.year === b.year &&
    a.fuelType === b.fuelType &&
    a.assetType === b.assetType &&
    a.deviceId === b.deviceId);

/** Whether a record repeats another one; a clock fault depends on our clock and is left out of the comparison. */
const isUnchanged = (record: HistoryRecord, unit: TrackedUnit): boolean =>
  isReportOf(record, unit) &&
  isSameIdentity(record.identity, unit.identity) &&
  ((record.flags.length === 0 && unit.flags.length === 0) ||
    ((toMask(record.flags) ^ toMask(unit.flags)) & ~CLOCK) === 0);

export interface HistoryRules {
  motion: MotionSettings;
  /** Time since the answer before, ms. */
  apartMs: number;
  fold: (state: HistoryState, record: HistoryRecord) => HistoryState;
}

/** How records are applied under these settings; made once for each answer. */
export const createHistoryRules = (motion: MotionSettings, apartMs = 0): HistoryRules => ({
  motion,
  apartMs,
  fold: createFold(motion),
});

const toRecord = ({ position, fixAtMs, otherAtMs, flags, identity }: TrackedUnit): HistoryRecord => ({
  dating: 'own',
  atMs: 0,
  fixAtMs,
  // Most records give one time twice: one number in memory instead of two.
  otherAtMs: otherAtMs === fixAtMs ? fixAtMs : otherAtMs,
  lat: position?.lat ?? 0,
  lng: position?.lng ?? 0,
  hasPlace: position !== null,
  flags: flags.length === 0 ? NO_FLAGS : flags,
  identity,
  slackMs: 0,
});

/** Dates the unit by another clock from this record on, and from the first one that supported that clock. */
const changeBase = (
  history: UnitHistory,
  { to, first, inserted }: BaseChange,
  record: HistoryRecord,
  nowMs: number,
  { motion, fold }: HistoryRules,
): void => {
  const { held, receipt, records, before } = history;
  if (inserted.length > 0)
    replay(
      history,
      before,
      records.filter((each) => !inserted.includes(each)),
      fold,
    );
  const isOwn = to === 'own';
  const lagMs = record.fixAtMs === null ? null : nowMs - record.fixAtMs;
  history.receipt = isOwn ? null : { soundAtMs: receipt?.soundAtMs ?? held?.fixAtMs ?? -Infinity, lagMs };
  history.change = null;
  history.held = record;
  history.heldLagMs = isOwn && lagMs !== null ? lagMs : 0;
  record.dating = to;
  record.atMs = isOwn && record.fixAtMs !== null ? record.fixAtMs : nowMs;
  // Times of two clocks cannot be ordered.
  if (isOwn === (receipt !== null)) {
    dropRecords(history);
    append(history, first, fold, motion.lateFixes);
  }
  append(history, record, fold, motion.lateFixes);
};

/** Applies one record of a unit; true where it added anything new. */
export const appendRecord = (
  history: UnitHistory,
  unit: TrackedUnit,
  nowMs: number,
  rules: HistoryRules,
): boolean => {
  const { motion, fold } = rules;
  const { records, state, held, change } = history;
  const newest = records[records.length - 1];
  if (history.last && isUnchanged(history.last, unit)) return false;
  const record = toRecord(unit);
  history.last = record;
  if (newest && isUnchanged(newest, unit)) return false;
  if (change && isUnchanged(change.last, unit)) return false;
  if (isSameIdentity(state.identity, record.identity)) record.identity = state.identity;

  const hasClockFault = (toMask(record.flags) & CLOCK) !== 0;
  const { dating, favors } = judgeRecordTime(
    history,
    state.motionState.track,
    record,
    hasClockFault,
    nowMs,
    motion,
  );
  record.dating = dating;
  record.atMs = dating === 'own' && record.fixAtMs !== null ? record.fixAtMs : nowMs;
  if (favors === 'held') history.change = null;
  else if (favors !== null && countForChange(history, favors, record, nowMs, motion)) {
    changeBase(history, history.change!, record, nowMs, rules);
    return true;
  }

  const isNewer = held?.fixAtMs == null || record.fixAtMs === null || record.fixAtMs > held.fixAtMs;
  if (dating === 'own' && isNewer) {
    observeCutTime(history, record, nowMs, rules.apartMs, motion);
    history.held = record;
    history.heldLagMs = record.fixAtMs === null ? 0 : nowMs - record.fixAtMs;
  }
  if (dating === 'receipt' && favors === 'held') {
    history.held = record;
    history.receipt!.lagMs = record.fixAtMs === null ? null : nowMs - record.fixAtMs;
  }
  if (dating === 'own' && favors === 'receipt' && !isNewer && history.change)
    history.change.inserted = [...history.change.inserted, record];
  append(history, record, fold, motion.lateFixes);
  return history.state !== state;
};

/** The motion of a unit when it was recorded last; null where that is not known. */
const toResumed = ({ state, motion }: RecordedUnit): Omit<MotionMemory, 'fixAtMs'> | null => {
  if (state === null) return null;
  const { status, reason, sinceMs, fix } = state;
  const memory = motion === null ? null : (JSON.parse(motion) as MotionMemory);
  // Else it has reported since.
  if (memory && fix && toSeconds(memory.fixAtMs) === toSeconds(fix.fixAtMs)) return memory;
  const resumeSince = (phase: MotionMemory['phase'], atMs: number | undefined | null) =>
    atMs == null ? null : { phase, sinceMs: atMs, intervalsMs: [], restsMs: [] };
  if (reason === 'vanishedMoving') return resumeSince('moving', fix?.fixAtMs);
  if (reason === 'vanishedStopped') return resumeSince('stopped', fix?.fixAtMs);
  return status === 'moving' || status === 'stopped' ? resumeSince(status, sinceMs) : null;
};

/** The motion state before the first of the recorded fixes, where the unit moved or stood then already. */
const resume = (
  first: RecordedPosition | undefined,
  recorded: RecordedUnit,
  settings: MotionSettings,
): MotionState => {
  const resumed = toResumed(recorded);
  if (!first || resumed === null || resumed.sinceMs > first.fixAtMs) return NO_MOTION;
  return resumeAt(first, resumed, settings);
};

/** The state after the recorded fixes, where the unit has moved or stood since when the map showed it. */
const withRecordedSince = (state: HistoryState, { state: shown }: RecordedUnit): HistoryState => {
  const { motionState } = state;
  const { phase, place } = motionState;
  if (shown?.sinceMs == null || shown.status !== phase || shown.reason === 'byReceipt') return state;
  const since =
    phase === 'moving'
      ? { movingSinceMs: shown.sinceMs }
      : { place: place && { ...place, firstAtMs: shown.sinceMs } };
  return { ...state, motionState: { ...motionState, ...since } };
};

/** The history that begins with what was recorded by an earlier process, and goes on with the records of this one. */
export const replayRecorded = (
  { records, state: { identity } }: UnitHistory,
  recorded: RecordedUnit,
  nowMs: number,
  rules: HistoryRules,
): UnitHistory => {
  const { state } = recorded;
  const ofState = state?.fix && state.reason !== 'byReceipt' ? [state.fix] : [];
  const fixes = recorded.fixes === '' ? ofState : readFixes(recorded.fixes);
  const history = createHistory(identity, resume(fixes[0], recorded, rules.motion));
  const firstAtMs = records[0]?.fixAtMs ?? nowMs;
  for (const { fixAtMs, lat, lng } of fixes) {
    if (fixAtMs >= firstAtMs) break;
    // As of its own time, because a late record would count against the unit's clock.
    const unit = { identity, position: { lat, lng }, fixAtMs, otherAtMs: null, flags: [] };
    appendRecord(history, unit, fixAtMs, rules);
  }
  history.state = withRecordedSince(history.state, recorded);
  history.before = withRecordedSince(history.before, recorded);
  for (const record of records) {
    const { lat, lng, hasPlace, flags } = record;
    const unit = { ...record, position: hasPlace ? { lat, lng } : null, flags: [...flags] };
    appendRecord(history, unit, nowMs, rules);
  }
  return history;
};

const replayByReceipt = (
  history: UnitHistory,
  receipt: ReceiptBase,
  stepMs: number,
  { fold }: HistoryRules,
): void => {
  const { before } = history;
  if (receipt.lagMs !== null) receipt.lagMs += stepMs;
  const motionState = before.motionState.isByReceipt
    ? shiftTimes(before.motionState, stepMs)
    : before.motionState;
  const tracks = shiftTracks(before.tracks, stepMs);
  const records = history.records.map((record) => ({ ...record, atMs: record.atMs + stepMs }));
  replay(history, { ...before, motionState, tracks }, records, fold);
};

/**
 * Replays the records after our clock was set by `stepMs` to `nowMs`: a refused time may have been right, an accepted
 * one may lie ahead, and some were dated by our clock.
 */
export const replayRecords = (
  history: UnitHistory,
  stepMs: number,
  nowMs: number,
  rules: HistoryRules,
): void => {
  history.change = null;
  if (history.records.length === 0) return;
  if (history.receipt) return replayByReceipt(history, history.receipt, stepMs, rules);
  const { motion, fold } = rules;
  const redate = (record: HistoryRecord): HistoryRecord => {
    const { dating, fixAtMs, atMs } = record;
    if (dating !== 'flagsOnly') {
      if (isUsableTime(fixAtMs, nowMs, motion)) return { ...record, dating: 'own', atMs: fixAtMs };
      if (dating === 'own') return { ...record, dating: 'untimed', atMs: nowMs };
    }
    return { ...record, atMs: atMs + stepMs };
  };
  const records = history.records.map(redate);
  records.sort((a, b) => a.atMs - b.atMs);
  const { before } = history;
  const isRefused = before.motionState.untimed !== null;
  const from = isRefused ? { ...before, motionState: { ...before.motionState, untimed: null } } : before;
  replay(history, from, records, fold);
};
