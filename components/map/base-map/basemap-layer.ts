import {
  GridLayer,
  type Coords,
  type DoneCallback,
  type LeafletEventHandlerFn,
  type Map as LeafletMap,
} from 'leaflet';
import { RETRY_AFTER_MS } from '../raster/raster-source';
import type { Painter, TilePicture } from './painter';
import type { Palette } from '../palette';
import { readPixelRatio } from '../pixel-ratio';

const TILE_PX = 512;

/** Tiles that the painter has at a time: one to paint, and the next, so that it never waits for us. */
const MOST_AT_PAINTER = 2;

/** Device pixels a CSS pixel of tiles that are painted while the map moves; they are sharpened when it has stood this long. */
const MOVING_DENSITY = 1;
const SHARPEN_AFTER_MS = 300;

/** A tile on the map, how much larger than a whole zoom's it is drawn, and what runs once it is drawn. */
interface PaintedTile {
  coords: Coords;
  scale: number;
  /** Device pixels a CSS pixel. */
  density: number;
  onPainted: (() => void) | null;
  /** Pictures that are still to come; with none, it shows the current map and colors. */
  awaited: number;
  /** The number of the job whose picture it shows; 0 before the first. */
  shownJob: number;
  /** Whether some of the street map's data is missing in what it shows. */
  isPartial: boolean;
}

const toName = ({ coords, scale }: Pick<PaintedTile, 'coords' | 'scale'>): string =>
  `${coords.z}/${coords.x}/${coords.y}/${scale}/${readPixelRatio()}`;

/** Tiles that are kept after they left the map: about a screen and its surroundings. */
const MOST_KEPT = 32;

/** Painted tiles that left the map, by name, so that zooming back paints nothing. */
export class TileStore {
  #kept = new Map<string, HTMLCanvasElement>();

  put(name: string, tile: HTMLCanvasElement): void {
    this.#kept.delete(name);
    this.#kept.set(name, tile);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
  }

  /** Removes and returns the tile of this name; null if there is none. */
  take(name: string): HTMLCanvasElement | null {
    const tile = this.#kept.get(name) ?? null;
    this.#kept.delete(name);
    return tile;
  }

  clear(): void {
    this.#kept.clear();
  }
}

/** The embedded base map as tiles drawn from outlines: at every zoom, with no other server. */
export class BasemapLayer extends GridLayer {
  #painter: Painter;
  #palette: Palette;
  #onPartial: (isPartial: boolean) => void;
  #isPartial = false;
  #retrying: ReturnType<typeof setInterval> | undefined;
  #tiles = new Map<HTMLElement, PaintedTile>();
  /** Tiles that wait to be painted, those nearest the middle first. */
  #waiting = new Set<HTMLElement>();
  #atPainter = 0;
  #store = new TileStore();
  #isMoving = false;
  #sharpening: ReturnType<typeof setTimeout> | undefined;

  /** @param onPartial takes whether a tile of the map is without some of the street map's data, when that changes */
  constructor(painter: Painter, palette: Palette, onPartial: (isPartial: boolean) => void) {
    super({ tileSize: TILE_PX, keepBuffer: 1, updateWhenIdle: false, updateInterval: 60, zIndex: 0 });
    this.#painter = painter;
    this.#palette = palette;
    this.#onPartial = onPartial;
    this.on('tileunload', (event) => this.#forget(event.tile));
  }

  override onRemove(map: LeafletMap): this {
    this.#waiting.clear();
    clearTimeout(this.#sharpening);
    return super.onRemove(map);
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      ...super.getEvents?.(),
      zoomend: this.#onZoomEnd,
      movestart: this.#onMoveStart,
      moveend: this.#onMoveEnd,
    };
  }

  /** Repaints the tiles: more of the map has loaded, or its colors changed. */
  repaint(palette: Palette): void {
    this.#palette = palette;
    this.#store.clear();
    for (const tile of this.#tiles.keys()) this.#paintSoon(tile);
  }

  protected override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const wanted = { coords, scale: this.#shownScale() };
    const kept = this.#store.take(toName(wanted));
    const tile = kept ?? document.createElement('canvas');
    const onPainted = () => done(undefined, tile);
    this.#tiles.set(tile, {
      ...wanted,
      density: readPixelRatio(),
      onPainted: kept ? null : onPainted,
      awaited: 0,
      shownJob: 0,
      isPartial: false,
    });
    // Leaflet registers a tile only after it was created.
    if (kept) queueMicrotask(onPainted);
    else this.#paintSoon(tile);
    return tile;
  }

  #forget(tile: HTMLElement): void {
    const painted = this.#tiles.get(tile);
    if (painted?.awaited === 0 && !painted.isPartial && painted.density === readPixelRatio()) {
      // As it was made: Leaflet marks the tiles that it shows.
      tile.className = '';
      tile.style.cssText = '';
      this.#store.put(toName(painted), tile as HTMLCanvasElement);
    }
    this.#tiles.delete(tile);
    this.#waiting.delete(tile);
    this.#reportPartial();
  }

  /** Reports whether a tile is partial, and paints such a tile again from time to time. */
  #reportPartial(): void {
    const isPartial = [...this.#tiles.values()].some((tile) => tile.isPartial);
    if (isPartial === this.#isPartial) return;
    this.#isPartial = isPartial;
    clearInterval(this.#retrying);
    if (isPartial) this.#retrying = setInterval(this.#retry, RETRY_AFTER_MS);
    this.#onPartial(isPartial);
  }

  readonly #retry = (): void => {
    for (const [tile, { isPartial }] of this.#tiles) if (isPartial) this.#paintSoon(tile);
  };

  #paintSoon(tile: HTMLElement): void {
    if (!this.#waiting.has(tile)) this.#tiles.get(tile)!.awaited++;
    this.#waiting.add(tile);
    this.#paintNext();
  }

  #paintNext(): void {
    for (const tile of this.#waiting) {
      if (this.#atPainter === MOST_AT_PAINTER) return;
      this.#waiting.delete(tile);
      this.#atPainter++;
      let isFirst = true;
      const job = this.#painter.paint(this.#toJob(this.#tiles.get(tile)!), (picture) => {
        if (isFirst) this.#atPainter--;
        isFirst = false;
        this.#show(tile as HTMLCanvasElement, job, picture);
        this.#paintNext();
      });
    }
  }

  #show(tile: HTMLCanvasElement, job: number, { bitmap, isLast, isWhole }: TilePicture): void {
    const painted = this.#tiles.get(tile);
    const context = painted && tile.getContext('bitmaprenderer');
    if (!context) return bitmap.close();
    if (isLast) painted.awaited--;
    // In older colors, or less sharp, than what is shown.
    if (job < painted.shownJob) return bitmap.close();
    // What a partial tile shows of the street map stays until another attempt has ended.
    if (painted.isPartial && !isLast) return bitmap.close();
    painted.shownJob = job;
    context.transferFromImageBitmap(bitmap);
    painted.onPainted?.();
    painted.onPainted = null;
    if (!isLast) return;
    painted.isPartial = !isWhole;
    this.#reportPartial();
  }

  #toJob(painted: PaintedTile) {
    const { coords, scale } = painted;
    // Drawn as large as it is shown, so that lines keep their width at every zoom.
    const sizePx = TILE_PX * scale;
    const zoom = coords.z + Math.log2(scale);
    painted.density = this.#isMoving ? Math.min(MOVING_DENSITY, readPixelRatio()) : readPixelRatio();
    const tile = { column: coords.x, row: coords.y, zoom, sizePx };
    return { tile, side: Math.ceil(sizePx * painted.density), palette: this.#palette };
  }

  /** Tiles are made for whole zooms; between them the map shows them larger or smaller. */
  #shownScale(): number {
    const zoom = this._map.getZoom();
    return 2 ** (zoom - Math.round(zoom));
  }

  #onMoveStart = (): void => {
    this.#isMoving = true;
    clearTimeout(this.#sharpening);
  };

  #onMoveEnd = (): void => {
    clearTimeout(this.#sharpening);
    this.#sharpening = setTimeout(this.#sharpen, SHARPEN_AFTER_MS);
  };

  readonly #sharpen = (): void => {
    this.#isMoving = false;
    for (const [tile, { density }] of this.#tiles) if (density < readPixelRatio()) this.#paintSoon(tile);
  };

  #onZoomEnd = (): void => {
    const scale = this.#shownScale();
    for (const [tile, painted] of this.#tiles) {
      if (painted.scale === scale || painted.coords.z !== Math.round(this._map.getZoom())) continue;
      painted.scale = scale;
      this.#paintSoon(tile);
    }
  };
}
