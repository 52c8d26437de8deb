import { GridLayer } from 'leaflet';
import { createMeasure } from './paint-labels';
import { paintTile } from './paint-tile';
import { placeBasemapLabels } from './place-labels';
import type { Coords, DoneCallback, LeafletEventHandlerFn, Map as LeafletMap } from 'leaflet';
import type { Basemap } from './basemap';
import type { PlacedLabels } from './place-labels';
import type { Palette } from '../palette';

const TILE_PX = 512;

/** Painting pauses for the next frame once it has taken this long: zooming asks for dozens of tiles at once. */
const PAINT_BUDGET_MS = 6;

/** A tile on the map, how much larger than a whole zoom's it was drawn, and whom to tell once it is. */
interface PaintedTile {
  coords: Coords;
  scale: number;
  onPainted: (() => void) | null;
}

/** The embedded base map as tiles drawn from outlines: there at once, at every zoom, with no network. */
export class BasemapLayer extends GridLayer {
  #basemap: Basemap | null = null;
  #palette: Palette;
  #labels = new Map<number, PlacedLabels>();
  #measure = createMeasure();
  #tiles = new Map<HTMLElement, PaintedTile>();
  /** Tiles that wait to be painted, those nearest the middle first. */
  #waiting = new Set<HTMLElement>();
  #frame = 0;

  constructor(palette: Palette) {
    super({ tileSize: TILE_PX, keepBuffer: 1, updateWhenIdle: false, updateInterval: 60, zIndex: 0 });
    this.#palette = palette;
    this.on('tileunload', (event) => this.#forget(event.tile));
  }

  override onRemove(map: LeafletMap): this {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#waiting.clear();
    return super.onRemove(map);
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return { ...super.getEvents?.(), zoomend: this.#onZoomEnd };
  }

  /** Puts more of the map, or other colours, on the tiles that are there. */
  update(basemap: Basemap | null, palette: Palette): void {
    if (basemap !== this.#basemap) this.#labels.clear();
    this.#basemap = basemap;
    this.#palette = palette;
    for (const tile of this.#tiles.keys()) this.#paintSoon(tile);
  }

  protected override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const tile = document.createElement('canvas');
    this.#tiles.set(tile, { coords, scale: this.#shownScale(), onPainted: () => done(undefined, tile) });
    this.#paintSoon(tile);
    return tile;
  }

  #forget(tile: HTMLElement): void {
    this.#tiles.delete(tile);
    this.#waiting.delete(tile);
  }

  #paintSoon(tile: HTMLElement): void {
    this.#waiting.add(tile);
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#paintSome);
  }

  #paintSome = (): void => {
    this.#frame = 0;
    const startMs = performance.now();
    for (const tile of this.#waiting) {
      this.#waiting.delete(tile);
      const painted = this.#tiles.get(tile);
      if (!painted) continue;
      this.#paint(tile as HTMLCanvasElement, painted);
      painted.onPainted?.();
      painted.onPainted = null;
      if (performance.now() - startMs > PAINT_BUDGET_MS) break;
    }
    if (this.#waiting.size > 0) this.#frame = requestAnimationFrame(this.#paintSome);
  };

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

  #paint(tile: HTMLCanvasElement, { coords, scale }: PaintedTile): void {
    // Drawn as large as it is shown, so that names and lines keep their size at every zoom.
    const sizePx = TILE_PX * scale;
    const zoom = coords.z + Math.log2(scale);
    // Between whole zooms the browser resamples it: names stay sharp when there is more to sample from.
    const density = Math.max(window.devicePixelRatio || 1, scale === 1 ? 1 : 2);
    tile.width = tile.height = Math.ceil(sizePx * density);
    const context = tile.getContext('2d', { alpha: false });
    if (!context) return;
    context.scale(tile.width / sizePx, tile.height / sizePx);
    const at = { column: coords.x, row: coords.y, zoom, sizePx };
    paintTile(context, this.#basemap, this.#labelsAt(zoom), at, this.#measure, this.#palette);
  }

  #labelsAt(zoom: number): PlacedLabels | null {
    if (!this.#basemap) return null;
    const held = this.#labels.get(zoom);
    if (held) return held;
    const labels = placeBasemapLabels(this.#basemap, zoom, this.#measure);
    this.#labels.set(zoom, labels);
    return labels;
  }
}
