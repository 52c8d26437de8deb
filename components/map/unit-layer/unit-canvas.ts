import { DomUtil, type LatLng as LeafletLatLng, type Map as LeafletMap, type ZoomAnimEvent } from 'leaflet';
import type { View } from './scene/glyphs';

const PANE = 'units';
/** Over the base map and its overlays, under what can be focused. */
const PANE_Z_INDEX = '450';

/** A canvas over the map: as large as the map with a margin, and carried along while the map zooms. */
export class UnitCanvas {
  readonly context: CanvasRenderingContext2D | null;
  #map: LeafletMap;
  #element: HTMLCanvasElement;
  #drawnTopLeft: LeafletLatLng;
  #drawnZoom: number;
  #shrink = 1;
  #marginPx: number;

  constructor(map: LeafletMap, name = PANE, zIndex = PANE_Z_INDEX, marginPx = 0) {
    this.#map = map;
    this.#marginPx = marginPx;
    this.#element = DomUtil.create('canvas', 'leaflet-zoom-animated');
    this.#element.style.pointerEvents = 'none';
    this.#element.style.transformOrigin = '0 0';
    this.#element.setAttribute('aria-hidden', 'true');
    this.context = this.#element.getContext('2d');
    this.#drawnTopLeft = map.containerPointToLatLng([-marginPx, -marginPx]);
    this.#drawnZoom = map.getZoom();
    const pane = map.getPane(name) ?? map.createPane(name);
    pane.style.zIndex = zIndex;
    pane.appendChild(this.#element);
  }

  remove(): void {
    this.#element.remove();
  }

  /** What the map shows with the margin, in pixels of the whole world at its zoom. */
  toView(): View {
    const { x, y } = this.#map.getSize();
    const { min } = this.#map.getPixelBounds();
    return {
      left: (min?.x ?? 0) - this.#marginPx,
      top: (min?.y ?? 0) - this.#marginPx,
      width: x + 2 * this.#marginPx,
      height: y + 2 * this.#marginPx,
      worldSizePx: 256 * 2 ** this.#map.getZoom(),
    };
  }

  /**
   * Lays the canvas over the view that is about to be drawn. What is drawn for `ratio` device pixels a CSS pixel is
   * kept with `density` of them.
   */
  fit(view: View, ratio: number, density: number): void {
    const element = this.#element;
    this.#shrink = density / ratio;
    const [width, height] = [Math.round(view.width * density), Math.round(view.height * density)];
    if (element.width !== width || element.height !== height) {
      [element.width, element.height] = [width, height];
      [element.style.width, element.style.height] = [`${view.width}px`, `${view.height}px`];
    }
    const corner: [number, number] = [-this.#marginPx, -this.#marginPx];
    DomUtil.setPosition(element, this.#map.containerPointToLayerPoint(corner));
    this.#drawnTopLeft = this.#map.containerPointToLatLng(corner);
    this.#drawnZoom = this.#map.getZoom();
  }

  clear(): void {
    this.context?.setTransform(1, 0, 0, 1, 0, 0);
    this.context?.clearRect(0, 0, this.#element.width, this.#element.height);
    this.context?.scale(this.#shrink, this.#shrink);
  }

  /** Moves and scales the drawn picture to its position at the end of a zoom. */
  zoomTo({ center, zoom }: Pick<ZoomAnimEvent, 'center' | 'zoom'>): void {
    const map = this.#map;
    const panePosition = DomUtil.getPosition(map.getPane('mapPane')!);
    const origin = map.project(center, zoom).subtract(map.getSize().divideBy(2)).add(panePosition).round();
    const offset = map.project(this.#drawnTopLeft, zoom).subtract(origin);
    DomUtil.setTransform(this.#element, offset, map.getZoomScale(zoom, this.#drawnZoom));
  }
}
