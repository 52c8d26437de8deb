import { HIDDEN, type PlottedUnits, type View } from '@/components/map/unit-layer/scene/glyphs';
import { toMercatorX, toMercatorY } from '@/lib/geo/projection';

/** Random numbers in [0, 1) from a seed: mulberry32, by Tommy Ettinger, in the public domain. */
export const createRandom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

/** The center of most random units: Dallas. */
const CROWD = { lat: 32.78, lng: -96.8 };

/** Units over the United States, two thirds of them crowded about CROWD at every scale from 50 m up. */
export const createRandomUnits = (rows: number, seed = 1): PlottedUnits => {
  const random = createRandom(seed);
  const units: PlottedUnits = {
    rows,
    x: new Float64Array(rows),
    y: new Float64Array(rows),
    rank: new Uint8Array(rows),
    plotted: 0,
  };
  for (let row = 0; row < rows; row++) {
    const spread = 10 ** (-3.3 + 4.3 * random());
    const isCrowded = random() < 0.66;
    const lat = isCrowded ? CROWD.lat + (random() - 0.5) * spread : 26 + 22 * random();
    const lng = isCrowded ? CROWD.lng + (random() - 0.5) * spread : -123 + 50 * random();
    units.x[row] = toMercatorX(lng);
    units.y[row] = toMercatorY(lat);
    const dice = random();
    // Out of a hundred: one flagged, one late, one silent, two unknown, two hidden, the rest moving or
    // stopped.
    const rank =
      dice < 0.01
        ? 6
        : dice < 0.02
          ? 5
          : dice < 0.03
            ? 4
            : dice < 0.05
              ? 1
              : dice < 0.07
                ? HIDDEN
                : dice < 0.7
                  ? 3
                  : 2;
    units.rank[row] = rank;
    if (rank !== HIDDEN) units.plotted++;
  }
  return units;
};

/** A view of 1600 × 900 px, or of the given size, around a position. */
export const createView = (zoom: number, { lat, lng } = CROWD, width = 1600, height = 900): View => {
  const worldSizePx = 256 * 2 ** zoom;
  return {
    left: toMercatorX(lng) * worldSizePx - width / 2,
    top: toMercatorY(lat) * worldSizePx - height / 2,
    width,
    height,
    worldSizePx,
  };
};
