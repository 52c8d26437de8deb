import { Labelers, PmtilesSource, TileCache, View, paint, toIndex } from 'protomaps-leaflet';
import type { IndexedLabel, PreparedTile } from 'protomaps-leaflet';
import { createLabelRules } from './street-labels';
import { STREETS_MIN_ZOOM, createPaintRules } from './street-style';
import type { StreetMap } from '@/lib/map/schema';
import { toBox } from '../base-map/basemap';
import type { Tile } from '../base-map/basemap';
import type { NameToPaint, PixelBox } from '../names/name-sheet';
import type { Palette } from '../palette';

const TILE_PX = 512;
/** Data tiles are half as deep as the map's zooms of 256 pixels. */
const LEVEL_DIFFERENCE = 1;
/** Strokes that begin outside a tile reach into it by at most this much. */
const BLEED_PX = 16;
const MOST_LABELED_TILES = 64;

type LibraryContext = CanvasRenderingContext2D;

/** The library is typed for contexts of the page; it uses nothing that a worker's lacks. */
const toLibraryContext = (context: OffscreenCanvasRenderingContext2D): LibraryContext =>
  context as unknown as LibraryContext;

/** The tiles of our own server, which reads them from the archive; the library parses them. */
const createSource = (): PmtilesSource => {
  const source = new PmtilesSource('/api/map/streets', false);
  source.p.getZxy = async (z, x, y) => {
    // It collects a controller for each tile, which it would only need to cancel them.
    source.zoomaborts.length = 0;
    const response = await fetch(`/api/map/streets/${z}/${x}/${y}`);
    if (!response.ok) throw new Error(`The tile ${z}/${x}/${y} was answered with ${response.status}.`);
    if (response.status === 204 || !response.body) return undefined;
    return {
      data: await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer(),
    };
  };
  return source;
};

/** The library's bounds include their end. */
const toBounds = ({ left, top, right, bottom }: PixelBox) => ({
  minX: left,
  minY: top,
  maxX: right - 0.01,
  maxY: bottom - 0.01,
});

/** Paints tiles and names of the street map. Runs in the painter's thread, and is loaded only where there is one. */
export class StreetPainter {
  #cache = new TileCache(createSource(), TILE_PX);
  #view: View;
  #style: { key: string; rules: ReturnType<typeof createPaintRules>; labelers: Labelers } | null = null;

  constructor({ maxZoom }: StreetMap) {
    this.#view = new View(this.#cache, maxZoom, LEVEL_DIFFERENCE);
  }

  hasZoom(zoom: number): boolean {
    return zoom >= STREETS_MIN_ZOOM;
  }

  /** Whether what lies in a box can be painted without waiting. */
  isLoaded(zoom: number, box: PixelBox): boolean {
    const needed = this.#view.dataTilesForBounds(zoom, toBounds(box));
    return needed.every(({ dataTile }) => this.#cache.cache.has(toIndex(dataTile)));
  }

  /** Paints a tile over what is there; rejects when its data cannot be loaded or read. */
  async paint(context: OffscreenCanvasRenderingContext2D, tile: Tile, palette: Palette): Promise<void> {
    const box = toBox(tile);
    const prepared = await this.#view.getBbox(tile.zoom, toBounds(box));
    const { rules } = this.#toStyle(palette);
    for (const part of prepared) {
      const { origin } = part;
      context.save();
      context.beginPath();
      // A part of a tile without data shows the embedded map.
      context.rect(origin.x - box.left, origin.y - box.top, part.dim, part.dim);
      context.clip();
      context.translate(origin.x - box.left, origin.y - box.top);
      const bounds = toBounds(box);
      const reach = {
        minX: bounds.minX - BLEED_PX,
        minY: bounds.minY - BLEED_PX,
        maxX: bounds.maxX + BLEED_PX,
        maxY: bounds.maxY + BLEED_PX,
      };
      paint(toLibraryContext(context), tile.zoom, new Map([['', [part]]]), null, rules, reach, origin, false);
      context.restore();
    }
  }

  /** The names within a box, the important first, and whether the street map covers a point. */
  async readNames(zoom: number, box: PixelBox, palette: Palette) {
    const prepared = await this.#view.getBbox(zoom, toBounds(box));
    const { labelers } = this.#toStyle(palette);
    labelers.add(zoom, new Map([['', prepared]]));
    const labels = [...(labelers.getIndex(zoom)?.searchBbox(toBounds(box), Infinity) ?? [])];
    return {
      names: labels.sort((a, b) => a.order - b.order).map(toName),
      covers: (x: number, y: number): boolean => prepared.some((tile) => isCovered(tile, x, y)),
    };
  }

  #toStyle(palette: Palette) {
    const key = JSON.stringify(palette);
    if (this.#style?.key === key) return this.#style;
    const scratch = new OffscreenCanvas(1, 1).getContext('2d');
    if (!scratch) throw new Error('There is no canvas to measure names on.');
    const labelers = new Labelers(
      toLibraryContext(scratch),
      createLabelRules(palette),
      MOST_LABELED_TILES,
      () => undefined,
    );
    this.#style = { key, rules: createPaintRules(palette), labelers };
    return this.#style;
  }
}

const isCovered = ({ data, origin, dim }: PreparedTile, x: number, y: number): boolean =>
  data.size > 0 && x >= origin.x && x < origin.x + dim && y >= origin.y && y < origin.y + dim;

const toName = ({ anchor, bboxes, draw, deduplicationKey }: IndexedLabel): NameToPaint => ({
  key: `${deduplicationKey ?? ''}/${Math.round(anchor.x)}/${Math.round(anchor.y)}`,
  covers: {
    left: Math.min(...bboxes.map(({ minX }) => minX)),
    top: Math.min(...bboxes.map(({ minY }) => minY)),
    right: Math.max(...bboxes.map(({ maxX }) => maxX)),
    bottom: Math.max(...bboxes.map(({ maxY }) => maxY)),
  },
  paint: (context, left, top) => {
    context.textBaseline = 'alphabetic';
    context.translate(anchor.x - left, anchor.y - top);
    draw(toLibraryContext(context));
  },
});
