import { shallowEqual } from '@mantine/hooks';
import { CRS, latLngBounds, type LatLng, type LatLngExpression, type Map as LeafletMap } from 'leaflet';
import { toMapLng } from '@/lib/geo/projection';
import { isCovered, toReveal, toUncoveredCenter } from './safe-area';
import type { MapPadding } from '../fleet-map-props';
import type { Point } from '@/components/map/box-index';
import type { Bounds } from '@/lib/geo/geodesy';

/** The buttons of a map. */
const MAP_CONTROLS = '[data-map-controls]';
/** Between them and the edge of the map. */
const MARGIN_PX = 12;

/** Half of a glyph, and some air. */
const GLYPH_PX = 16;

/** How far from the edges of a map a fleet is fitted, besides what covers it: the style sheet knows its controls as they are at first. */
const readFitMargins = (container: HTMLElement): MapPadding => {
  const style = getComputedStyle(container);
  const of = (side: keyof MapPadding): number => parseFloat(style.getPropertyValue(`--lh-fit-${side}`)) || 0;
  const margins = { top: of('top'), right: of('right'), bottom: of('bottom'), left: of('left') };
  // With more buttons, or less room, they are in more columns.
  const controls = container.parentElement?.querySelector<HTMLElement>(MAP_CONTROLS);
  if (controls == null) return margins;
  const { offsetWidth, offsetHeight } = controls;
  const side = offsetWidth > offsetHeight ? 'top' : 'left';
  const px = Math.min(offsetWidth, offsetHeight) + MARGIN_PX + GLYPH_PX;
  return { ...margins, [side]: Math.max(margins[side], px) };
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
/** What covers so much of a map leaves no room to fit anything beside it. */
const LEAST_FREE_PX = 120;
/** Trucks drive on in bounds that were fitted. */
const FITTED_PAD = 0.02;

interface View {
  lat: number;
  lng: number;
  zoom: number;
}

/** Bounds that were fitted, and the view that this gave; null while the map moves there. */
interface Fitted {
  bounds: Bounds;
  maxZoom: number;
  view: View | null;
}

/** Moves a map so that units are visible beside the panel and the notices. */
export class Camera {
  #padding: MapPadding = { top: 0, right: 0, bottom: 0, left: 0 };
  isStill = false;
  #map: LeafletMap;
  #isEasing = false;
  #fitted: Fitted | null = null;

  constructor(map: LeafletMap) {
    this.#map = map;
    map.on('moveend', () => {
      this.#isEasing = false;
      if (this.#fitted !== null) this.#fitted.view ??= { ...map.getCenter(), zoom: map.getZoom() };
    });
    map.on('dragstart', () => (this.#fitted = null));
    map.on('resize', () => this.#refit({ animate: false }));
  }

  /** What covers the map now: what was fitted is fitted beside it. */
  cover(padding: MapPadding): void {
    if (shallowEqual(padding, this.#padding)) return;
    this.#padding = padding;
    this.#refit({ animate: true });
  }

  /** Shows a rectangle as large as possible, at `maxZoom` at most. */
  fit([south, west, north, east]: Bounds, { maxZoom = FIT_MAX_ZOOM, animate = true } = {}): void {
    const { top, right, bottom, left } = this.#padding;
    this.#fitted = { bounds: [south, west, north, east], maxZoom, view: null };
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

  /** Fits again what was fitted, after another part of the map is covered; a map that was moved since stays. */
  #refit({ animate }: { animate: boolean }): void {
    if (this.#fitted === null || !this.#isFitted() || !this.#hasRoom()) return;
    const { bounds, maxZoom } = this.#fitted;
    this.fit(bounds, { maxZoom, animate });
  }

  #isFitted(): boolean {
    if (this.#fitted === null) return false;
    return this.#fitted.view === null || this.#isAt(this.#fitted.view);
  }

  #hasRoom(): boolean {
    const { x, y } = this.#map.getSize();
    const { top, right, bottom, left } = this.#padding;
    const margins = readFitMargins(this.#map.getContainer());
    return (
      x - left - right - margins.left - margins.right >= LEAST_FREE_PX &&
      y - top - bottom - margins.top - margins.bottom >= LEAST_FREE_PX
    );
  }

  #isAt(view: View): boolean {
    const middle = this.#map.getSize().divideBy(2);
    return (
      this.#map.getZoom() === view.zoom &&
      this.#map.latLngToContainerPoint(view).distanceTo(middle) < SAME_VIEW_PX
    );
  }

  /** Zooming by hand goes by whole steps, `move` by smaller ones. */
  #atAnyZoom(move: () => void): void {
    this.#map.options.zoomSnap = FIT_SNAP;
    move();
    this.#map.options.zoomSnap = 1;
  }

  /** Goes to a view at once, unless the map is there, as far as an address tells. */
  goTo(view: View): void {
    if (this.#isAt(view)) return;
    this.#fitted = null;
    this.#atAnyZoom(() => this.#map.setView(view, view.zoom, { animate: false }));
  }

  /** Goes to a place, at a zoom that shows its roads, and centers it in the uncovered part. */
  flyTo(place: LatLngExpression): void {
    const map = this.#map;
    this.#fitted = null;
    const zoom = Math.max(UNIT_ZOOM, map.getZoom());
    const center = toUncoveredCenter(this.#size(), this.#padding);
    const size = map.getSize();
    const target = map.project(place, zoom).add([size.x / 2 - center.x, size.y / 2 - center.y]);
    map.setView(map.unproject(target, zoom), zoom, { animate: !this.isStill });
  }

  /** Moves a unit out from under what covers it; unless `onlyCovered`, clear of its edge and into view too. */
  reveal(at: Point, { onlyCovered = false } = {}): void {
    const size = this.#size();
    if (onlyCovered && !isCovered(at, size, this.#padding)) return;
    if (this.#isFitted() && this.#hasRoom() && this.#isWithinFitted(at)) return;
    const { x, y } = toReveal(at, size, this.#padding);
    if (x === 0 && y === 0) return;
    this.#fitted = null;
    this.#map.panBy([x, y], { animate: !this.isStill, duration: EASE_S });
  }

  #isWithinFitted({ x, y }: Point): boolean {
    const [south, west, north, east] = this.#fitted!.bounds;
    const bounds = latLngBounds([south, west], [north, east]).pad(FITTED_PAD);
    return bounds.contains(this.#map.containerPointToLatLng([x, y]));
  }

  /** Keeps a unit, now at a point of the view, in the center of the uncovered part. */
  keep(at: Point): void {
    if (this.#isEasing) return;
    const center = toUncoveredCenter(this.#size(), this.#padding);
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
