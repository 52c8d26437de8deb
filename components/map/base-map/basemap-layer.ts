import { GridLayer } from 'leaflet';
import { TileStore } from './tile-store';
import type { Coords, DoneCallback, LeafletEventHandlerFn, Map as LeafletMap } from 'leaflet';
import type { Painter } from './painter';
import type { Palette } from '../palette';

const TILE_PX = 512;

/** Tiles that the painter has at a time: one to paint, and the next, so that it never waits for us. */
const MOST_AT_PAINTER = 2;

/** A tile on the map, how much larger than a whole zoom's it is drawn, and whom to tell once it is. */
interface PaintedTile {
  coords: Coords;
  scale: number;
  onPainted: (() => void) | null;
  /** Pictures that are still to come; with none, it shows the current map and colors. */
  awaited: number;
}

const toName = ({ coords, scale }: Pick<PaintedTile, 'coords' | 'scale'>): string =>
  `${coords.z}/${coords.x}/${coords.y}/${scale}/${window.devicePixelRatio}`;

/** The embedded base map as tiles drawn from outlines: at every zoom, with no other server. */
export class BasemapLayer extends GridLayer {
  #painter: Painter;
  #palette: Palette;
  #tiles = new Map<HTMLElement, PaintedTile>();
  /** Tiles that wait to be painted, those nearest the middle first. */
  #waiting = new Set<HTMLElement>();
  #atPainter = 0;
  #store = new TileStore();

  constructor(painter: Painter, palette: Palette) {
    super({ tileSize: TILE_PX, keepBuffer: 1, updateWhenIdle: false, updateInterval: 60, zIndex: 0 });
    this.#painter = painter;
    this.#palette = palette;
    this.on('tileunload', (event) => this.#forget(event.tile));
  }

  override onRemove(map: LeafletMap): this {
    this.#waiting.clear();
    return super.onRemove(map);
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return { ...super.getEvents?.(), zoomend: this.#onZoomEnd };
  }

  /** Repaints the tiles: more of the map has loaded, or its colors changed. */
  repaint(palette: Palette): void {
    this.#palette = palette;
    this.#store.clear();
    for (const tile of this.#tiles.keys()) this.#paintSoon(tile);
  }

  protected override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const asked = { coords, scale: this.#shownScale() };
    const kept = this.#store.take(toName(asked));
    const tile = kept ?? document.createElement('canvas');
    const tell = () => done(undefined, tile);
    this.#tiles.set(tile, { ...asked, onPainted: kept ? null : tell, awaited: 0 });
    // Leaflet knows of a tile only after it was created.
    if (kept) queueMicrotask(tell);
    else this.#paintSoon(tile);
    return tile;
  }

  #forget(tile: HTMLElement): void {
    const painted = this.#tiles.get(tile);
    if (painted?.awaited === 0) {
      // As it was made: Leaflet marks the tiles that it shows.
      tile.className = '';
      tile.style.cssText = '';
      this.#store.put(toName(painted), tile as HTMLCanvasElement);
    }
    this.#tiles.delete(tile);
    this.#waiting.delete(tile);
  }

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
      this.#painter.paint(this.#toJob(this.#tiles.get(tile)!), (picture) => {
        this.#atPainter--;
        this.#show(tile as HTMLCanvasElement, picture);
        this.#paintNext();
      });
    }
  }

  #show(tile: HTMLCanvasElement, picture: ImageBitmap): void {
    const painted = this.#tiles.get(tile);
    const context = painted && tile.getContext('bitmaprenderer');
    if (!context) return picture.close();
    context.transferFromImageBitmap(picture);
    painted.awaited--;
    painted.onPainted?.();
    painted.onPainted = null;
  }

  #toJob({ coords, scale }: PaintedTile) {
    // Drawn as large as it is shown, so that names and lines keep their size at every zoom.
    const sizePx = TILE_PX * scale;
    const zoom = coords.z + Math.log2(scale);
    // Between whole zooms the browser resamples it: names stay sharp when there is more to sample from.
    const density = Math.max(window.devicePixelRatio || 1, scale === 1 ? 1 : 2);
    const tile = { column: coords.x, row: coords.y, zoom, sizePx };
    return { tile, side: Math.ceil(sizePx * density), palette: this.#palette };
  }

  /** Tiles are made for whole zooms; between them the map shows them larger or smaller. */
  #shownScale(): number {
    const zoom = this._map.getZoom();
    return 2 ** (zoom - Math.round(zoom));
  }

  #onZoomEnd = (): void => {
    const scale = this.#shownScale();
    for (const [tile, painted] of this.#tiles) {
      if (painted.scale === scale || painted.coords.z !== Math.round(this._map.getZoom())) continue;
      painted.scale = scale;
      this.#paintSoon(tile);
    }
  };
}
