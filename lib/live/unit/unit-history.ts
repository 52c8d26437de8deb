import 'server-only';
import { NO_TRACKS, shiftTracks, stepFlags } from '@/lib/motion/flag-hysteresis';
import type { FlagTrack } from '@/lib/motion/flag-hysteresis';
import { EMPTY_MEMORY } from '@/lib/motion/memory';
import type { UnitMemory } from '@/lib/motion/memory';
import { isUsableTime, observeFix } from '@/lib/motion/observe';
import { shiftTimes } from '@/lib/motion/receipt-base';
import type { MotionSettings } from '@/lib/motion/settings';
import { createTimeline, letGo, retell, tell } from '@/lib/motion/timeline';
import type { Timeline } from '@/lib/motion/timeline';
import { CLOCK_TOLERANCE_MS, toSpanWords } from '@/lib/tracking/normalise-time';
import type { TrackedUnit } from '@/lib/tracking/unit';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { flagBit, toFlagMask } from '@/lib/wire/status';
import type { Flag } from '@/lib/wire/status';
import type { FlagEvidence } from '@/lib/wire/unit';
import { toFrozenWords, toJumpWords } from './motion-text';
import { NO_CHANGES, observeNames, withKnownNames } from './name-changes';
import type { NameChange } from './name-changes';
import { countForChange, isReportOf, judgeRecordTime } from './record-dating';
import type { BaseChange, ReceiptBase, TimeBase, ToldRecord } from './record-dating';

/** The state that the records of a unit give, in the order of their own times. */
export interface StoryState {
  identity: UnitIdentity;
  memory: UnitMemory;
  /** Flags of records and of fixes. */
  tracks: readonly FlagTrack[];
  /** The last known value of each of its names, and the changes of names. */
  names: Pick<UnitIdentity, 'deviceId' | 'truckNumber' | 'plateState' | 'plateNumber'>;
  changes: readonly NameChange[];
  atMs: number;
}

export interface UnitStory extends Timeline<StoryState, ToldRecord>, TimeBase {}

/** Flags of a record that concern its fix; the others concern the answer or the vehicle. */
const OF_FIX = flagBit('noPosition') | flagBit('clockFault');
const CLOCK = flagBit('clockFault');
const DUPLICATE = flagBit('duplicateVin');
const JUMP = flagBit('impossibleJump');
const FROZEN = flagBit('frozenPosition');

export const createStory = (identity: UnitIdentity): UnitStory => {
  const { state, before, told, isCut } = createTimeline<StoryState, ToldRecord>({
    identity,
    memory: EMPTY_MEMORY,
    tracks: NO_TRACKS,
    names: identity,
    changes: NO_CHANGES,
    atMs: -Infinity,
  });
  // Spelled out, because V8 keeps fields after a spread in a separate list for each unit.
  return { state, before, told, isCut, last: null, held: null, receipt: null, change: null };
};

/** One shared empty list, so that each stored record does not allocate its own. */
const NO_FLAGS: readonly FlagEvidence[] = [];

const toMask = (flags: readonly FlagEvidence[]): number =>
  flags.length === 0 ? 0 : toFlagMask(flags.map(({ flag }) => flag));

/** The last clock fault of a unit whose newest record has none. */
const toClockWords = (tracks: readonly FlagTrack[], { fixAtMs, atMs }: ToldRecord): string => {
  const lagMs = fixAtMs === null ? 0 : atMs - fixAtMs;
  return lagMs > CLOCK_TOLERANCE_MS
    ? `Its reports give times ${toSpanWords(lagMs)} before they are received.`
    : (tracks.find(({ flag }) => flag === 'clockFault')?.words ?? '');
};

const tellFlags = (
  tracks: readonly FlagTrack[],
  memory: UnitMemory,
  record: ToldRecord,
  motion: MotionSettings,
): readonly FlagTrack[] => {
  const { flags, atMs } = record;
  let found = toMask(flags) & OF_FIX;
  if (memory.isByReceipt) found |= CLOCK;
  if (memory.doubtful) found |= JUMP;
  if (memory.frozen && memory.frozen.fixes >= motion.frozenFixes) found |= FROZEN;
  if (found === 0 && tracks.length === 0) return tracks;
  const wordsOf = (flag: Flag): string => {
    if (flag === 'impossibleJump') return toJumpWords(memory);
    if (flag === 'frozenPosition') return toFrozenWords(memory.frozen);
    const words = flags.find((evidence) => evidence.flag === flag)?.words;
    return words ?? (flag === 'clockFault' ? toClockWords(tracks, record) : '');
  };
  return stepFlags(tracks, found, atMs, motion.flags, wordsOf);
};

const observeRecord = (memory: UnitMemory, record: ToldRecord, motion: MotionSettings): UnitMemory => {
  const { lat, lng, atMs, dating, hasPlace } = record;
  if (!hasPlace || dating === 'flagsOnly') return memory;
  const position = dating === 'receipt' ? { lat, lng, fixAtMs: atMs, isByReceipt: true } : record;
  return observeFix(memory, position, atMs, motion);
};

const createFold =
  (motion: MotionSettings) =>
  (state: StoryState, record: ToldRecord): StoryState => {
    const { atMs, identity, flags } = record;
    const memory = observeRecord(state.memory, record, motion);
    const tracks = tellFlags(state.tracks, memory, record, motion);
    // With two records of one VIN the newer fix wins, which alternates between them: no change of names.
    const isNamed = identity !== state.identity && !(toMask(flags) & DUPLICATE);
    if (!isNamed || state.atMs === -Infinity) {
      const names = state.atMs === -Infinity ? identity : state.names;
      return { identity, memory, tracks, names, changes: state.changes, atMs };
    }
    return {
      identity,
      memory,
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

/**
 * Whether a record repeats another one; a clock fault depends on our clock and is left out of the comparison.
 */
const isUnchanged = (record: ToldRecord, unit: TrackedUnit): boolean =>
  isReportOf(record, unit) &&
  isSameIdentity(record.identity, unit.identity) &&
  ((record.flags.length === 0 && unit.flags.length === 0) ||
    ((toMask(record.flags) ^ toMask(unit.flags)) & ~CLOCK) === 0);

export interface Telling {
  motion: MotionSettings;
  fold: (state: StoryState, record: ToldRecord) => StoryState;
}

/** How records are applied under these settings; made once for each answer. */
export const createTelling = (motion: MotionSettings): Telling => ({ motion, fold: createFold(motion) });

const toRecord = ({ position, fixAtMs, otherAtMs, flags, identity }: TrackedUnit): ToldRecord => ({
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
});

/** Dates the unit by another clock from this record on, and from the first one that supported that clock. */
const changeBase = (
  story: UnitStory,
  { to, first, inserted }: BaseChange,
  record: ToldRecord,
  nowMs: number,
  { motion, fold }: Telling,
): void => {
  const { held, receipt, told, before } = story;
  if (inserted.length > 0)
    retell(
      story,
      before,
      told.filter((each) => !inserted.includes(each)),
      fold,
    );
  const isOwn = to === 'own';
  const lagMs = record.fixAtMs === null ? null : nowMs - record.fixAtMs;
  story.receipt = isOwn ? null : { soundAtMs: receipt?.soundAtMs ?? held?.fixAtMs ?? -Infinity, lagMs };
  story.change = null;
  story.held = record;
  record.dating = to;
  record.atMs = isOwn && record.fixAtMs !== null ? record.fixAtMs : nowMs;
  // Times of two clocks cannot be ordered.
  if (isOwn === (receipt !== null)) {
    letGo(story);
    tell(story, first, fold, motion.lateFixes);
  }
  tell(story, record, fold, motion.lateFixes);
};

/** Applies one record of a unit; true where it added anything new. */
export const tellRecord = (story: UnitStory, unit: TrackedUnit, nowMs: number, telling: Telling): boolean => {
  const { motion, fold } = telling;
  const { told, state, held, change } = story;
  const newest = told[told.length - 1];
  if (story.last && isUnchanged(story.last, unit)) return false;
  const record = toRecord(unit);
  story.last = record;
  if (newest && isUnchanged(newest, unit)) return false;
  if (change && isUnchanged(change.last, unit)) return false;
  if (isSameIdentity(state.identity, record.identity)) record.identity = state.identity;

  const hasClockFault = (toMask(record.flags) & CLOCK) !== 0;
  const { dating, favors } = judgeRecordTime(story, state.memory.track, record, hasClockFault, nowMs, motion);
  record.dating = dating;
  record.atMs = dating === 'own' && record.fixAtMs !== null ? record.fixAtMs : nowMs;
  if (favors === 'held') story.change = null;
  else if (favors !== null && countForChange(story, favors, record, nowMs, motion)) {
    changeBase(story, story.change!, record, nowMs, telling);
    return true;
  }

  const isNewer = held?.fixAtMs == null || record.fixAtMs === null || record.fixAtMs > held.fixAtMs;
  if (dating === 'own' && isNewer) story.held = record;
  if (dating === 'receipt' && favors === 'held') {
    story.held = record;
    story.receipt!.lagMs = record.fixAtMs === null ? null : nowMs - record.fixAtMs;
  }
  if (dating === 'own' && favors === 'receipt' && !isNewer && story.change)
    story.change.inserted = [...story.change.inserted, record];
  tell(story, record, fold, motion.lateFixes);
  return story.state !== state;
};

const retellByReceipt = (story: UnitStory, receipt: ReceiptBase, stepMs: number, { fold }: Telling): void => {
  const { before } = story;
  if (receipt.lagMs !== null) receipt.lagMs += stepMs;
  const memory = before.memory.isByReceipt ? shiftTimes(before.memory, stepMs) : before.memory;
  const tracks = shiftTracks(before.tracks, stepMs);
  const told = story.told.map((record) => ({ ...record, atMs: record.atMs + stepMs }));
  retell(story, { ...before, memory, tracks }, told, fold);
};

/**
 * Replays the held records after our clock was set by `stepMs` and now reads `nowMs`: a time that was refused
 * may have been right, one that was accepted may lie ahead, and records without a time were dated by our
 * clock.
 */
export const retellRecords = (story: UnitStory, stepMs: number, nowMs: number, telling: Telling): void => {
  story.change = null;
  if (story.told.length === 0) return;
  if (story.receipt) return retellByReceipt(story, story.receipt, stepMs, telling);
  const { motion, fold } = telling;
  const redate = (record: ToldRecord): ToldRecord => {
    const { dating, fixAtMs, atMs } = record;
    if (dating !== 'flagsOnly') {
      if (isUsableTime(fixAtMs, nowMs, motion)) return { ...record, dating: 'own', atMs: fixAtMs };
      if (dating === 'own') return { ...record, dating: 'untimed', atMs: nowMs };
    }
    return { ...record, atMs: atMs + stepMs };
  };
  const told = story.told.map(redate);
  told.sort((a, b) => a.atMs - b.atMs);
  const { before } = story;
  const isRefused = before.memory.untimed !== null;
  const from = isRefused ? { ...before, memory: { ...before.memory, untimed: null } } : before;
  retell(story, from, told, fold);
};
