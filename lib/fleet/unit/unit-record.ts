import 'server-only';
import { deriveStatus, toNextStatusMs, type DerivedStatus } from '@/lib/motion/derive';
import {
  NO_TRACKS,
  shiftTracks,
  stepFlags,
  toNextFlagMs,
  toUpMask,
  type FlagTrack,
} from '@/lib/motion/flag-hysteresis';
import type { MotionSettings } from '@/lib/motion/settings';
import { newestOf, toFixes } from '@/lib/motion/track';
import type { VinCarrier, FlagEvidence, UnitDetail } from '@/lib/wire/unit';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { flagBit } from '@/lib/motion/status';
import type { FleetHome } from '../fleet-home';
import type { FormerKey } from '../poll-changes';
import { observeNames, withKnownNames, type NameChange, type NameMove } from './name-changes';
import type { LiveSettings } from '../settings';
import {
  findFlags,
  isOthers,
  toMismatchText,
  toUnitFlags,
  type FlagFacts,
  type RosterVins,
} from './unit-flags';
import { createHistory, replayRecords, type HistoryRules, type UnitHistory } from './unit-history';
import { MINUTE_MS } from '@/lib/base/time';

/** The provider's last answer for a VIN, and how many answers in a row named that carrier. */
export interface KnownCarrier {
  carrier: VinCarrier;
  times: number;
}

/** The state of the unit of one row; changed in place. */
export interface UnitRecord {
  /** The history of its records, in the order of their times. */
  history: UnitHistory;
  /** Flags of the vehicle and of the answers, as of when the row was last written. */
  tracks: readonly FlagTrack[];
  /** Names that it took over from other units. */
  moves: readonly NameMove[];
  /** The key that it had before its present one, and until when, Unix ms; null: none. */
  former: FormerKey | null;
  /** The carrier of its VIN that its flag is based on. */
  carrier: VinCarrier | null;
  /** How its VIN contradicts the identity `judged`. */
  mismatch: string | null;
  judged: UnitIdentity | null;
  isListed: boolean;
  /** Since when it is listed, or is not. */
  sinceMs: number;
  /** Since when it is missing from the list while it still counts as listed; Infinity while it is not missing. */
  missingSinceMs: number;
  /** How long its newest record was under way at least, ms: by how much the answer before it is newer; null: not known. */
  delayMs: number | null;
  /** How many of its newest records in a row were under way for about as long, and how long the first of them was, ms. */
  alikeDelays: number;
  firstDelayMs: number;
  /** When its row changes without further news; a time in the past means now. */
  rewriteAtMs: number;
}

/** Facts of a fleet that the flags of all its units depend on. */
export interface FleetFacts {
  usdot: string;
  roster: RosterVins;
  home: FleetHome;
}

const NO_MOVES: readonly NameMove[] = [];
const NO_FLAGS: readonly FlagEvidence[] = [];
const RENAMED = flagBit('identityChange');

export const createRecord = (identity: UnitIdentity, isListed: boolean, nowMs: number): UnitRecord => ({
  history: createHistory(identity),
  tracks: NO_TRACKS,
  moves: NO_MOVES,
  former: null,
  carrier: null,
  mismatch: null,
  judged: null,
  isListed,
  sinceMs: nowMs,
  missingSinceMs: Infinity,
  delayMs: null,
  alikeDelays: 0,
  firstDelayMs: 0,
  rewriteAtMs: -Infinity,
});

/** Notes how long the newest record was under way at least, ms. */
export const noteDelay = (record: UnitRecord, delayMs: number): void => {
  const isAlike = record.delayMs !== null && Math.abs(delayMs - record.firstDelayMs) <= MINUTE_MS;
  record.alikeDelays = isAlike ? record.alikeDelays + 1 : 1;
  if (!isAlike) record.firstDelayMs = delayMs;
  record.delayMs = delayMs;
};

/** Sets since when the unit is listed, or is not. */
export const setListed = (record: UnitRecord, isListed: boolean, sinceMs: number): void => {
  record.isListed = isListed;
  record.sinceMs = sinceMs;
  record.missingSinceMs = Infinity;
  record.rewriteAtMs = -Infinity;
};

/** Sets the identity of a unit that the provider does not list, as it is known from elsewhere. */
export const setUnlistedIdentity = (
  record: UnitRecord,
  identity: UnitIdentity,
  { flags }: MotionSettings,
): void => {
  const { history, isListed } = record;
  if (isListed) return;
  record.rewriteAtMs = -Infinity;
  if (history.records.length === 0) {
    record.history = createHistory(identity, history.state.motionState);
    return;
  }
  const { state } = history;
  const { enterMs } = flags.identityChange;
  history.state = {
    ...state,
    identity,
    names: withKnownNames(state.names, identity),
    changes: observeNames(state.changes, state.names, identity, state.atMs, state.atMs, enterMs),
  };
};

/** The clock was set by `stepMs` and now reads `nowMs`: times that it gave are shifted, so that durations stay true. */
export const shiftRecord = (record: UnitRecord, stepMs: number, nowMs: number, rules: HistoryRules): void => {
  record.sinceMs += stepMs;
  record.missingSinceMs += stepMs;
  record.tracks = shiftTracks(record.tracks, stepMs);
  record.rewriteAtMs = -Infinity;
  replayRecords(record.history, stepMs, nowMs, rules);
};

/** Whether an answer about the carrier of a VIN contradicts the one that the unit's flag is based on. */
export const contradictsCarrier = (
  { carrier: records }: UnitRecord,
  carrier: VinCarrier,
  usdot: string,
): boolean => isOthers({ carrier, usdot }) !== isOthers({ carrier: records, usdot });

/** Sets the carrier of a unit's flag; one that differs counts after enough answers, or at once without look-ups. */
export const setCarrier = (
  record: UnitRecord,
  { carrier, times }: KnownCarrier,
  usdot: string,
  { carrierPauseMs, motion }: Pick<LiveSettings, 'carrierPauseMs' | 'motion'>,
): void => {
  const answers = isOthers({ carrier, usdot }) ? motion.othersAnswers : motion.ownAnswers;
  const needed = carrierPauseMs === null ? 1 : answers;
  if (times < needed && contradictsCarrier(record, carrier, usdot)) return;
  record.carrier = carrier;
  record.rewriteAtMs = -Infinity;
};

/** The flags of a unit's newest record. */
const readNewestFlags = ({ records }: UnitHistory): readonly FlagEvidence[] =>
  records[records.length - 1]?.flags ?? NO_FLAGS;

const toImplausibleText = ({ history }: UnitRecord, home: FleetHome): string | null => {
  const { motionState } = history.state;
  const at = newestOf(motionState.track) ?? motionState.untimed;
  return at ? home.judge(at) : null;
};

const toFacts = (record: UnitRecord, { usdot, roster, home }: FleetFacts): FlagFacts => ({
  usdot,
  roster,
  identity: record.history.state.identity,
  recordFlags: readNewestFlags(record.history),
  carrier: record.carrier,
  mismatch: record.mismatch,
  implausible: toImplausibleText(record, home),
});

const isNoticeDue = (sinceMs: number, nowMs: number, { flags }: MotionSettings): boolean => {
  const { enterMs, leaveMs } = flags.identityChange;
  return nowMs - sinceMs >= enterMs && nowMs - sinceMs < leaveMs;
};

const renamedMask = (record: UnitRecord, nowMs: number, motion: MotionSettings): number => {
  const { changes } = record.history.state;
  if (changes.length === 0 && record.moves.length === 0) return 0;
  const isAny = [...changes, ...record.moves].some(({ sinceMs }) => isNoticeDue(sinceMs, nowMs, motion));
  return isAny ? RENAMED : 0;
};

/** When a change of names starts or stops being shown, Unix ms. */
const toNextRenamedMs = (record: UnitRecord, nowMs: number, { flags }: MotionSettings): number => {
  const { changes } = record.history.state;
  if (changes.length === 0 && record.moves.length === 0) return Infinity;
  const { enterMs, leaveMs } = flags.identityChange;
  const edges = [...changes, ...record.moves].flatMap(({ sinceMs }) => [
    sinceMs + enterMs,
    sinceMs + leaveMs,
  ]);
  return Math.min(...edges.filter((atMs) => atMs > nowMs));
};

export const deriveRecord = (record: UnitRecord, nowMs: number, motion: MotionSettings): DerivedStatus => {
  const { state, hasCutTimes } = record.history;
  const derived = deriveStatus(state.motionState, nowMs, record, motion);
  return hasCutTimes ? { ...derived, speedKph: null } : derived;
};

/** Recomputes the mask of a unit's flags at `nowMs`, and the time of the next check without news. */
export const judgeRecord = (
  record: UnitRecord,
  fleet: FleetFacts,
  nowMs: number,
  motion: MotionSettings,
): number => {
  const { motionState, identity, tracks } = record.history.state;
  if (record.judged !== identity) {
    record.judged = identity;
    record.mismatch = toMismatchText(identity);
  }
  const found = findFlags(toFacts(record, fleet));
  record.tracks = stepFlags(record.tracks, found, nowMs, motion.flags);
  record.rewriteAtMs = Math.min(
    toNextStatusMs(motionState, nowMs, record, motion),
    toNextFlagMs(record.tracks, motion.flags),
    toNextRenamedMs(record, nowMs, motion),
  );
  return toUpMask(record.tracks) | toUpMask(tracks) | renamedMask(record, nowMs, motion);
};

/** The detail of a unit, as of `nowMs`. */
export const toUnitDetail = (
  record: UnitRecord,
  fleet: FleetFacts,
  version: string,
  nowMs: number,
  motion: MotionSettings,
): UnitDetail => {
  const { identity, motionState, tracks, changes } = record.history.state;
  const { status, reason, sinceMs, evidence } = deriveRecord(record, nowMs, motion);
  const isShown = ({ sinceMs: atMs }: NameChange | NameMove) => isNoticeDue(atMs, nowMs, motion);
  return {
    identity,
    version,
    status,
    reason,
    sinceMs,
    evidence,
    usualIntervalMs: motionState.usualIntervalMs,
    receivedAgeMs: Math.floor(record.history.heldLagMs / MINUTE_MS) * MINUTE_MS,
    flags: toUnitFlags(
      [...tracks, ...record.tracks],
      changes.filter(isShown),
      record.moves.filter(isShown),
      toFacts(record, fleet),
      motionState,
    ),
    track: toFixes(motionState.track),
    unconfirmed: motionState.unconfirmed,
  };
};
