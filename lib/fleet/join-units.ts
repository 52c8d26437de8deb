import 'server-only';
import type { FlagTrack } from '@/lib/motion/flag-hysteresis';
import { joinMotion } from '@/lib/motion/rebase';
import { replay } from '@/lib/motion/timeline';
import type { FormerKey } from './poll-changes';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { observeNames, withKnownNames } from './unit/name-changes';
import type { UnitRecord } from './unit/unit-record';
import type { HistoryState, HistoryRules } from './unit/unit-history';

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

/**
 * Merges the history of `twin` into `unit`: both are one vehicle, and the twin's history is newer. The twin,
 * whose row is freed, is not changed.
 */
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
