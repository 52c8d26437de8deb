import type { LatLng } from '@/lib/wire/units';

/** A longitude normalized to [-180, 180]. */
const wrapLng = (lng: number): number => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);

/**
 * The position at `fraction` of the way from `a` (0) to `b` (1), clamped to the two; the short way round the
 * antimeridian. Linear in degrees, which is enough for fixes a few minutes apart.
 */
export const interpolate = (a: LatLng, b: LatLng, fraction: number): LatLng => {
  const t = Math.min(1, Math.max(0, fraction));
  // The end points are returned exactly: a * 0 + b * 1 would round.
  if (t === 0) return { lat: a.lat, lng: a.lng };
  if (t === 1) return { lat: b.lat, lng: b.lng };
  return { lat: a.lat + (b.lat - a.lat) * t, lng: wrapLng(a.lng + wrapLng(b.lng - a.lng) * t) };
};
