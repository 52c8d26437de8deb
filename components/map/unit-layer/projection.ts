import { DEGREES_PER_E5 } from '@/lib/wire/fleet';

/** Side of the whole world at a zoom, CSS pixels. */
export const worldSizePx = (zoom: number): number => 256 * 2 ** zoom;

/** Web Mercator x of a longitude: 0 at 180° W, 1 at 180° E. */
export const toMercatorX = (lng: number): number => lng / 360 + 0.5;

/** Web Mercator y of a latitude: 0 in the north, 1 in the south. EPSG:3857, scaled to one. */
export const toMercatorY = (lat: number): number => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};

export const toLng = (x: number): number => (x - 0.5) * 360;

export const toLat = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

export const mercatorXOfE5 = (lngE5: number): number => toMercatorX(lngE5 * DEGREES_PER_E5);

export const mercatorYOfE5 = (latE5: number): number => toMercatorY(latE5 * DEGREES_PER_E5);
