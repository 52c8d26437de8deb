import type { Bounds } from '@/lib/geo/geodesy';
import {
  Layer,
  type LeafletEventHandlerFn,
  type LeafletMouseEvent,
  type Map as LeafletMap,
  type ZoomAnimEvent,
} from 'leaflet';
import type { Point } from '../box-index';
import { ShownNames, toMarkBoxes, type IsCovered, type Mark } from '../names/shown-names';
import { readPalette, type Theme } from '../palette';
import { readPixelRatio } from '../pixel-ratio';
import { Atlas } from './sprites/atlas';
import { drawNames, drawScene } from './draw';
import { HoverWatch, MOUSE_REACH_PX, TOUCH_REACH_PX, findGlyphAt, type GlyphHit } from './hit-test';
import { TextSprites } from './sprites/text-sprites';
import { UnitCanvas } from './unit-canvas';
import { UnitScene, WORTH_DRAWING_PX, type UnitSceneInput } from './scene/unit-scene';
import type { View } from './scene/glyphs';
import type { NameSheet } from '../names/name-sheet';

/** While units glide out of sight, behind others or outside the view, a frame is drawn this often. */
const REGROUP_MS = 1000;
/** Labels that a frame paints for the first time: after a zoom hundreds are new, and each is expensive. */
const LABELS_A_FRAME = 24;
/** Device pixels a CSS pixel while the map moves: more would cost frames on a 4K screen. It is sharpened at the end. */
const GESTURE_RATIO = 1;
/** A wait shorter than this is a frame's length. */
const FRAME_MS = 20;

export interface UnitLayerInput extends UnitSceneInput {
  theme: Theme;
  /** The names of the map are drawn, below the units: not where raster tiles have names of their own. */
  hasNames: boolean;
  /** What an overlay draws where names would be. */
  marks?: readonly Mark[];
}

const NOTHING: UnitLayerInput = {
  fleet: null,
  visible: null,
  selectedRow: null,
  track: null,
  unconfirmed: null,
  pace: 1,
  theme: 'light',
  hasNames: true,
};

interface DrawnFrame {
  unitsInView: number;
  sprites: number;
  /** The selected unit's glyph; null while none is selected or it is out of view. */
  selected: Point | null;
}

export interface UnitLayerEvents {
  /** A click on a glyph, or on none. */
  onPick(hit: GlyphHit | null): void;
  onHover(hit: GlyphHit | null): void;
  /** Before a frame, with the selected unit's place: a camera that follows it moves the map now. */
  onSelectedAt(at: Point): void;
  onDrawn(frame: DrawnFrame): void;
}

/** The units of a fleet on one canvas over the map. Made once; `update` changes what it shows. */
export class UnitLayer extends Layer {
  #input = NOTHING;
  #events: UnitLayerEvents;
  #leaflet: LeafletMap | null = null;
  #canvas: UnitCanvas | null = null;
  #scene = new UnitScene();
  #names = new ShownNames();
  #siteNames = new ShownNames();
  #sprites: { atlas: Atlas; texts: TextSprites } | null = null;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #taking: ReturnType<typeof setTimeout> | undefined;
  #nameTimer: ReturnType<typeof setTimeout> | undefined;
  #isStale = true;
  #isZooming = false;
  #isMovingMap = false;
  /** The map moves: by hand, or on a flight. */
  #isGesture = false;
  #drawnAtMs = 0;
  #pointer: Point | null = null;
  #hover = new HoverWatch();

  constructor(events: UnitLayerEvents) {
    super();
    this.#events = events;
  }

  override onAdd(map: LeafletMap): this {
    this.#leaflet = map;
    this.#canvas = new UnitCanvas(map);
    this.#takeAll();
    return this;
  }

  override onRemove(): this {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    clearTimeout(this.#taking);
    clearTimeout(this.#nameTimer);
    this.#canvas?.remove();
    [this.#canvas, this.#leaflet, this.#frame] = [null, null, 0];
    return this;
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      movestart: this.#onGesture,
      move: this.#onMapMoved,
      moveend: this.#onGestureEnd,
      resize: this.#onMapMoved,
      zoomanim: this.#onZoomAnimation as LeafletEventHandlerFn,
      zoomend: this.#onZoomEnd,
      click: this.#onClick as LeafletEventHandlerFn,
      mousemove: this.#onMouseMove as LeafletEventHandlerFn,
      mouseout: this.#onMouseOut,
    };
  }

  /** Updates what the layer shows; the same object counts as unchanged. */
  update(input: UnitLayerInput): void {
    if (input.theme !== this.#input.theme) this.#sprites = null;
    this.#input = input;
    this.#scene.update(input, performance.now());
    this.#takeAll();
  }

  /** Takes the names of the map about its view, painted; the layer owns the sheet from here on. */
  takeNames(sheet: NameSheet): void {
    this.#names.take(sheet);
    this.redraw();
  }

  /** The same for the names of sites, which come before those of the map. Null: there are none. */
  takeSiteNames(sheet: NameSheet | null): void {
    this.#siteNames.take(sheet);
    this.redraw();
  }

  /**
   * Draws once the whole update is applied. Longer work is split into separate tasks, and so is the drawing,
   * so that the frame only has to show it.
   */
  #takeAll(): void {
    clearTimeout(this.#taking);
    if (!this.#scene.isTaking) return this.redraw();
    this.#taking = setTimeout(this.#takeSome);
  }

  readonly #takeSome = (): void => {
    if (this.#scene.isTaking) {
      this.#scene.takeMore(performance.now());
      this.#taking = setTimeout(this.#takeSome);
      return;
    }
    cancelAnimationFrame(this.#frame);
    this.#isStale = true;
    this.#onFrame();
  };

  redraw(): void {
    this.#isStale = true;
    this.#requestFrame();
  }

  /** Where a row is drawn, pixels of the map; null for a row without a place. */
  placeOf(row: number): Point | null {
    return this.#canvas && this.#scene.placeOf(row, this.#canvas.toView());
  }

  boundsOf(rows: readonly number[] | null): Bounds | null {
    return this.#scene.boundsOf(rows);
  }

  #requestFrame(): void {
    if (this.#frame === 0 && this.#canvas) this.#frame = requestAnimationFrame(this.#onFrame);
  }

  readonly #onFrame = (): void => {
    this.#frame = 0;
    clearTimeout(this.#timer);
    const canvas = this.#canvas;
    if (!canvas || this.#isZooming) return;
    const nowMs = performance.now();
    const gliding = this.#scene.advance(nowMs);
    this.#reportSelected(canvas);
    const isDue = nowMs - this.#drawnAtMs >= REGROUP_MS || this.#scene.hasMoved(canvas.toView());
    if (this.#isStale || (gliding > 0 && isDue)) this.#draw(canvas, nowMs);
    if (gliding > 0) this.#awaitMotion(canvas);
  };

  #reportSelected(canvas: UnitCanvas): void {
    const { selectedRow } = this.#input;
    const at = selectedRow === null ? null : this.#scene.placeOf(selectedRow, canvas.toView());
    if (!at) return;
    this.#isMovingMap = true;
    this.#events.onSelectedAt(at);
    this.#isMovingMap = false;
  }

  /** Waits until the fastest drawn unit has moved visibly. */
  #awaitMotion(canvas: UnitCanvas): void {
    const waitMs = Math.min(
      REGROUP_MS,
      WORTH_DRAWING_PX / Math.max(this.#scene.fastest(canvas.toView()), 1e-9),
    );
    if (waitMs <= FRAME_MS) this.#requestFrame();
    else this.#timer = setTimeout(() => this.#requestFrame(), waitMs);
  }

  #draw(canvas: UnitCanvas, nowMs: number): void {
    this.#isStale = false;
    this.#drawnAtMs = nowMs;
    const ratio = readPixelRatio();
    const { atlas, texts } = this.#prepareSprites(ratio);
    const view = canvas.toView();
    canvas.fit(view, ratio, this.#isGesture ? Math.min(ratio, GESTURE_RATIO) : ratio);
    const scene = this.#scene.compose(view, texts);
    canvas.clear();
    this.#drawNames(canvas, view, nowMs);
    if (!scene || !canvas.context) return;
    texts.allow(LABELS_A_FRAME);
    const sprites = drawScene(canvas.context, scene, atlas, texts);
    if (texts.isShort) this.redraw();
    const { selected, glyphs } = scene;
    this.#publish({
      unitsInView: glyphs.unitsInView,
      sprites,
      selected: selected && selected.glyph >= 0 ? { x: selected.x, y: selected.y } : null,
    });
    this.#reportHover();
  }

  #drawNames({ context }: UnitCanvas, view: View, nowMs: number): void {
    const taken = toMarkBoxes(this.#input.marks ?? [], view);
    const layers = this.#input.hasNames ? [this.#siteNames, this.#names] : [this.#siteNames];
    for (const names of layers) {
      const isCovered: IsCovered = (...box) => this.#scene.covers(...box) || taken.hits(...box);
      const shown = names.run(view, isCovered, nowMs);
      if (!context || !names.sheet) continue;
      drawNames(context, names.sheet, shown, view);
      for (const index of shown) {
        const { left, top, right, bottom } = names.sheet.names[index]!.covers;
        taken.add(left - view.left, top - view.top, right - view.left, bottom - view.top);
      }
    }
    clearTimeout(this.#nameTimer);
    const nextAtMs = Math.min(...layers.map((names) => names.nextAtMs));
    if (nextAtMs === Infinity) return;
    this.#nameTimer = setTimeout(() => this.redraw(), nextAtMs - nowMs);
  }

  #prepareSprites(ratio: number): { atlas: Atlas; texts: TextSprites } {
    if (this.#sprites?.texts.ratio === ratio) return this.#sprites;
    // Read here and not in update: the page's own colors change a moment after the prop does.
    const palette = readPalette(this.#leaflet!.getContainer(), this.#input.theme);
    this.#sprites = { atlas: new Atlas(palette, ratio), texts: new TextSprites(palette, ratio) };
    return this.#sprites;
  }

  /** Writes what was drawn to the map's element, for tests, and reports it. */
  #publish(frame: DrawnFrame): void {
    const { dataset } = this.#leaflet!.getContainer();
    dataset.drawnUnits = String(frame.unitsInView);
    dataset.sprites = String(frame.sprites);
    dataset.drawnVersion = this.#scene.takenVersion;
    if (frame.selected) dataset.selectedAt = `${frame.selected.x.toFixed(1)},${frame.selected.y.toFixed(1)}`;
    else delete dataset.selectedAt;
    this.#events.onDrawn(frame);
  }

  #onMapMoved = (): void => {
    this.#isStale = true;
    // Otherwise the frame under way draws what the camera has just moved.
    if (!this.#isMovingMap) this.#requestFrame();
  };

  #onGesture = (): void => {
    this.#isGesture = true;
  };

  #onGestureEnd = (): void => {
    this.#isGesture = false;
    this.#onMapMoved();
  };

  #onZoomAnimation = (event: ZoomAnimEvent): void => {
    this.#isZooming = true;
    this.#canvas?.zoomTo(event);
  };

  #onZoomEnd = (): void => {
    this.#isZooming = false;
    this.redraw();
  };

  #toHit(glyph: number): GlyphHit {
    const { x, y } = this.#scene.glyphs;
    return { rows: this.#scene.members(glyph), x: x[glyph]!, y: y[glyph]! };
  }

  #onClick = ({ containerPoint, originalEvent }: LeafletMouseEvent): void => {
    const reachPx = (originalEvent as PointerEvent).pointerType === 'touch' ? TOUCH_REACH_PX : MOUSE_REACH_PX;
    const glyph = findGlyphAt(this.#scene.glyphs, containerPoint.x, containerPoint.y, reachPx);
    this.#events.onPick(glyph < 0 ? null : this.#toHit(glyph));
  };

  #onMouseMove = ({ containerPoint }: LeafletMouseEvent): void => {
    this.#pointer = { x: containerPoint.x, y: containerPoint.y };
    this.#reportHover();
  };

  #onMouseOut = (): void => {
    this.#pointer = null;
    this.#reportHover();
  };

  /** Reports the glyph under the pointer when it is another than before or has moved. */
  #reportHover(): void {
    const glyph = this.#hover.find(this.#scene.glyphs, this.#pointer);
    if (glyph === 'same') return;
    this.#leaflet!.getContainer().style.cursor = glyph === null ? '' : 'pointer';
    this.#events.onHover(glyph === null ? null : this.#toHit(glyph));
  }
}
