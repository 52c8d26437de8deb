/**
 * The base map's painter, in a worker because outlines take longer to paint than a frame lasts. It receives the map's
 * files and tiles, and answers with pictures.
 */
import { toBasemap, withDetail } from './basemap';
import { createMeasure } from './paint-labels';
import { paintTile } from './paint-tile';
import { placeBasemapLabels } from './place-labels';
import type { Basemap } from './basemap';
import type { DetailFile, OverviewFile } from './basemap-file';
import type { FromPainter, MapPart, PaintJob, ToPainter } from './painter-messages';
import type { PlacedLabels } from './place-labels';

let basemap: Basemap | null = null;
const labels = new Map<number, PlacedLabels>();
const measure = createMeasure();

/** Our own generated files: their shape is the build's promise, checked by its tests, not again here. */
const take = (part: MapPart, file: ArrayBuffer): void => {
  const said: unknown = JSON.parse(new TextDecoder().decode(file));
  if (part === 'overview') basemap = toBasemap(said as OverviewFile);
  else if (basemap) basemap = withDetail(basemap, said as DetailFile);
  labels.clear();
};

const labelsAt = (map: Basemap, zoom: number): PlacedLabels => {
  const placed = labels.get(zoom) ?? placeBasemapLabels(map, zoom, measure);
  labels.set(zoom, placed);
  return placed;
};

const paint = ({ tile, side, palette }: PaintJob): ImageBitmap => {
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('There is no canvas to paint the base map on.');
  context.scale(side / tile.sizePx, side / tile.sizePx);
  paintTile(context, basemap, basemap && labelsAt(basemap, tile.zoom), tile, measure, palette);
  return canvas.transferToImageBitmap();
};

const answer = (said: FromPainter, transfer: Transferable[] = []): void => {
  // Typed as a page's postMessage, which takes its transfer so too.
  postMessage(said, { transfer });
};

addEventListener('message', ({ data }: MessageEvent<ToPainter>) => {
  if (data.kind === 'take') {
    take(data.part, data.file);
    answer({ kind: 'taken', part: data.part });
    return;
  }
  const bitmap = paint(data.job);
  answer({ kind: 'painted', id: data.id, bitmap }, [bitmap]);
});
