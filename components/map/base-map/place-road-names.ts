import { BoxIndex } from '../box-index';
import { WORLD_SIZE } from './basemap-file';
import { LABEL_HEIGHT } from './place-labels';
import type { Basemap, Road } from './basemap';
import type { MeasureText, PlacedLabel } from './place-labels';
import type { Tile } from './tile';

const MIN_ZOOM = 6;
/** A road says its name this often, pixels of its length. */
const EVERY_PX = 420;
/** Names are thought of this far beyond a tile, so that its neighbours come to the same ones. */
const AROUND_PX = 96;

/** The names of the roads in and about a tile, where they leave room for the `taken` names of places. */
export const placeRoadNames = (
  { roads }: Basemap,
  { column, row, zoom, sizePx }: Tile,
  taken: BoxIndex,
  measure: MeasureText,
): PlacedLabel[] => {
  if (zoom < MIN_ZOOM) return [];
  const scale = (256 * 2 ** zoom) / WORLD_SIZE;
  const [left, top] = [column * sizePx - AROUND_PX, row * sizePx - AROUND_PX];
  const [right, bottom] = [left + sizePx + 2 * AROUND_PX, top + sizePx + 2 * AROUND_PX];
  const half = LABEL_HEIGHT.road / 2;
  const others = new BoxIndex();
  const placed: PlacedLabel[] = [];
  for (const road of roads) {
    const width = measure(road.name, 'road');
    walk(road, scale, left, top, right, bottom, (x, y) => {
      const box = [x - width / 2, y - half, x + width / 2, y + half] as const;
      if (taken.hits(...box) || others.hits(...box)) return;
      others.add(...box);
      placed.push({ kind: 'road', text: road.name, x: x - width / 2, y, width, dot: null });
    });
  }
  return placed;
};

/** Visits the points of a road within a rectangle at which it says its name. */
const walk = (
  { lines: { points, starts }, along }: Road,
  scale: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  visit: (x: number, y: number) => void,
): void => {
  for (let line = 0; line + 1 < starts.length; line++) {
    for (let p = starts[line]! + 1; p < starts[line + 1]!; p++) {
      const ax = points[2 * p - 2]! * scale;
      const ay = points[2 * p - 1]! * scale;
      const bx = points[2 * p]! * scale;
      const by = points[2 * p + 1]! * scale;
      if (Math.max(ax, bx) < left || Math.min(ax, bx) > right) continue;
      if (Math.max(ay, by) < top || Math.min(ay, by) > bottom) continue;
      const from = along[p - 1]! * scale;
      const to = along[p]! * scale;
      for (let n = Math.ceil(from / EVERY_PX - 0.5); (n + 0.5) * EVERY_PX < to; n++) {
        const share = ((n + 0.5) * EVERY_PX - from) / (to - from);
        const x = ax + (bx - ax) * share;
        const y = ay + (by - ay) * share;
        if (x >= left && x <= right && y >= top && y <= bottom) visit(x, y);
      }
    }
  }
};
