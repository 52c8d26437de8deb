import 'server-only';
import { CLOCK_TOLERANCE_MS, toUtcWords } from './normalise-time';
import type { SalvageNotes } from './salvage';
import type { TrackedUnit } from './unit';

/** Orders records of one unit: by their fix, one from the future before none and after every other. */
const toRank = (unit: TrackedUnit, nowMs: number): number => {
  if (unit.position === null || unit.fixAtMs === null) return -Infinity;
  return unit.fixAtMs > nowMs + CLOCK_TOLERANCE_MS ? -Number.MAX_VALUE : unit.fixAtMs;
};

const toNameWords = ({ identity, fixAtMs }: TrackedUnit): string => {
  const name =
    identity.deviceId === null ? `truck ${identity.truckNumber ?? 'unnamed'}` : `device ${identity.deviceId}`;
  return fixAtMs === null ? `${name} without a time` : `${name} at ${toUtcWords(fixAtMs)}`;
};

/** One unit a key: of several records the newest fix wins, and a VIN that was given twice is flagged. */
export const mergeDuplicates = (
  units: readonly TrackedUnit[],
  nowMs: number,
  notes: SalvageNotes,
): TrackedUnit[] => {
  const keptByKey = new Map<string, TrackedUnit>();
  const othersByKey = new Map<string, TrackedUnit[]>();
  for (const unit of units) {
    const { key } = unit.identity;
    const kept = keptByKey.get(key);
    if (kept === undefined) {
      keptByKey.set(key, unit);
      continue;
    }
    notes.dropped(`unit ${key}`, 'another record of the same unit has a newer fix');
    const isNewer = toRank(unit, nowMs) > toRank(kept, nowMs);
    othersByKey.set(key, [...(othersByKey.get(key) ?? []), isNewer ? kept : unit]);
    if (isNewer) keptByKey.set(key, unit);
  }
  return Array.from(keptByKey.values(), (kept) => {
    const others = othersByKey.get(kept.identity.key);
    const other = others?.[0];
    if (!others || !other || kept.identity.key !== kept.identity.vin) return kept;
    const words = `The provider lists this VIN ${others.length + 1} times: also as ${toNameWords(other)}.`;
    return { ...kept, flags: [...kept.flags, { flag: 'duplicateVin', words }] };
  });
};
