import { useComputedColorScheme } from '@mantine/core';
import type { LeafletEventHandlerFn, LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import { useEffect } from 'react';
import { CanvasLayer } from '@/components/map/canvas-layer';
import { useLayer } from '@/components/map/leaflet-hooks';
import { readPalette, type Palette, type Theme } from '@/components/map/palette';
import { UnitCanvas } from '@/components/map/unit-layer/unit-canvas';
import { toMercatorX, toMercatorY, worldSizePx } from '@/lib/geo/projection';
import { findEntry, type Day } from '@/lib/trips/trips';
import type { DayPlayer } from './day-player';
import { shorten } from '@/lib/base/text/text';
import { unitName } from '@/lib/view/unit-name';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { drawTrailLines, drawTrailMarks, toTruckStyle, type OtherTrail } from './draw-trail';
import { findMoment, toTrailPath, type TrailPath } from './trail-path';

/** The pointer shows the moment of the trail when it is this near. */
const REACH_PX = 14;

interface TrailInput {
  path: TrailPath;
  name: string;
  others: readonly OtherTrail[];
  theme: Theme;
  isNumbered: boolean;
}

/** A day's trail over the map, which shows the player's moment and sets it: its lines below the names, its marks above. */
class TrailLayer extends CanvasLayer {
  readonly #player: DayPlayer;
  #input: TrailInput | null = null;
  #unsubscribe: (() => void) | null = null;
  /** The palette of the input's theme; null until it is read. */
  #palette: Palette | null = null;
  /** What the lines were drawn for. A day that plays changes the marks alone. */
  #drawnFor = '';

  constructor(player: DayPlayer) {
    super();
    this.#player = player;
  }

  protected override createCanvases(map: LeafletMap): UnitCanvas[] {
    this.#unsubscribe = this.#player.subscribe(this.redraw);
    return [new UnitCanvas(map, 'trail', '445'), new UnitCanvas(map, 'trail-marks', '460')];
  }

  override onRemove(map: LeafletMap): this {
    this.#unsubscribe?.();
    return super.onRemove(map);
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      ...super.getEvents(),
      move: this.redraw,
      click: this.#onClick as LeafletEventHandlerFn,
      mousemove: this.#onMouseMove as LeafletEventHandlerFn,
      mouseout: this.#onMouseOut,
    };
  }

  update(input: TrailInput): void {
    this.#input = input;
    [this.#palette, this.#drawnFor] = [null, ''];
    this.redraw();
  }

  protected override draw(map: LeafletMap, lines: UnitCanvas, marks: UnitCanvas): void {
    if (!this.#input) return;
    const container = map.getContainer();
    const shownMs = this.#player.readShownMs();
    const { path, others, theme, isNumbered } = this.#input;
    const ratio = window.devicePixelRatio || 1;
    const view = lines.toView();
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
      const context = prepare(lines);
      if (context !== null) drawTrailLines(context, { path, view, palette, entry }, others);
    }
    const name = others.length === 0 ? null : this.#input.name;
    const context = prepare(marks);
    if (context !== null)
      drawTrailMarks(context, { path, view, palette, shownMs, name, entry, isNumbered }, others);
    // For tests: what the canvas shows cannot be read from it.
    container.dataset.shownMoment = new Date(shownMs).toISOString();
    container.dataset.trailGaps = path.gaps.map(({ text }) => text).join('; ');
  }

  /** The moment of the trail at a point of the map; null where that is too far off. */
  #find({ latlng, target: map }: LeafletMouseEvent): number | null {
    if (!this.#input) return null;
    const found = findMoment(this.#input.path, { x: toMercatorX(latlng.lng), y: toMercatorY(latlng.lat) });
    return found !== null && found.apart * worldSizePx(map.getZoom()) <= REACH_PX ? found.atMs : null;
  }

  readonly #onMouseMove = (event: LeafletMouseEvent): void => {
    const atMs = this.#find(event);
    (event.target as LeafletMap).getContainer().style.cursor = atMs === null ? '' : 'pointer';
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
  /** Its stops have their numbers of the day. */
  isNumbered?: boolean;
}

/** The trail of a day on a map, with those of the trucks that it is compared with. */
export const TrailOverlay = (props: TrailOverlayProps) => {
  const { map, day, name, compared = NONE_COMPARED, player, isNumbered = true } = props;
  const theme = useComputedColorScheme('light');
  const layer = useLayer(map, () => new TrailLayer(player), player);

  useEffect(() => {
    const others = compared.flatMap(({ day: each, identity }, index) =>
      each === null
        ? []
        : [{ path: pathOf(each), name: shorten(unitName(identity)), ...toTruckStyle(index, theme) }],
    );
    layer.current?.update({ path: pathOf(day), name, others, theme, isNumbered });
  }, [map, layer, player, day, name, compared, theme, isNumbered]);

  return null;
};
