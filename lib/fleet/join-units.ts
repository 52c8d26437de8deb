import 'server-only';
import type { FlagTrack } from '@/lib/motion/flag-hysteresis';
import { joinMotion } from '@/lib/motion/rebase';
import { replay } from '@/lib/motion/timeline';
import type { FormerKey } from './poll-changes';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { observeNames, withKnownNames } from './unit/name-changes';
import type { UnitRecord } from './unit/unit-record';
import type { HistoryState, HistoryRules } from './unit/unit-history';
import { readFixes, type RecordedUnit } from './recorded-units';
import { isOutOfReach } from '@/lib/motion/leg';
import type { MotionSettings } from '@/lib/motion/settings';
import { newestOf } from '@/lib/motion/track';
import { NAME_KINDS, type Names, compareNames, toPlainKey, toSharedKey } from '@/lib/wire/unit-names';
import { addTo } from '@/lib/base/maps';

/** The flags of both, each with its first finding. */
const joinTracks = (older: readonly FlagTrack[], newer: readonly FlagTrack[]): readonly FlagTrack[] => {
  if (older.length === 0) return newer;
  const added = newer.filter(({ flag }) => !older.some((track) => track.flag === flag));
  const joined = older.map((track) => {
    const next = newer.find(({ flag }) => flag === track.flag);
    return next ? { ...next, sinceMs: track.sinceMs, isUp: track.isUp || next.isUp } : track;
  });
  return [...joined, ...added];
};

const joinStates = (
  older: HistoryState,
  newer: HistoryState,
  startedAtMs: number,
  { motion }: HistoryRules,
): HistoryState => {
  if (newer.atMs === -Infinity) return older;
  if (older.atMs === -Infinity) return newer;
  const { enterMs } = motion.flags.identityChange;
  return {
    ...newer,
    motionState: joinMotion(older.motionState, newer.motionState, startedAtMs, motion),
    tracks: joinTracks(older.tracks, newer.tracks),
    names: withKnownNames(older.names, newer.names),
    changes: [
      ...observeNames(older.changes, older.names, newer.names, older.atMs, startedAtMs, enterMs),
      ...newer.changes,
    ],
  };
};

/** Merges the newer history of `twin`, which is the same vehicle, into `unit`; the twin is not changed. */
export const joinUnits = (
  unit: UnitRecord,
  twin: UnitRecord,
  identity: UnitIdentity,
  former: FormerKey,
  rules: HistoryRules,
): void => {
  const { key, vin } = identity;
  const rename = (from: UnitIdentity): UnitIdentity => ({ ...from, key, vin });
  const { before, records, isCut, held, heldLagMs, hasCutTimes, receipt } = twin.history;
  const { state, records: recordsBefore } = unit.history;
  const joined = joinStates(state, { ...before, identity: rename(before.identity) }, twin.sinceMs, rules);
  const renamed = records.map((record) => ({ ...record, identity: rename(record.identity) }));
  unit.history.isCut = isCut || recordsBefore.length > 0;
  replay(unit.history, joined, renamed, rules.fold);
  // A change of clocks in progress is counted from its start again: its records carry the twin's key.
  unit.history.held = held && { ...held, identity: rename(held.identity) };
  unit.history.heldLagMs = heldLagMs;
  unit.history.hasCutTimes = hasCutTimes;
  unit.history.receipt = receipt;
  unit.history.change = null;
  unit.tracks = joinTracks(unit.tracks, twin.tracks);
  unit.moves = [...unit.moves, ...twin.moves];
  unit.former = former;
  unit.carrier ??= twin.carrier;
  if (!unit.isListed) unit.sinceMs = twin.sinceMs;
  unit.isListed ||= twin.isListed;
  unit.missingSinceMs = Infinity;
  unit.rewriteAtMs = -Infinity;
};

/** A unit and its record may differ by this much without motion. */
const SLACK_M = 1000;

/** Units by each of their names. */
export type UnitsByNames = ReadonlyMap<string, readonly UnitRecord[]>;

const toNameKeys = (names: Names): string[] => NAME_KINDS.flatMap((kind) => toPlainKey(names, kind) ?? []);

/** The listed units whose keys were never recorded, by their names. */
export const indexUnrecorded = (
  records: readonly (UnitRecord | null)[],
  recordedKeys: ReadonlySet<string>,
): UnitsByNames => {
  const index = new Map<string, UnitRecord[]>();
  for (const record of records) {
    if (!record?.isListed || recordedKeys.has(record.history.state.identity.key)) continue;
    for (const name of toNameKeys(record.history.state.identity)) addTo(index, name, record);
  }
  return index;
};

/** Whether a unit has all names of one with a VIN, or has a VIN and none but the names of one without. */
const haveNamesOf = (known: UnitIdentity, identity: UnitIdentity): boolean =>
  known.key === known.vin
    ? toNameKeys(known).join() === toNameKeys(identity).join()
    : identity.key === identity.vin && compareNames(known, identity).different === 0;

/**
 * The one unit with the names of a recorded one that was listed last, whose VIN was corrected or became known while
 * nothing was polled; null for none, or more than one.
 */
export const findCorrected = (
  { identity, state, fixes }: RecordedUnit,
  readUnrecorded: () => UnitsByNames,
  motion: MotionSettings,
): UnitRecord | null => {
  if (identity === null || state === null || state.reason.startsWith('vanished')) return null;
  const known = JSON.parse(identity) as UnitIdentity;
  // Only a number tells it from others with its name.
  if (toSharedKey(known.key) !== null) return null;
  const [record, ...others] = new Set(
    toNameKeys(known)
      .flatMap((name) => readUnrecorded().get(name) ?? [])
      .filter(({ history }) => haveNamesOf(known, history.state.identity)),
  );
  if (record === undefined || others.length > 0 || record.former !== null) return null;
  const [held, at] = [readFixes(fixes).at(-1) ?? state.fix, newestOf(record.history.state.motionState.track)];
  if (!held || !at) return record;
  return isOutOfReach(held, at, at.fixAtMs - held.fixAtMs, SLACK_M, motion) ? null : record;
};
