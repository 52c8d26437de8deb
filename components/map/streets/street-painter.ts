import {
  Labelers,
  PmtilesSource,
  TileCache,
  View,
  paint,
  toIndex,
  type IndexedLabel,
  type PreparedTile,
} from 'protomaps-leaflet';
import { STREETS_MIN_ZOOM, createLabelRules, createPaintRules } from './street-style';
import type { StreetMap } from '@/lib/map/schema';
import { toBox, type Tile } from '../base-map/tile';
import type { Box } from '../box-index';
import type { NameToPaint } from '../names/name-sheet';
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

/** The server has failed on one tile alone, which is damaged. */
const DAMAGED_STATUS = 500;

/** The server does not answer, or cannot read the archive: any other error is of the one tile. */
class UnservedTileError extends Error {
  override name = 'UnservedTileError';
}

/** The tiles of our own server, which reads them from the archive; the library parses them. */
const createSource = (): PmtilesSource => {
  const source = new PmtilesSource('/api/map/streets', false);
  source.p.getZxy = async (z, x, y) => {
    // It collects a controller for each tile, which it would only need to cancel them.
    source.zoomaborts.length = 0;
    const response = await fetch(`/api/map/streets/${z}/${x}/${y}`).catch((cause) => {
      throw new UnservedTileError(`The request for the tile ${z}/${x}/${y} failed.`, { cause });
    });
    const { status } = response;
    if (!response.ok)
      throw new (status === DAMAGED_STATUS ? Error : UnservedTileError)(`The tile's status is ${status}.`);
    if (status === 204 || !response.body) return undefined;
    return {
      data: await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer(),
    };
  };
  return source;
};

/** The library's bounds include their end. */
const toBounds = ({ left, top, right, bottom }: Box) => ({
  minX: left,
  minY: top,
  maxX: right - 0.01,
  maxY: bottom - 0.01,
});

/** Damaged data may be parsed, and only fail when it is used. */
const succeeds = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
};

interface Reading {
  /** Whether the server answered; false while it is away or cannot read the archive. */
  isServed: boolean;
  isWhole: boolean;
}

/** Paints tiles and names of the street map, where its data can be read. Runs in the painter's thread, and is loaded only where there is one. */
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
  isLoaded(zoom: number, box: Box): boolean {
    const needed = this.#view.dataTilesForBounds(zoom, toBounds(box));
    return needed.every(({ dataTile }) => this.#cache.cache.has(toIndex(dataTile)));
  }

  /** Paints a tile over what is there. */
  async paint(context: OffscreenCanvasRenderingContext2D, tile: Tile, palette: Palette): Promise<Reading> {
    const box = toBox(tile);
    const { parts, isServed, isWhole } = await this.#prepare(tile.zoom, box);
    const { rules } = this.#toStyle(palette);
    const paintPart = (part: PreparedTile): boolean => {
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
      const layers = new Map([['', [part]]]);
      const isPainted = succeeds(() =>
        paint(toLibraryContext(context), tile.zoom, layers, null, rules, reach, origin, false),
      );
      context.restore();
      return isPainted;
    };
    return { isServed, isWhole: parts.map(paintPart).every(Boolean) && isWhole };
  }

  /** The names within a box, the important first, and whether the street map covers a point. */
  async readNames(zoom: number, box: Box, palette: Palette) {
    const { parts, isServed } = await this.#prepare(zoom, box);
    const { labelers } = this.#toStyle(palette);
    succeeds(() => labelers.add(zoom, new Map([['', parts]])));
    const labels = [...(labelers.getIndex(zoom)?.searchBbox(toBounds(box), Infinity) ?? [])];
    return {
      names: labels.sort((a, b) => a.order - b.order).map(toName),
      covers: (x: number, y: number): boolean => parts.some((tile) => isCovered(tile, x, y)),
      isServed,
    };
  }

  /** The parts of a box whose data can be read. */
  async #prepare(zoom: number, box: Box): Promise<Reading & { parts: PreparedTile[] }> {
    const needed = this.#view.dataTilesForBounds(zoom, toBounds(box));
    const read = await Promise.allSettled(needed.map(({ dataTile }) => this.#cache.get(dataTile)));
    const parts = read.flatMap((each, i) =>
      each.status === 'fulfilled' ? [{ ...needed[i]!, z: zoom, data: each.value }] : [],
    );
    const isUnserved = (each: PromiseSettledResult<unknown>): boolean =>
      each.status === 'rejected' && each.reason instanceof UnservedTileError;
    return { parts, isServed: !read.some(isUnserved), isWhole: parts.length === read.length };
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
