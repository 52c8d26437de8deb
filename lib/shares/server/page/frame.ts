import 'server-only';
import { WORLD_SIZE } from '@/lib/geo/base-map/basemap-file';
import { toMercatorX, toMercatorY } from '@/lib/geo/projection';
import type { LatLng } from '@/lib/geo/units';
import { EARTH_RADIUS_M } from '@/lib/geo/geodesy';

/** The size of a map in its own units, of which a phone shows two for each pixel and a desk one. */
export const WIDTH = 780;
export const HEIGHT = 600;

/** What a map shows of the world: the grid of the base map, and units of the drawing in one of the grid. */
export interface Frame {
  left: number;
  top: number;
  scale: number;
  zoom: number;
}

export interface Point {
  x: number;
  y: number;
}

/** Room for symbols and names at the edges. */
const PAD = { x: 110, y: 90 };
/** A zoom is a whole number of these, and the middle lies on a grid of so many to a map: it does not creep with a truck. */
const ZOOM_STEP = 0.25;
const STEPS_ACROSS = 12;
const DEEPEST = 11.5;
/** The zoom at a position with nothing else to show: some towns around. */
const ALONE = 9.5;

const toWorld = ({ lat, lng }: LatLng): Point => ({
  x: toMercatorX(lng) * WORLD_SIZE,
  y: toMercatorY(Math.max(-85, Math.min(85, lat))) * WORLD_SIZE,
});

const toScale = (zoom: number): number => (256 * 2 ** zoom) / WORLD_SIZE;

export const toPoint = ({ left, top, scale }: Frame, at: LatLng): Point => {
  const { x, y } = toWorld(at);
  return { x: (x - left) * scale, y: (y - top) * scale };
};

/** Units of the drawing in a meter at a latitude. */
export const unitsPerMeter = ({ scale }: Frame, { lat }: LatLng): number =>
  (scale * WORLD_SIZE) / (2 * Math.PI * EARTH_RADIUS_M * Math.cos((lat * Math.PI) / 180));

/** A place that a map shows, with what lies around it. */
export interface Shown extends LatLng {
  radiusM: number;
}

/** The frame that shows all of some places; null without any. */
export const fit = (places: readonly Shown[]): Frame | null => {
  if (places.length === 0) return null;
  const boxes = places.map((place) => {
    const { x, y } = toWorld(place);
    const r = place.radiusM * unitsPerMeter({ left: 0, top: 0, scale: 1, zoom: 0 }, place);
    return [x - r, y - r, x + r, y + r] as const;
  });
  const [minX, minY] = [Math.min(...boxes.map(([x]) => x)), Math.min(...boxes.map(([, y]) => y))];
  const [maxX, maxY] = [Math.max(...boxes.map(([, , x]) => x)), Math.max(...boxes.map(([, , , y]) => y))];
  const widest = Math.max(
    (maxX - minX) / (WIDTH - 2 * PAD.x - WIDTH / STEPS_ACROSS),
    (maxY - minY) / (HEIGHT - 2 * PAD.y - HEIGHT / STEPS_ACROSS),
  );
  const deepest = places.length === 1 ? ALONE : DEEPEST;
  const zoomed = widest === 0 ? deepest : Math.log2(WORLD_SIZE / 256 / widest);
  const zoom = Math.min(deepest, Math.floor(zoomed / ZOOM_STEP) * ZOOM_STEP);
  const scale = toScale(zoom);
  const snap = (middle: number, side: number): number => {
    const step = side / STEPS_ACROSS / scale;
    return Math.round(middle / step) * step - side / 2 / scale;
  };
  return { left: snap((minX + maxX) / 2, WIDTH), top: snap((minY + maxY) / 2, HEIGHT), scale, zoom };
};
