import { toWorld, type Line, type NamedPoints } from '@/lib/geo/base-map/basemap-file';

type LngLat = readonly number[];

/** A line on the base map's grid; points that fall together there are one. Null when nothing is left to draw. */
export const toLine = (points: readonly LngLat[], minPoints: number): Line | null => {
  const line: Line = [];
  let [x, y] = [0, 0];
  for (const [lng, lat] of points) {
    const [nextX, nextY] = toWorld(lng!, lat!);
    if (line.length > 0 && nextX === x && nextY === y) continue;
    line.push(nextX - x, nextY - y);
    [x, y] = [nextX, nextY];
  }
  return line.length >= 2 * minPoints ? line : null;
};

export const toLines = (lines: readonly (readonly LngLat[])[], minPoints = 2): Line[] =>
  lines.map((points) => toLine(points, minPoints)).filter((line) => line !== null);

/**
 * A ring that crosses the antimeridian, as one that runs on beyond the edge of the map, and the same once
 * more a world away, so that both edges show their part of it. Other rings come back as they are.
 */
export const unrollRing = (ring: readonly LngLat[]): LngLat[][] => {
  let turned = 0;
  const unrolled = ring.map(([lng, lat], i) => {
    const step = lng! - (ring[i - 1]?.[0] ?? lng!);
    if (Math.abs(step) > 180) turned -= Math.sign(step) * 360;
    return [lng! + turned, lat!];
  });
  const shifts = new Set([0, ...unrolled.map(([lng]) => (lng! > 180 ? -360 : lng! < -180 ? 360 : 0))]);
  return [...shifts].map((shift) => unrolled.map(([lng, lat]) => [lng! + shift, lat!]));
};

const toDifferences = (values: readonly number[]): number[] =>
  values.map((value, i) => value - (values[i - 1] ?? 0));

export const toNamedPoints = (points: readonly { name: string; lng: number; lat: number }[]): NamedPoints => {
  const at = points.map((point) => toWorld(point.lng, point.lat));
  return {
    names: points.map((point) => point.name).join('\n'),
    x: toDifferences(at.map(([x]) => x)),
    y: toDifferences(at.map(([, y]) => y)),
  };
};
