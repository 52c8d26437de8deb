import { latLngBounds, type LatLngExpression, type Map as LeafletMap } from 'leaflet';
import { isCovered, toReveal, toUncoveredCenter } from './safe-area';
import type { MapPadding } from '../fleet-map-props';
import type { SceneBounds, Point } from '../unit-layer/scene/unit-scene';

/** Margin around a fitted fleet, besides the covered sides, pixels. */
const FIT_MARGIN_PX = 40;
/** As fine as the address gives a zoom, so that a fleet fills the map as the dots of the HTML do. */
export const FIT_SNAP = 0.01;
/** A lone truck, or a yard, is not shown nearer than this. */
const FIT_MAX_ZOOM = 12;
const UNIT_ZOOM = 11;
/** A followed unit this far from the middle is eased there; nearer, the map just keeps up. */
const EASE_FROM_PX = 60;
const EASE_S = 0.35;
/** An address holds a rounded view. */
const SAME_VIEW_PX = 2;

/** Moves a map so that units are visible beside the panel and the notices. */
export class Camera {
  padding: MapPadding = { top: 0, right: 0, bottom: 0, left: 0 };
  isStill = false;
  #map: LeafletMap;
  #isEasing = false;

  constructor(map: LeafletMap) {
    this.#map = map;
    map.on('moveend', () => (this.#isEasing = false));
  }

  /** Shows a rectangle as large as possible, at `maxZoom` at most. */
  fit(
    [south, west, north, east]: Readonly<SceneBounds>,
    { maxZoom = FIT_MAX_ZOOM, animate = true } = {},
  ): void {
    const { top, right, bottom, left } = this.padding;
    const box = latLngBounds([south, west], [north, east]);
    // A fleet may fill the map.
    this.#atAnyZoom(() =>
      this.#map.fitBounds(box, {
        paddingTopLeft: [left + FIT_MARGIN_PX, top + FIT_MARGIN_PX],
        paddingBottomRight: [right + FIT_MARGIN_PX, bottom + FIT_MARGIN_PX],
        maxZoom,
        animate: animate && !this.isStill,
      }),
    );
  }

  /** Zooming by hand goes by whole steps, `move` by smaller ones. */
  #atAnyZoom(move: () => void): void {
    this.#map.options.zoomSnap = FIT_SNAP;
    move();
    this.#map.options.zoomSnap = 1;
  }

  /** Goes to a view at once, unless the map is there, as far as an address tells. */
  goTo(view: { lat: number; lng: number; zoom: number }): void {
    const middle = this.#map.getSize().divideBy(2);
    const isThere =
      this.#map.getZoom() === view.zoom &&
      this.#map.latLngToContainerPoint(view).distanceTo(middle) < SAME_VIEW_PX;
    if (!isThere) this.#atAnyZoom(() => this.#map.setView(view, view.zoom, { animate: false }));
  }

  /** Goes to a place, at a zoom that shows its roads, and centers it in the uncovered part. */
  flyTo(place: LatLngExpression): void {
    const map = this.#map;
    const zoom = Math.max(UNIT_ZOOM, map.getZoom());
    const center = toUncoveredCenter(this.#size(), this.padding);
    const size = map.getSize();
    const target = map.project(place, zoom).add([size.x / 2 - center.x, size.y / 2 - center.y]);
    map.setView(map.unproject(target, zoom), zoom, { animate: !this.isStill });
  }

  /** Moves a unit out from under what covers it; unless `onlyCovered`, clear of its edge and into view too. */
  reveal(at: Point, { onlyCovered = false } = {}): void {
    const size = this.#size();
    if (onlyCovered && !isCovered(at, size, this.padding)) return;
    const { x, y } = toReveal(at, size, this.padding);
    if (x === 0 && y === 0) return;
    this.#map.panBy([x, y], { animate: !this.isStill, duration: EASE_S });
  }

  /** Keeps a unit, now at a point of the view, in the center of the uncovered part. */
  keep(at: Point): void {
    if (this.#isEasing) return;
    const center = toUncoveredCenter(this.#size(), this.padding);
    const [dx, dy] = [at.x - center.x, at.y - center.y];
    const distance = Math.hypot(dx, dy);
    if (distance < 1) return;
    const isEased = distance > EASE_FROM_PX && !this.isStill;
    this.#isEasing = isEased;
    this.#map.panBy([dx, dy], { animate: isEased, duration: EASE_S });
  }

  /** While a unit is followed, zooming keeps the center instead of the point under the pointer. */
  zoomAboutCenter(isAboutCenter: boolean): void {
    const about = isAboutCenter ? 'center' : true;
    Object.assign(this.#map.options, { scrollWheelZoom: about, touchZoom: about, doubleClickZoom: about });
  }

  #size(): { width: number; height: number } {
    const { x, y } = this.#map.getSize();
    return { width: x, height: y };
  }
}
