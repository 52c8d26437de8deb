import { CRS, latLngBounds, type LatLng, type LatLngExpression, type Map as LeafletMap } from 'leaflet';
import { toMapLng } from '@/lib/geo/projection';
import { isCovered, toReveal, toUncoveredCenter } from './safe-area';
import type { MapPadding } from '../fleet-map-props';
import type { Point } from '@/components/map/box-index';
import type { Bounds } from '@/lib/geo/geodesy';

const SIDES = ['top', 'right', 'bottom', 'left'] as const;

/** How far from the edges of a map a fleet is fitted, besides what covers it: the style sheet knows its controls. */
const readFitMargins = (container: HTMLElement): MapPadding => {
  const style = getComputedStyle(container);
  const margins = SIDES.map((side) => [side, parseFloat(style.getPropertyValue(`--lh-fit-${side}`)) || 0]);
  return Object.fromEntries(margins) as MapPadding;
};

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
  fit([south, west, north, east]: Bounds, { maxZoom = FIT_MAX_ZOOM, animate = true } = {}): void {
    const { top, right, bottom, left } = this.padding;
    const margins = readFitMargins(this.#map.getContainer());
    const box = latLngBounds([south, west], [north, east]);
    // A fleet may fill the map.
    this.#atAnyZoom(() =>
      this.#map.fitBounds(box, {
        paddingTopLeft: [left + margins.left, top + margins.top],
        paddingBottomRight: [right + margins.right, bottom + margins.bottom],
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

const { EPSG3857 } = CRS;
const { projection } = EPSG3857 as unknown as { projection: { project: (at: LatLng) => unknown } };

/** By these two Leaflet finds out how many tiles are around the world. */
const isEdge = (lng: number): boolean => Math.abs(lng) === 180;

/** Web Mercator cut as lib/geo/projection.ts cuts it, so that all that Leaflet places is where the canvases draw it. */
export const MAP_CRS = {
  ...EPSG3857,
  projection: {
    ...projection,
    project: (at: LatLng) =>
      projection.project(isEdge(at.lng) ? at : ({ lat: at.lat, lng: toMapLng(at.lng) } as LatLng)),
  },
} as CRS;

/** Brings a map that was dragged across its seam back to the turn of the world in which everything is drawn. */
export const keepInTurn = (map: LeafletMap): void => {
  map.on('moveend', () => {
    const { lat, lng } = map.getCenter();
    const turned = toMapLng(map.wrapLatLng([lat, lng]).lng);
    if (Math.abs(turned - lng) > 1) map.setView([lat, turned], map.getZoom(), { animate: false });
  });
};
