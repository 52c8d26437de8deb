import 'server-only';
import { NO_TRACKS, stepFlags } from '@/lib/motion/flag-hysteresis';
import type { FlagTrack } from '@/lib/motion/flag-hysteresis';
import { EMPTY_MEMORY } from '@/lib/motion/memory';
import type { UnitMemory } from '@/lib/motion/memory';
import { isUsableTime, observeFix } from '@/lib/motion/observe';
import type { MotionSettings } from '@/lib/motion/settings';
import { createTimeline, retell, tell } from '@/lib/motion/timeline';
import type { Timeline } from '@/lib/motion/timeline';
import type { TrackedUnit } from '@/lib/tracking/unit';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { flagBit, toFlagMask } from '@/lib/wire/status';
import type { Flag } from '@/lib/wire/status';
import type { FlagEvidence } from '@/lib/wire/unit';
import { toFrozenWords, toJumpWords } from './motion-words';
import { NO_CHANGES, observeNames, withKnownNames } from './name-changes';
import type { NameChange } from './name-changes';

/** One record of a unit as it is remembered; `lat` and `lng` mean nothing where it has no place. */
interface ToldRecord {
  /** Its fix's time where that can be believed, else when it came. */
  atMs: number;
  lat: number;
  lng: number;
  fixAtMs: number | null;
  hasPlace: boolean;
  flags: readonly FlagEvidence[];
  identity: UnitIdentity;
}

/** What the records of a unit come to, in the order of their own times. */
interface StoryState {
  identity: UnitIdentity;
  memory: UnitMemory;
  /** Flags that records and fixes tell. */
  tracks: readonly FlagTrack[];
  /** The last known of each of its names, and what became another. */
  names: Pick<UnitIdentity, 'deviceId' | 'truckNumber' | 'plateState' | 'plateNumber'>;
  changes: readonly NameChange[];
  atMs: number;
}

export type UnitStory = Timeline<StoryState, ToldRecord>;

/** Flags of a record that say something of its fix; the others say something of the answer or of the vehicle. */
const OF_FIX = flagBit('noPosition') | flagBit('clockFault');
const DUPLICATE = flagBit('duplicateVin');
const JUMP = flagBit('impossibleJump');
const FROZEN = flagBit('frozenPosition');

export const createStory = (identity: UnitIdentity): UnitStory =>
  createTimeline<StoryState, ToldRecord>({
    identity,
    memory: EMPTY_MEMORY,
    tracks: NO_TRACKS,
    names: identity,
    changes: NO_CHANGES,
    atMs: -Infinity,
  });

/** One list for all that say nothing, so that a record kept is not a list kept. */
const NO_FLAGS: readonly FlagEvidence[] = [];

const toMask = (flags: readonly FlagEvidence[]): number =>
  flags.length === 0 ? 0 : toFlagMask(flags.map(({ flag }) => flag));

const tellFlags = (
  tracks: readonly FlagTrack[],
  memory: UnitMemory,
  { flags, atMs }: ToldRecord,
  motion: MotionSettings,
): readonly FlagTrack[] => {
  let found = toMask(flags) & OF_FIX;
  if (memory.doubtful) found |= JUMP;
  if (memory.frozen && memory.frozen.fixes >= motion.frozenFixes) found |= FROZEN;
  if (found === 0 && tracks.length === 0) return tracks;
  const wordsOf = (flag: Flag): string => {
    if (flag === 'impossibleJump') return toJumpWords(memory);
    if (flag === 'frozenPosition') return toFrozenWords(memory.frozen);
    return flags.find((evidence) => evidence.flag === flag)?.words ?? '';
  };
  return stepFlags(tracks, found, atMs, motion.flags, wordsOf);
};

const createFold =
  (motion: MotionSettings) =>
  (state: StoryState, record: ToldRecord): StoryState => {
    const { atMs, identity, flags } = record;
    const memory = record.hasPlace ? observeFix(state.memory, record, atMs, motion) : state.memory;
    const tracks = tellFlags(state.tracks, memory, record, motion);
    // Of two records with one VIN the newer fix wins, now the one and now the other: no change of names.
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

/** Spelt out, because it runs for every unit of every answer. */
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

/** Whether a record says what the newest one said. A time that cannot be believed is no news at its next telling. */
const isToldAgain = (
  newest: ToldRecord,
  { identity, position, fixAtMs, flags }: TrackedUnit,
  atMs: number,
): boolean =>
  newest.fixAtMs === fixAtMs &&
  (atMs === fixAtMs ||
    (newest.hasPlace
      ? position !== null && newest.lat === position.lat && newest.lng === position.lng
      : position === null)) &&
  isSameIdentity(newest.identity, identity) &&
  ((newest.flags.length === 0 && flags.length === 0) || toMask(newest.flags) === toMask(flags));

export interface Telling {
  motion: MotionSettings;
  fold: (state: StoryState, record: ToldRecord) => StoryState;
}

/** How records are told under these settings; made once for each answer. */
export const createTelling = (motion: MotionSettings): Telling => ({ motion, fold: createFold(motion) });

/** Tells one record of a unit; true when it said anything new. */
export const tellRecord = (
  story: UnitStory,
  unit: TrackedUnit,
  nowMs: number,
  { motion, fold }: Telling,
): boolean => {
  const { position, fixAtMs, flags } = unit;
  const atMs = isUsableTime(fixAtMs, nowMs, motion) ? fixAtMs : nowMs;
  const newest = story.told[story.told.length - 1];
  if (newest && isToldAgain(newest, unit, atMs)) return false;
  const { state } = story;
  const isCalledSo = isSameIdentity(state.identity, unit.identity);
  tell(
    story,
    {
      atMs,
      lat: position?.lat ?? 0,
      lng: position?.lng ?? 0,
      fixAtMs,
      hasPlace: position !== null,
      flags: flags.length === 0 ? NO_FLAGS : flags,
      identity: isCalledSo ? state.identity : unit.identity,
    },
    fold,
    motion.lateFixes,
  );
  return story.state !== state;
};

/**
 * Tells the records that are held once more after our clock was set by `stepMs` and says `nowMs`: a time that was
 * refused may have been right, one that was believed may lie ahead, and what had none was dated by our clock.
 */
export const retellRecords = (
  story: UnitStory,
  stepMs: number,
  nowMs: number,
  { motion, fold }: Telling,
): void => {
  if (story.told.length === 0) return;
  const redate = (record: ToldRecord): number => {
    if (isUsableTime(record.fixAtMs, nowMs, motion)) return record.fixAtMs;
    return record.atMs === record.fixAtMs ? nowMs : record.atMs + stepMs;
  };
  const told = story.told.map((record) => ({ ...record, atMs: redate(record) }));
  told.sort((a, b) => a.atMs - b.atMs);
  const { before } = story;
  const isRefused = before.memory.untimed !== null;
  const from = isRefused ? { ...before, memory: { ...before.memory, untimed: null } } : before;
  retell(story, from, told, fold);
};
