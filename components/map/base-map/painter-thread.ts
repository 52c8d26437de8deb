/** The base map's painter, in a worker because outlines take longer to paint than a frame lasts. */
import { toBasemap, withDetail, type Basemap } from '@/lib/geo/base-map/basemap';
import { toBox } from './tile';
import { paintNameSheet, withoutOverlaps, type NameToPaint, type NamesJob } from '../names/name-sheet';
import { createMeasure, toNames } from '../names/paint-names';
import { namesWithin, placeBasemapLabels, type PlacedLabel, type PlacedLabels } from '../names/place-names';
import { paintTile } from './paint-tile';
import type { DetailFile, OverviewFile } from '@/lib/geo/base-map/basemap-file';
import type { StreetMap } from '@/lib/map/schema';
import type { StreetPainter } from '../streets/street-painter';
import type { FromPainter, MapPart, PaintJob, ToPainter } from './painter';

let basemap: Basemap | null = null;
/** Paints the street map over the embedded one; its code is loaded only where there is one. */
let streets: Promise<StreetPainter | null> | null = null;
let namedZoom = NaN;
const labels = new Map<number, PlacedLabels>();
const measure = createMeasure();

/** Our own generated files: the build's tests check their shape. */
const take = (part: MapPart, file: ArrayBuffer): void => {
  const parsed: unknown = JSON.parse(new TextDecoder().decode(file));
  if (part === 'overview') basemap = toBasemap(parsed as OverviewFile);
  else if (basemap) basemap = withDetail(basemap, parsed as DetailFile);
  labels.clear();
};

const labelsAt = (map: Basemap, zoom: number): PlacedLabels => {
  const placed = labels.get(zoom) ?? placeBasemapLabels(map, zoom, measure);
  labels.set(zoom, placed);
  return placed;
};

const answer = (message: FromPainter, transfer: Transferable[] = []): void => {
  // Typed as a page's postMessage, which takes its transfer so too.
  postMessage(message, { transfer });
};

const reportStreets = (isServed: boolean): void =>
  answer({ kind: 'streets', event: isServed ? 'loaded' : 'failed' });

const openCanvas = ({ tile, side, palette }: PaintJob) => {
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('There is no canvas to paint the base map on.');
  context.scale(side / tile.sizePx, side / tile.sizePx);
  paintTile(context, basemap, tile, palette);
  return { canvas, context };
};

const paint = async (id: number, job: PaintJob): Promise<void> => {
  const send = ({ canvas }: ReturnType<typeof openCanvas>, isLast: boolean, isWhole = true): void => {
    const bitmap = canvas.transferToImageBitmap();
    answer({ kind: 'painted', id, bitmap, isLast, isWhole }, [bitmap]);
  };
  const painter = (await streets)?.hasZoom(job.tile.zoom) ? await streets : null;
  if (!painter) return send(openCanvas(job), true);
  if (!painter.isLoaded(job.tile.zoom, toBox(job.tile))) send(openCanvas(job), false);
  const opened = openCanvas(job);
  const { isServed, isWhole } = await painter.paint(opened.context, job.tile, job.palette);
  reportStreets(isServed);
  send(opened, true, isWhole);
};

const name = async (id: number, job: NamesJob): Promise<void> => {
  const { zoom, box, palette } = job;
  const placed = basemap ? namesWithin(basemap, labelsAt(basemap, zoom), zoom, box, measure) : [];
  const send = (names: readonly NameToPaint[], isLast: boolean): void => {
    const sheet = paintNameSheet(withoutOverlaps(names), job);
    answer({ kind: 'named', id, sheet, isLast }, [sheet.picture]);
  };
  const painter = (await streets)?.hasZoom(zoom) ? await streets : null;
  const isNewZoom = zoom !== namedZoom;
  namedZoom = zoom;
  if (!painter) return send(toNames(placed, palette), true);
  // Within a zoom the names on the screen stay until those of the street map can be added.
  if (isNewZoom && !painter.isLoaded(zoom, box)) send(toNames(placed, palette), false);
  const { names, covers, isServed } = await painter.readNames(zoom, box, palette);
  reportStreets(isServed);
  // Our own roads are where the street map has none: it shows where they really run.
  const isKept = ({ kind, x, width, y }: PlacedLabel) => kind !== 'road' || !covers(x + width / 2, y);
  send([...toNames(placed.filter(isKept), palette), ...names], true);
};

const loadStreets = async (map: StreetMap): Promise<StreetPainter | null> => {
  try {
    const { StreetPainter } = await import('../streets/street-painter');
    return new StreetPainter(map);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    reportStreets(false);
    return null;
  }
};

addEventListener('message', ({ data }: MessageEvent<ToPainter>) => {
  if (data.kind === 'take') {
    take(data.part, data.file);
    answer({ kind: 'taken', part: data.part });
  } else if (data.kind === 'streets') streets = data.streets && loadStreets(data.streets);
  // The page hears of an error by the worker's error event.
  else if (data.kind === 'name') name(data.id, data.job).catch(reportError);
  else paint(data.id, data.job).catch(reportError);
});
