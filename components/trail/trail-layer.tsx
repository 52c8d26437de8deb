import { useComputedColorScheme } from '@mantine/core';
import {
  Layer,
  type LeafletEventHandlerFn,
  type LeafletMouseEvent,
  type Map as LeafletMap,
  type ZoomAnimEvent,
} from 'leaflet';
import { useEffect } from 'react';
import { useLayer } from '@/components/map/leaflet-hooks';
import { readPalette, type Palette, type Theme } from '@/components/map/palette';
import { UnitCanvas } from '@/components/map/unit-layer/unit-canvas';
import { findEntry, type Day } from '@/lib/trips/trips';
import type { DayPlayer } from './day-player';
import { shorten } from '@/lib/base/text/text';
import { unitName } from '@/lib/view/unit-name';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { drawTrailLines, drawTrailMarks, type OtherTrail } from './draw-trail';
import { findMoment, toTrailPath, type TrailPath } from './trail-path';
import { toTruckStyle } from './truck-style';

/** The pointer shows the moment of the trail when it is this near. */
const REACH_PX = 14;

interface TrailInput {
  path: TrailPath;
  name: string;
  others: readonly OtherTrail[];
  theme: Theme;
}

/** A day's trail on a canvas over the map, which shows the player's moment and sets it. */
class TrailLayer extends Layer {
  readonly #player: DayPlayer;
  #input: TrailInput | null = null;
  #leaflet: LeafletMap | null = null;
  /** The lines, which lie below the names of the map, and what lies over them. */
  #canvases: { lines: UnitCanvas; marks: UnitCanvas } | null = null;
  #unsubscribe: (() => void) | null = null;
  #frame = 0;
  #isZooming = false;
  /** The palette of the input's theme; null until it is read. */
  #palette: Palette | null = null;
  /** What the lines were drawn for. A day that plays changes the marks alone. */
  #drawnFor = '';

  constructor(player: DayPlayer) {
    super();
    this.#player = player;
  }

  override onAdd(map: LeafletMap): this {
    this.#leaflet = map;
    this.#canvases = {
      lines: new UnitCanvas(map, 'trail', '445'),
      marks: new UnitCanvas(map, 'trail-marks', '460'),
    };
    this.#unsubscribe = this.#player.subscribe(this.#redraw);
    this.#redraw();
    return this;
  }

  override onRemove(): this {
    cancelAnimationFrame(this.#frame);
    this.#unsubscribe?.();
    this.#canvases?.lines.remove();
    this.#canvases?.marks.remove();
    [this.#canvases, this.#leaflet, this.#frame] = [null, null, 0];
    return this;
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      move: this.#redraw,
      resize: this.#redraw,
      zoomanim: this.#onZoomAnimation as LeafletEventHandlerFn,
      zoomend: this.#onZoomEnd,
      click: this.#onClick as LeafletEventHandlerFn,
      mousemove: this.#onMouseMove as LeafletEventHandlerFn,
      mouseout: this.#onMouseOut,
    };
  }

  update(input: TrailInput): void {
    this.#input = input;
    [this.#palette, this.#drawnFor] = [null, ''];
    this.#redraw();
  }

  readonly #redraw = (): void => {
    if (this.#frame === 0 && this.#canvases) this.#frame = requestAnimationFrame(this.#draw);
  };

  readonly #draw = (): void => {
    this.#frame = 0;
    const [canvases, input] = [this.#canvases, this.#input];
    if (!canvases || !input || this.#isZooming) return;
    const container = this.#leaflet!.getContainer();
    const shownMs = this.#player.readShownMs();
    const { path, others, theme } = input;
    const ratio = window.devicePixelRatio || 1;
    const view = canvases.lines.toView();
    const entry = findEntry(path.day, shownMs);
    const palette = (this.#palette ??= readPalette(container, theme));
    const prepare = (canvas: UnitCanvas): UnitCanvas['context'] => {
      canvas.fit(view, ratio, ratio);
      canvas.clear();
      canvas.context?.scale(ratio, ratio);
      return canvas.context;
    };
    const drawnFor = JSON.stringify([view, ratio, entry]);
    if (drawnFor !== this.#drawnFor) {
      this.#drawnFor = drawnFor;
      const context = prepare(canvases.lines);
      if (context !== null) drawTrailLines(context, { path, view, palette, entry }, others);
    }
    const name = others.length === 0 ? null : input.name;
    const context = prepare(canvases.marks);
    if (context !== null) drawTrailMarks(context, { path, view, palette, shownMs, name, entry }, others);
    // For tests: what the canvas shows cannot be read from it.
    container.dataset.shownMoment = new Date(shownMs).toISOString();
    container.dataset.trailGaps = path.gaps.map(({ text }) => text).join('; ');
  };

  readonly #onZoomAnimation = (event: ZoomAnimEvent): void => {
    this.#isZooming = true;
    this.#canvases?.lines.zoomTo(event);
    this.#canvases?.marks.zoomTo(event);
  };

  readonly #onZoomEnd = (): void => {
    this.#isZooming = false;
    this.#redraw();
  };

  /** The moment of the trail at a point of the map; null where that is too far off. */
  #find({ containerPoint }: LeafletMouseEvent): number | null {
    if (!this.#canvases || !this.#input) return null;
    const { left, top, worldSizePx } = this.#canvases.lines.toView();
    const at = { x: (containerPoint.x + left) / worldSizePx, y: (containerPoint.y + top) / worldSizePx };
    const found = findMoment(this.#input.path, at);
    return found !== null && found.apart * worldSizePx <= REACH_PX ? found.atMs : null;
  }

  readonly #onMouseMove = (event: LeafletMouseEvent): void => {
    const atMs = this.#find(event);
    this.#leaflet!.getContainer().style.cursor = atMs === null ? '' : 'pointer';
    this.#player.peek(atMs);
  };

  readonly #onMouseOut = (): void => this.#player.peek(null);

  readonly #onClick = (event: LeafletMouseEvent): void => {
    const atMs = this.#find(event);
    if (atMs !== null) this.#player.seek(atMs);
  };
}

const paths = new WeakMap<Day, TrailPath>();

/** The path of a day, made once. */
export const pathOf = (day: Day): TrailPath => {
  const path = paths.get(day) ?? toTrailPath(day);
  paths.set(day, path);
  return path;
};

/** Another truck, whose trail is drawn in a style of its own; its day is null while it is loaded. */
interface ComparedTruck {
  identity: UnitIdentity;
  day: Day | null;
}

/** One list, because each new one draws the trail again. */
const NONE_COMPARED: readonly ComparedTruck[] = [];

interface TrailOverlayProps {
  map: LeafletMap;
  day: Day;
  name: string;
  compared?: readonly ComparedTruck[];
  player: DayPlayer;
}

/** The trail of a day on a map, with those of the trucks that it is compared with. */
export const TrailOverlay = ({ map, day, name, compared = NONE_COMPARED, player }: TrailOverlayProps) => {
  const theme = useComputedColorScheme('light');
  const layer = useLayer(map, () => new TrailLayer(player), player);

  useEffect(() => {
    const others = compared.flatMap(({ day: each, identity }, index) =>
      each === null
        ? []
        : [{ path: pathOf(each), name: shorten(unitName(identity)), ...toTruckStyle(index, theme) }],
    );
    layer.current?.update({ path: pathOf(day), name, others, theme });
  }, [map, layer, player, day, name, compared, theme]);

  return null;
};
