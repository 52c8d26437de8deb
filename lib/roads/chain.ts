import { interpolate } from '@/lib/motion/interpolate';
import type { LatLng } from '@/lib/wire/units';
import { M_PER_DEG_LAT, projectOnChord } from './plane';

/** The points of a road in order. A place on it is `at`: the index of a point plus a fraction of the chord after it. */
export type Chain = readonly LatLng[];

/** The point of a chain at `at`; throws where there is none. */
export const pointAt = (chain: Chain, at: number): LatLng => {
  const index = Math.floor(at);
  const start = chain[index];
  if (!start) throw new RangeError(`Got place ${at} on a chain of ${chain.length} points.`);
  return interpolate(start, chain[index + 1] ?? start, at - index);
};

/** Where on a chain a point comes nearest, and how far off it stays: Infinity where that is over `withinM`. */
export const nearestOnChain = (
  chain: Chain,
  point: LatLng,
  withinM: number,
): { at: number; offM: number } => {
  const reachDeg = withinM / M_PER_DEG_LAT;
  let nearest = { at: 0, offM: Infinity };
  for (let index = 0; index + 1 < chain.length; index += 1) {
    const a = chain[index]!;
    const b = chain[index + 1]!;
    // Most chords lie far to the north or south: leave them out before any trigonometry.
    if (Math.min(a.lat, b.lat) - point.lat > reachDeg || point.lat - Math.max(a.lat, b.lat) > reachDeg)
      continue;
    const { fraction, offM } = projectOnChord(point, a, b);
    if (offM <= withinM && offM < nearest.offM) nearest = { at: index + fraction, offM };
  }
  return nearest;
};
