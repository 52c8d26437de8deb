import { WORLD_SIZE } from '@/lib/geo/base-map/basemap-file';
import { traceLines, type LineSet, type Window } from '@/lib/geo/base-map/line-set';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import type { Tile } from './tile';
import type { Palette } from '../palette';

/** Strokes that begin outside a tile must reach into it: wider than any of them. */
const BLEED_PX = 12;
/** The distance between the border of the Census and that of Natural Earth, in the grid's units (about 76 m). */
const SEAM_WIDTH = 60;
const COUNTY_MIN_ZOOM = 7;
const RIVER_MIN_ZOOM = 5;
const GRID_MIN_ZOOM = 10;
/** How an interstate is drawn by zoom: zoomed in, a thin, faint line, because the corners of our table would show. */
const ROAD_STYLE: { zoom: number; widthPx: number; opacity: number }[] = [
  { zoom: 3, widthPx: 0.8, opacity: 1 },
  { zoom: 6, widthPx: 1.3, opacity: 1 },
  { zoom: 9, widthPx: 2.4, opacity: 1 },
  { zoom: 10, widthPx: 2.6, opacity: 1 },
  { zoom: 13, widthPx: 1.5, opacity: 0.5 },
];

const toWindow = ({ column, row, zoom, sizePx }: Tile): Window => {
  const scale = (256 * 2 ** zoom) / WORLD_SIZE;
  const [originX, originY] = [(column * sizePx) / scale, (row * sizePx) / scale];
  const [side, bleed] = [sizePx / scale, BLEED_PX / scale + SEAM_WIDTH];
  return {
    minX: originX - bleed,
    minY: originY - bleed,
    maxX: originX + side + bleed,
    maxY: originY + side + bleed,
    originX,
    originY,
    scale,
  };
};

const roadStyleAt = (zoom: number): { widthPx: number; opacity: number } => {
  const after = ROAD_STYLE.findIndex((style) => style.zoom >= zoom);
  if (after <= 0) return ROAD_STYLE.at(after)!;
  const [low, high] = [ROAD_STYLE[after - 1]!, ROAD_STYLE[after]!];
  const share = (zoom - low.zoom) / (high.zoom - low.zoom);
  return {
    widthPx: low.widthPx + (high.widthPx - low.widthPx) * share,
    opacity: low.opacity + (high.opacity - low.opacity) * share,
  };
};

/** Paints a tile of the embedded base map, without its names; with no map yet, the color of water. */
export const paintTile = (
  context: OffscreenCanvasRenderingContext2D,
  map: Basemap | null,
  tile: Tile,
  palette: Palette,
): void => {
  const window = toWindow(tile);
  const { zoom, sizePx } = tile;
  const fill = (lines: LineSet, color: string): void => {
    context.beginPath();
    traceLines(context, lines, window, true);
    context.fillStyle = color;
    context.fill('evenodd');
  };
  const stroke = (lines: LineSet, color: string, widthPx: number, closed = false): void => {
    context.beginPath();
    traceLines(context, lines, window, closed);
    context.strokeStyle = color;
    context.lineWidth = widthPx;
    context.stroke();
  };

  context.lineJoin = 'round';
  context.fillStyle = palette.water;
  context.fillRect(0, 0, sizePx, sizePx);
  if (!map) return;
  const { areas, lines } = map;
  fill(areas.farLand, palette.farLand);
  fill(areas.nearLand, palette.farLand);
  stroke(lines.seams, palette.farLand, SEAM_WIDTH * window.scale);
  stroke(lines.provinceLines, palette.borderLine, 0.6);
  stroke(lines.countryLines, palette.borderLine, 1);
  fill(areas.outerLakes, palette.water);
  fill(areas.usLand, palette.land);
  if (zoom >= RIVER_MIN_ZOOM) stroke(lines.rivers, palette.water, zoom < 8 ? 1 : 1.6);
  fill(areas.innerLakes, palette.water);
  stroke(areas.usLand, palette.borderLine, 1, true);
  if (zoom >= GRID_MIN_ZOOM) paintGrid(context, tile, palette.faintLine);
  if (zoom >= COUNTY_MIN_ZOOM) stroke(map.countyLines, palette.faintLine, 1);
  stroke(lines.stateLines, palette.borderLine, zoom < 6 ? 0.9 : 1.4);
  const { widthPx, opacity } = roadStyleAt(zoom);
  if (zoom >= 8) for (const road of map.roads) stroke(road.lines, palette.land, widthPx + 2.5);
  context.globalAlpha = opacity;
  for (const road of map.roads) stroke(road.lines, palette.road, widthPx);
  context.globalAlpha = 1;
};

/** The widest round number of degrees whose lines lie at most `maxPx` apart at a zoom. */
const stepAt = (zoom: number, maxPx: number): number => {
  const degrees = (maxPx * 360) / (256 * 2 ** zoom);
  const power = 10 ** Math.floor(Math.log10(degrees));
  return [5, 2, 1].map((n) => n * power).find((step) => step <= degrees) ?? power;
};

/** Parallels and meridians: for orientation where the embedded map shows nothing else. */
const paintGrid = (context: OffscreenCanvasRenderingContext2D, tile: Tile, color: string): void => {
  const world = 256 * 2 ** tile.zoom;
  const step = stepAt(tile.zoom, 320);
  const toLng = (px: number) => ((tile.column * tile.sizePx + px) / world) * 360 - 180;
  const toLat = (px: number) => {
    const y = Math.PI * (1 - (2 * (tile.row * tile.sizePx + px)) / world);
    return (Math.atan(Math.sinh(y)) * 180) / Math.PI;
  };
  context.beginPath();
  for (let n = Math.ceil(toLng(0) / step); n * step <= toLng(tile.sizePx); n++) {
    const x = Math.round(((n * step + 180) / 360) * world - tile.column * tile.sizePx) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, tile.sizePx);
  }
  for (let n = Math.ceil(toLat(tile.sizePx) / step); n * step <= toLat(0); n++) {
    const phi = (n * step * Math.PI) / 180;
    const share = 0.5 - Math.log(Math.tan(Math.PI / 4 + phi / 2)) / (2 * Math.PI);
    const y = Math.round(share * world - tile.row * tile.sizePx) + 0.5;
    context.moveTo(0, y);
    context.lineTo(tile.sizePx, y);
  }
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.stroke();
};
