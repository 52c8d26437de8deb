import 'server-only';
import { distanceM } from '@/lib/motion/distance';
import { newestOf } from '@/lib/motion/track';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { toSharedKey } from '@/lib/wire/unit-names';
import type { UnitRecord } from '../unit/unit-record';

/**
 * The most pairs of a record and a unit that are compared for one shared name; above it, records keep the
 * answer's numbers.
 */
const MOST_PAIRS = 250_000;

/**
 * Matches records that only a number distinguishes (`numbered`: indexes by the key that they share) with the
 * known units of the same shared key: each with the nearest from which it may have driven there, so that a
 * unit keeps its row in whatever order the provider lists them. Calls `take` for each record that is matched.
 */
export const matchNumbered = (
  units: readonly TrackedUnit[],
  numbered: ReadonlyMap<string, readonly number[]>,
  { records, rowOf }: { records: readonly (UnitRecord | null)[]; rowOf: ReadonlyMap<string, number> },
  isElsewhere: (record: UnitRecord, unit: TrackedUnit) => boolean,
  take: (index: number, row: number) => void,
): void => {
  const rowsByKey = new Map<string, Set<number>>();
  records.forEach((record, row) => {
    const shared = record && toSharedKey(record.story.state.identity.key);
    if (shared && numbered.has(shared)) rowsByKey.set(shared, (rowsByKey.get(shared) ?? new Set()).add(row));
  });
  const findNearest = (unit: TrackedUnit, rows: ReadonlySet<number>): number => {
    let [nearest, nearestM] = [-1, Infinity];
    for (const row of rows) {
      const record = records[row]!;
      const held = newestOf(record.story.state.memory.track);
      if (!held || !unit.position || isElsewhere(record, unit)) continue;
      const apartM = distanceM(held, unit.position);
      if (apartM < nearestM) [nearest, nearestM] = [row, apartM];
    }
    return nearest;
  };
  for (const [shared, indexes] of numbered) {
    const rows = rowsByKey.get(shared) ?? new Set();
    const isLarge = rows.size * indexes.length > MOST_PAIRS;
    for (const i of indexes) {
      const unit = units[i]!;
      const isByNumber = isLarge || unit.position === null;
      const row = isByNumber ? (rowOf.get(unit.identity.key) ?? -1) : findNearest(unit, rows);
      // A row that has left the candidates belongs to another record of this answer.
      if (!rows.delete(row)) continue;
      take(i, row);
    }
  }
};
