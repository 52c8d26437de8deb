import { Layer } from 'leaflet';
import type { LeafletEventHandlerFn, Map as LeafletMap, ZoomAnimEvent } from 'leaflet';
import { readPalette } from '../palette';
import type { Palette, Theme } from '../palette';
import { UnitCanvas } from '../unit-layer/unit-canvas';
import type { View } from '../unit-layer/scene/glyphs';
import type { LiveTails } from './live-tails';

/** Below the units. */
const Z_INDEX = '440';
/** What is drawn beyond the map's edge, so that a drag shows it without drawing. */
const MARGIN_PX = 160;
const LINE_PX = 2;
/** From the newest third of a tail to the oldest. */
const ALPHAS = [0.9, 0.6, 0.35];

interface TailsInput {
  tails: LiveTails;
  /** 1 for each row that passes the filter; null for all. */
  visible: Uint8Array | null;
  selectedRow: number | null;
  theme: Theme;
}

/** Returns the number of lines. */
const drawTails = (
  context: CanvasRenderingContext2D,
  input: TailsInput,
  view: View,
  palette: Palette,
): number => {
  let count = 0;
  const lines = ALPHAS.map(() => new Path2D());
  const gaps = new Path2D();
  const { worldSizePx, left, top, width, height } = view;
  input.tails.forEachLine(input, (fromX, fromY, toX, toY, age, isGap) => {
    const [x0, y0] = [fromX * worldSizePx - left, fromY * worldSizePx - top];
    const [x1, y1] = [toX * worldSizePx - left, toY * worldSizePx - top];
    if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > width || Math.max(y0, y1) < 0 || Math.min(y0, y1) > height)
      return;
    const path = isGap ? gaps : lines[Math.min(ALPHAS.length - 1, Math.floor(age * ALPHAS.length))]!;
    count++;
    path.moveTo(x0, y0);
    path.lineTo(x1, y1);
  });
  context.strokeStyle = palette.land;
  context.lineWidth = LINE_PX + 2;
  for (const path of lines) context.stroke(path);
  context.strokeStyle = palette.status.moving;
  context.lineWidth = LINE_PX;
  for (const [i, path] of lines.entries()) {
    context.globalAlpha = ALPHAS[i]!;
    context.stroke(path);
  }
  context.setLineDash([2, 5]);
  context.stroke(gaps);
  context.setLineDash([]);
  context.globalAlpha = 1;
  return count;
};

/**
 * Where the units of the view went, on a canvas below them. It is drawn when the map has come to rest, and moves with the
 * map until then, so that panning and zooming cost nothing.
 */
export class TailsLayer extends Layer {
  #input: TailsInput | null = null;
  #leaflet: LeafletMap | null = null;
  #canvas: UnitCanvas | null = null;
  #frame = 0;
  #isZooming = false;

  override onAdd(map: LeafletMap): this {
    this.#leaflet = map;
    this.#canvas = new UnitCanvas(map, 'tails', Z_INDEX, MARGIN_PX);
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

  update(input: TailsInput): void {
    this.#input = input;
    this.#redraw();
  }

  readonly #redraw = (): void => {
    if (this.#frame === 0 && this.#canvas) this.#frame = requestAnimationFrame(this.#draw);
  };

  readonly #draw = (): void => {
    this.#frame = 0;
    const [canvas, input] = [this.#canvas, this.#input];
    if (!canvas || !input || this.#isZooming) return;
    const view = canvas.toView();
    // One pixel a CSS pixel at any ratio: another large canvas would cost the units their frames.
    canvas.fit(view, 1, 1);
    canvas.clear();
    const container = this.#leaflet!.getContainer();
    const palette = readPalette(container, input.theme);
    if (!canvas.context) return;
    // For tests: what the canvas shows cannot be read from it.
    container.dataset.tailLines = String(drawTails(canvas.context, input, view, palette));
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
