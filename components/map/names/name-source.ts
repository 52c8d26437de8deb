import type { LeafletEventHandlerFn, Map as LeafletMap, Point, ZoomAnimEvent } from 'leaflet';
import type { Palette } from '../palette';
import type { Box } from '../box-index';
import { readPixelRatio } from '../pixel-ratio';
import type { NameSheet, NamesJob } from './name-sheet';

/** Names are painted this far beyond the view, and again once the view comes nearer than half of it to their end. */
const AROUND_PX = 320;

/** Returns the job's number, ascending: its sheet may come after that of a later job. */
type PaintNames = (job: NamesJob, onNamed: (sheet: NameSheet) => void) => number;

const widen = ({ left, top, right, bottom }: Box, px: number): Box => ({
  left: left - px,
  top: top - px,
  right: right + px,
  bottom: bottom + px,
});

const isWithin = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left &&
  inner.top >= outer.top &&
  inner.right <= outer.right &&
  inner.bottom <= outer.bottom;

/** Follows a map's view, and has the names about it painted before they are needed. */
export class NameSource {
  #map: LeafletMap;
  #paint: PaintNames;
  #onNames: (sheet: NameSheet) => void;
  #palette: Palette | null = null;
  #wanted: Pick<NamesJob, 'zoom' | 'box' | 'ratio'> | null = null;
  #shownJob = 0;

  constructor(map: LeafletMap, paint: PaintNames, onNames: (sheet: NameSheet) => void) {
    this.#map = map;
    this.#paint = paint;
    this.#onNames = onNames;
    map.on(this.#events);
  }

  remove(): void {
    this.#map.off(this.#events);
    this.#onNames = ({ picture }) => picture.close();
  }

  /** Paints the names again, because there are more of them or their colors changed. */
  repaint(palette = this.#palette): void {
    this.#palette = palette;
    this.#wanted = null;
    this.#onView();
  }

  // During a flight the zoom changes with every frame: its names are painted once it has arrived.
  #onMove = (): void => {
    if (this.#map.getZoom() === this.#wanted?.zoom) this.#onView();
  };

  #onView = (): void => {
    const { min } = this.#map.getPixelBounds();
    if (min) this.#want(this.#map.getZoom(), min);
  };

  /** Before the animation of a zoom, for the view at its end. */
  #onZoomAnimation = ({ center, zoom }: ZoomAnimEvent): void => {
    this.#want(zoom, this.#map.project(center, zoom).subtract(this.#map.getSize().divideBy(2)));
  };

  #events: Record<string, LeafletEventHandlerFn> = {
    move: this.#onMove,
    moveend: this.#onView,
    resize: this.#onView,
    zoomanim: this.#onZoomAnimation as LeafletEventHandlerFn,
  };

  #want(zoom: number, { x: left, y: top }: Point): void {
    if (!this.#palette) return;
    const size = this.#map.getSize();
    const ratio = readPixelRatio();
    const view = { left, top, right: left + size.x, bottom: top + size.y };
    const wanted = this.#wanted;
    const isWanted = wanted?.zoom === zoom && wanted.ratio === ratio;
    if (isWanted && isWithin(widen(view, AROUND_PX / 2), wanted.box)) return;
    this.#wanted = { zoom, ratio, box: widen(view, AROUND_PX) };
    const job = this.#paint({ ...this.#wanted, palette: this.#palette }, (sheet) => {
      if (job < this.#shownJob) return sheet.picture.close();
      this.#shownJob = job;
      this.#onNames(sheet);
    });
  }
}
