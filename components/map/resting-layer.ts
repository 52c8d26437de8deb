import { Layer, type LeafletEventHandlerFn, type Map as LeafletMap, type ZoomAnimEvent } from 'leaflet';
import { readPalette, type Palette, type Theme } from './palette';
import type { View } from './unit-layer/scene/glyphs';
import { UnitCanvas } from './unit-layer/unit-canvas';

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
export class RestingLayer<Input extends { theme: Theme }> extends Layer {
  readonly #name: string;
  readonly #zIndex: string;
  readonly #draw: Draw<Input>;
  /** Null while there is nothing to draw. */
  #input: Input | null = null;
  #leaflet: LeafletMap | null = null;
  #canvas: UnitCanvas | null = null;
  #frame = 0;
  #isZooming = false;

  constructor(name: string, zIndex: string, draw: Draw<Input>) {
    super();
    [this.#name, this.#zIndex, this.#draw] = [name, zIndex, draw];
  }

  update(input: Input): void {
    this.#input = input;
    this.#redraw();
  }

  override onAdd(map: LeafletMap): this {
    this.#leaflet = map;
    this.#canvas = new UnitCanvas(map, this.#name, this.#zIndex, MARGIN_PX);
    this.#redraw();
    return this;
  }

  override onRemove(): this {
    cancelAnimationFrame(this.#frame);
    this.#canvas?.remove();
    [this.#canvas, this.#leaflet, this.#frame] = [null, null, 0];
    return this;
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      zoom: this.#onZoom,
      zoomanim: this.#onZoomAnimation as LeafletEventHandlerFn,
      zoomend: this.#onZoomEnd,
      moveend: this.#redraw,
      resize: this.#redraw,
    };
  }

  readonly #redraw = (): void => {
    if (this.#frame === 0 && this.#canvas) this.#frame = requestAnimationFrame(this.#onFrame);
  };

  readonly #onFrame = (): void => {
    this.#frame = 0;
    const [canvas, input] = [this.#canvas, this.#input];
    if (!canvas || !input || this.#isZooming) return;
    const view = canvas.toView();
    // One pixel a CSS pixel at any ratio: another large canvas would cost the units their frames.
    canvas.fit(view, 1, 1);
    canvas.clear();
    const container = this.#leaflet!.getContainer();
    if (!canvas.context) return;
    const palette = readPalette(container, input.theme);
    Object.assign(container.dataset, this.#draw(canvas.context, input, view, palette));
  };

  /** A flight changes the zoom frame by frame, without an animation of its own. */
  readonly #onZoom = (): void => {
    const map = this.#leaflet!;
    if (!this.#isZooming) this.#canvas?.zoomTo({ center: map.getCenter(), zoom: map.getZoom() });
  };

  readonly #onZoomAnimation = (event: ZoomAnimEvent): void => {
    this.#isZooming = true;
    this.#canvas?.zoomTo(event);
  };

  readonly #onZoomEnd = (): void => {
    this.#isZooming = false;
    this.#redraw();
  };
}
