import 'server-only';
import { distanceM } from '@/lib/geo/geodesy';
import { isOutOfReach } from '@/lib/motion/leg';
import type { MotionSettings } from '@/lib/motion/settings';
import { countFixes, fixOf, type Track } from '@/lib/motion/track';
import type { TrackedUnit } from '@/lib/tracking/unit';

/** A record of an answer and a unit that may be its own. */
export interface Pair {
  i: number;
  row: number;
  /** The distance from where the unit is expected to the record, m. */
  apartM: number;
}

/** No way is predicted for longer than this. */
const PREDICTED_MS = 15 * 60_000;
/** A receiver that stands wanders this far, and two trucks do not stand closer. */
const SAME_SPOT_M = 15;
/** A truck that drives on is this part of its way from where it is expected, at most. */
const OFF_ITS_WAY = 0.25;
/** A truck may have left its place since its last fix. */
const SLACK_M = 1000;

/**
 * How far, m, a record is from the unit's last fix or from where it drove on to; null: too far. One that is
 * `contradicted` by other names has to be just there.
 */
export const toApartM = (
  track: Track,
  { position, fixAtMs }: TrackedUnit,
  nowMs: number,
  contradicted: boolean,
  motion: MotionSettings,
): number | null => {
  const count = countFixes(track);
  if (count === 0 || position === null) return null;
  const held = fixOf(track, count - 1);
  const spanMs = Math.min(PREDICTED_MS, Math.max(0, (fixAtMs ?? nowMs) - held.fixAtMs));
  let apartM = distanceM(held, position);
  let wayM = 0;
  if (count > 1 && spanMs > 0) {
    const before = fixOf(track, count - 2);
    const legs = spanMs / (held.fixAtMs - before.fixAtMs);
    const expected = {
      lat: held.lat + legs * (held.lat - before.lat),
      lng: held.lng + legs * (held.lng - before.lng),
    };
    wayM = distanceM(held, expected);
    apartM = Math.min(apartM, distanceM(expected, position));
  }
  if (contradicted) return apartM > SAME_SPOT_M + OFF_ITS_WAY * wayM ? null : apartM;
  return isOutOfReach(held, position, spanMs, SLACK_M, motion) ? null : apartM;
};

/** The nearest and the second nearest pair of each record, or of each unit. */
const toNearest = (pairs: readonly Pair[], toKey: (pair: Pair) => number): Map<number, Pair[]> => {
  const nearest = new Map<number, Pair[]>();
  for (const pair of pairs) {
    const held = nearest.get(toKey(pair)) ?? [];
    nearest.set(toKey(pair), [...held, pair].sort((a, b) => a.apartM - b.apartM).slice(0, 2));
  }
  return nearest;
};

/** The pairs in which record and unit are each by far the nearest to the other. */
export const toClearPairs = (pairs: readonly Pair[]): Pair[] => {
  const [ofRecord, ofUnit] = [toNearest(pairs, ({ i }) => i), toNearest(pairs, ({ row }) => row)];
  const isClear = (pair: Pair, [first, second]: readonly Pair[]): boolean =>
    first === pair && (second === undefined || second.apartM >= 2 * pair.apartM + SAME_SPOT_M);
  return pairs.filter((pair) => isClear(pair, ofRecord.get(pair.i)!) && isClear(pair, ofUnit.get(pair.row)!));
};
