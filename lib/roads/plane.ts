import type { LatLng } from '@/lib/wire/units';

/** Metres in one degree of latitude, on the sphere of lib/motion. */
export const M_PER_DEG_LAT = 111_195;
const RADIANS_PER_DEG = Math.PI / 180;

/** Where on a chord (0 at its start, 1 at its end) a point comes nearest, and how far off it stays. */
export interface Projection {
  fraction: number;
  offM: number;
}

/** Projects a point on the chord from `a` to `b`, on a plane scaled at the point: good below about 200 km. */
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

/** Where the chords a–b and c–d cross, as fractions of each; null where they do not, or run parallel. */
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
