import { interpolate } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';

/** The points of a road in order. `at` locates a position on it: the index of a point plus a fraction of the chord after it. */
export type Chain = readonly LatLng[];

/** Meters in one degree of latitude, on the sphere of lib/motion. */
const M_PER_DEG_LAT = 111_195;
const RADIANS_PER_DEG = Math.PI / 180;

/** The point of a chord nearest to a given point, as a fraction from its start (0) to its end (1), and its distance. */
interface Projection {
  fraction: number;
  offM: number;
}

/** Projects a point onto the chord from `a` to `b`, on a plane scaled at the point: good below about 200 km. */
export const projectOnChord = (point: LatLng, a: LatLng, b: LatLng): Projection => {
  const mPerDegLng = M_PER_DEG_LAT * Math.cos(point.lat * RADIANS_PER_DEG);
  const ax = (a.lng - point.lng) * mPerDegLng;
  const ay = (a.lat - point.lat) * M_PER_DEG_LAT;
  const dx = (b.lng - a.lng) * mPerDegLng;
  const dy = (b.lat - a.lat) * M_PER_DEG_LAT;
  const squared = dx * dx + dy * dy;
  const fraction = squared === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / squared));
  return { fraction, offM: Math.hypot(ax + dx * fraction, ay + dy * fraction) };
};

/** The crossing of the chords a–b and c–d as fractions of each; null where they do not cross or are parallel. */
export const crossChords = (a: LatLng, b: LatLng, c: LatLng, d: LatLng): [number, number] | null => {
  if (Math.max(a.lat, b.lat) < Math.min(c.lat, d.lat) || Math.max(c.lat, d.lat) < Math.min(a.lat, b.lat))
    return null;
  // Straight in degrees, as the roads are drawn: no scaling is needed to find a crossing.
  const rx = b.lng - a.lng;
  const ry = b.lat - a.lat;
  const sx = d.lng - c.lng;
  const sy = d.lat - c.lat;
  const cross = rx * sy - ry * sx;
  if (cross === 0) return null;
  const first = ((c.lng - a.lng) * sy - (c.lat - a.lat) * sx) / cross;
  const second = ((c.lng - a.lng) * ry - (c.lat - a.lat) * rx) / cross;
  return first >= 0 && first <= 1 && second >= 0 && second <= 1 ? [first, second] : null;
};

/** The point of a chain at `at`; throws a RangeError outside the chain. */
export const pointAt = (chain: Chain, at: number): LatLng => {
  const index = Math.floor(at);
  const start = chain[index];
  if (!start) throw new RangeError(`Got index ${at} on a chain of ${chain.length} points.`);
  return interpolate(start, chain[index + 1] ?? start, at - index);
};

/** The position on a chain nearest to a point, and its distance: Infinity where that is over `withinM`. */
export const nearestOnChain = (
  chain: Chain,
  point: LatLng,
  withinM: number,
): { at: number; offM: number } => {
  const marginDeg = withinM / M_PER_DEG_LAT;
  let nearest = { at: 0, offM: Infinity };
  for (let index = 0; index + 1 < chain.length; index += 1) {
    const a = chain[index]!;
    const b = chain[index + 1]!;
    // Most chords lie far to the north or south: skip them before any trigonometry.
    if (Math.min(a.lat, b.lat) - point.lat > marginDeg || point.lat - Math.max(a.lat, b.lat) > marginDeg)
      continue;
    const { fraction, offM } = projectOnChord(point, a, b);
    if (offM <= withinM && offM < nearest.offM) nearest = { at: index + fraction, offM };
  }
  return nearest;
};
