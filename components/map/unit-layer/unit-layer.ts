import { Layer } from 'leaflet';
import { readPalette } from '../palette';
import { Atlas } from './atlas';
import { drawScene } from './draw';
import { MOUSE_REACH_PX, TOUCH_REACH_PX, findGlyphAt } from './hit-test';
import { HoverWatch } from './hover-watch';
import { TextSprites } from './text-sprites';
import { UnitCanvas } from './unit-canvas';
import { UnitScene, WORTH_DRAWING_PX } from './unit-scene';
import type { LeafletEventHandlerFn, LeafletMouseEvent, Map as LeafletMap, ZoomAnimEvent } from 'leaflet';
import type { Bounds, Point, UnitSceneInput } from './unit-scene';
import type { Theme } from '../palette';

/** While units glide unseen, behind others or outside the view, a frame is drawn this often. */
const REGROUP_MS = 1000;
/** Labels that a frame paints for the first time: after a zoom hundreds are new, and each is dear. */
const LABELS_A_FRAME = 24;
/** A wait shorter than this is a frame's length. */
const FRAME_MS = 20;

export interface UnitLayerInput extends UnitSceneInput {
  theme: Theme;
}

const NOTHING: UnitLayerInput = {
  fleet: null,
  visible: null,
  selectedRow: null,
  track: null,
  doubtful: null,
  isStill: false,
  theme: 'light',
};

/** A glyph under the pointer: the rows that it stands for, the drawn one first, and where it is. */
export interface GlyphHit extends Point {
  rows: number[];
}

export interface DrawnFrame {
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
  #sprites: { atlas: Atlas; texts: TextSprites } | null = null;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #taking: ReturnType<typeof setTimeout> | undefined;
  #isStale = true;
  #isZooming = false;
  #isMovingMap = false;
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
    this.#canvas?.remove();
    [this.#canvas, this.#leaflet, this.#frame] = [null, null, 0];
    return this;
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      move: this.#onMapMoved,
      moveend: this.#onMapMoved,
      resize: this.#onMapMoved,
      zoomanim: this.#onZoomAnimation as LeafletEventHandlerFn,
      zoomend: this.#onZoomEnd,
      click: this.#onClick as LeafletEventHandlerFn,
      mousemove: this.#onMouseMove as LeafletEventHandlerFn,
      mouseout: this.#onMouseOut,
    };
  }

  /** Shows something else; what stays the same object is taken for unchanged. */
  update(input: UnitLayerInput): void {
    if (input.theme !== this.#input.theme) this.#sprites = null;
    this.#input = input;
    this.#scene.update(input, performance.now());
    this.#takeAll();
  }

  /**
   * Draws once all that was said is taken. What takes more than a moment is done in pieces, each a task of its
   * own, and so is the drawing: a frame is then left with showing it.
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

  /** Sleeps until the fastest drawn unit will have moved far enough to show. */
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
    const ratio = window.devicePixelRatio || 1;
    const { atlas, texts } = this.#prepareSprites(ratio);
    const view = canvas.toView();
    canvas.fit(view, ratio);
    const scene = this.#scene.compose(view, texts);
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
    this.#tellHover();
  }

  #prepareSprites(ratio: number): { atlas: Atlas; texts: TextSprites } {
    if (this.#sprites?.texts.ratio === ratio) return this.#sprites;
    // Read here and not in update: the page's own colors change a moment after the prop does.
    const palette = readPalette(this.#leaflet!.getContainer(), this.#input.theme);
    this.#sprites = { atlas: new Atlas(palette, ratio), texts: new TextSprites(palette, ratio) };
    return this.#sprites;
  }

  /** Says on the map's element what was drawn, for tests, and to who listens. */
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
    this.#tellHover();
  };

  #onMouseOut = (): void => {
    this.#pointer = null;
    this.#tellHover();
  };

  /** Tells which glyph lies under the pointer, when it is another than before or has moved. */
  #tellHover(): void {
    const glyph = this.#hover.find(this.#scene.glyphs, this.#pointer);
    if (glyph === 'same') return;
    this.#leaflet!.getContainer().style.cursor = glyph === null ? '' : 'pointer';
    this.#events.onHover(glyph === null ? null : this.#toHit(glyph));
  }
}
