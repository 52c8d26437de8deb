import 'server-only';
import { readFixes, type RecordedUnit } from './recorded-units';
import { isOutOfReach } from '@/lib/motion/leg';
import type { MotionSettings } from '@/lib/motion/settings';
import { newestOf } from '@/lib/motion/track';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { NAME_KINDS, nameOf, toPlainName } from '@/lib/wire/unit-names';
import type { UnitRecord } from './unit/unit-record';

/** A unit and its record may differ by this much without motion. */
const SLACK_M = 1000;

/** The device, truck number and plate as one text; null where there is none. */
const toNamesText = (identity: UnitIdentity): string | null => {
  const names = NAME_KINDS.map((kind) => nameOf(identity, kind));
  return names.every((name) => name === null)
    ? null
    : JSON.stringify(names.map((name) => name && toPlainName(name)));
};

/** Units by all of their names. */
export type UnitsByNames = ReadonlyMap<string, readonly UnitRecord[]>;

/** The listed units whose keys were never recorded, by their names. */
export const indexUnrecorded = (
  records: readonly (UnitRecord | null)[],
  recordedKeys: ReadonlySet<string>,
): UnitsByNames => {
  const index = new Map<string, UnitRecord[]>();
  for (const record of records) {
    if (!record?.isListed || recordedKeys.has(record.history.state.identity.key)) continue;
    const names = toNamesText(record.history.state.identity);
    if (names !== null) index.set(names, [...(index.get(names) ?? []), record]);
  }
  return index;
};

/**
 * The one unit that has all names of a recorded one, which the provider listed last, and may have come from its last place:
 * then the VIN of that one was corrected while nothing was polled. Null where there is none, or more than one.
 */
export const findCorrected = (
  { identity, state, fixes }: RecordedUnit,
  readUnrecorded: () => UnitsByNames,
  motion: MotionSettings,
): UnitRecord | null => {
  if (identity === null || state === null || state.reason.startsWith('vanished')) return null;
  const names = toNamesText(JSON.parse(identity) as UnitIdentity);
  const [record, ...others] = (names !== null && readUnrecorded().get(names)) || [];
  if (record === undefined || others.length > 0 || record.former !== null) return null;
  const [held, at] = [readFixes(fixes).at(-1) ?? state.fix, newestOf(record.history.state.motionState.track)];
  if (!held || !at) return record;
  return isOutOfReach(held, at, at.fixAtMs - held.fixAtMs, SLACK_M, motion) ? null : record;
};
