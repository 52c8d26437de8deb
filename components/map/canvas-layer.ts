import { Layer, type LeafletEventHandlerFn, type Map as LeafletMap, type ZoomAnimEvent } from 'leaflet';
import { readPalette, type Palette, type Theme } from './palette';
import type { View } from './unit-layer/scene/glyphs';
import { UnitCanvas } from './unit-layer/unit-canvas';

/** Canvases over a map that are drawn in the frame after something has changed, and carried along while the map zooms. */
export abstract class CanvasLayer extends Layer {
  #leaflet: LeafletMap | null = null;
  #canvases: UnitCanvas[] = [];
  #frame = 0;
  #isZooming = false;

  protected abstract createCanvases(map: LeafletMap): UnitCanvas[];
  protected abstract draw(map: LeafletMap, ...canvases: UnitCanvas[]): void;

  override onAdd(map: LeafletMap): this {
    this.#leaflet = map;
    this.#canvases = this.createCanvases(map);
    this.redraw();
    return this;
  }

  override onRemove(_map: LeafletMap): this {
    cancelAnimationFrame(this.#frame);
    for (const canvas of this.#canvases) canvas.remove();
    [this.#canvases, this.#leaflet, this.#frame] = [[], null, 0];
    return this;
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      zoomanim: this.#onZoomAnimation as LeafletEventHandlerFn,
      zoomend: this.#onZoomEnd,
      resize: this.redraw,
    };
  }

  protected get isZooming(): boolean {
    return this.#isZooming;
  }

  protected readonly redraw = (): void => {
    if (this.#frame === 0 && this.#leaflet) this.#frame = requestAnimationFrame(this.#onFrame);
  };

  protected zoomTo(to: Pick<ZoomAnimEvent, 'center' | 'zoom'>): void {
    for (const canvas of this.#canvases) canvas.zoomTo(to);
  }

  readonly #onFrame = (): void => {
    this.#frame = 0;
    if (this.#leaflet && !this.#isZooming) this.draw(this.#leaflet, ...this.#canvases);
  };

  readonly #onZoomAnimation = (event: ZoomAnimEvent): void => {
    this.#isZooming = true;
    this.zoomTo(event);
  };

  readonly #onZoomEnd = (): void => {
    this.#isZooming = false;
    this.redraw();
  };
}

/** What is drawn beyond the map's edge, so that a drag shows it without drawing. */
const MARGIN_PX = 160;

/** Draws on an empty canvas, in pixels of the view; returns what the map's element says of it, for tests. */
type Draw<Input> = (
  context: CanvasRenderingContext2D,
  input: Input,
  view: View,
  palette: Palette,
) => Record<string, string>;

/** A canvas below the units that is drawn when the map has come to rest, and moves with it until then. */
export class RestingLayer<Input extends { theme: Theme }> extends CanvasLayer {
  readonly #name: string;
  readonly #zIndex: string;
  readonly #draw: Draw<Input>;
  /** Null while there is nothing to draw. */
  #input: Input | null = null;

  constructor(name: string, zIndex: string, draw: Draw<Input>) {
    super();
    [this.#name, this.#zIndex, this.#draw] = [name, zIndex, draw];
  }

  update(input: Input): void {
    this.#input = input;
    this.redraw();
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return { ...super.getEvents(), zoom: this.#onZoom, moveend: this.redraw };
  }

  protected override createCanvases(map: LeafletMap): UnitCanvas[] {
    return [new UnitCanvas(map, this.#name, this.#zIndex, MARGIN_PX)];
  }

  protected override draw(map: LeafletMap, canvas: UnitCanvas): void {
    if (!this.#input) return;
    const view = canvas.toView();
    // One pixel a CSS pixel at any ratio: another large canvas would cost the units their frames.
    canvas.fit(view, 1, 1);
    canvas.clear();
    const container = map.getContainer();
    if (!canvas.context) return;
    const palette = readPalette(container, this.#input.theme);
    Object.assign(container.dataset, this.#draw(canvas.context, this.#input, view, palette));
  }

  /** A flight changes the zoom frame by frame, without an animation of its own. */
  readonly #onZoom = ({ target: map }: { target: LeafletMap }): void => {
    if (!this.isZooming) this.zoomTo({ center: map.getCenter(), zoom: map.getZoom() });
  };
}
