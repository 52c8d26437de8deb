import { circle, polygon, rectangle } from '@/components/map/whole-leaflet';
import type { LatLng as LeafletLatLng, Map as LeafletMap, Path } from 'leaflet';
import { type Bounds, distanceM, wrapLng } from '@/lib/geo/geodesy';
import { toMapLng } from '@/lib/geo/projection';
import { toContinuous } from '@/lib/rules/polygon';
import { MOST_RADIUS_M, boundsOf, faultOf, type Area, type Region } from '@/lib/reports/who/area';

export type Tool = Area['kind'];

/** A shorter stroke is a slip of the pointer, px. */
const LEAST_PX = 6;

/** The box about an area, where the map has it. */
export const toMapBounds = (area: Region): Bounds => {
  const [south, west, north, east] = boundsOf(area);
  const turn = toMapLng(wrapLng(west)) - west;
  return [south, west + turn, north, east + turn];
};

export const toShape = (area: Region, className: string): Path => {
  const options = { className, interactive: false };
  if (area.kind === 'circle')
    return circle([area.lat, toMapLng(area.lng)], { radius: area.radiusM, ...options });
  if (area.kind === 'site') {
    const { shape } = area;
    if (shape.type === 'circle')
      return circle([shape.lat, toMapLng(shape.lng)], { ...options, radius: shape.radiusM });
    const corners = toContinuous(shape.corners);
    const turn = toMapLng(corners[0]![1]) - corners[0]![1];
    return polygon(
      corners.map(([lat, lng]): [number, number] => [lat, lng + turn]),
      options,
    );
  }
  const [south, west, north, east] = toMapBounds(area);
  return rectangle(
    [
      [south, west],
      [north, east],
    ],
    options,
  );
};

const toArea = (tool: Tool, from: LeafletLatLng, to: LeafletLatLng): Area =>
  tool === 'circle'
    ? {
        kind: 'circle',
        lat: from.lat,
        lng: wrapLng(from.lng),
        radiusM: Math.min(MOST_RADIUS_M, distanceM(from, to)),
      }
    : {
        kind: 'rectangle',
        south: Math.min(from.lat, to.lat),
        west: wrapLng(Math.min(from.lng, to.lng)),
        north: Math.max(from.lat, to.lat),
        east: wrapLng(Math.max(from.lng, to.lng)),
      };

/** Draws a rectangle from corner to corner, or a circle from its center, by one stroke; returns how to end it. */
export const startDrawing = (
  map: LeafletMap,
  tool: Tool,
  className: string,
  onDrawn: (area: Area) => void,
): (() => void) => {
  const container = map.getContainer();
  let begin: PointerEvent | null = null;
  let shape: Path | null = null;
  const at = (event: PointerEvent): LeafletLatLng => map.mouseEventToLatLng(event);
  const clear = (): void => {
    shape?.remove();
    [begin, shape] = [null, null];
  };
  const onDown = (event: PointerEvent): void => {
    if (!event.isPrimary || event.button !== 0) return clear();
    event.preventDefault();
    container.setPointerCapture(event.pointerId);
    begin = event;
  };
  const onMove = (event: PointerEvent): void => {
    if (begin === null || event.pointerId !== begin.pointerId) return;
    shape?.remove();
    shape = toShape(toArea(tool, at(begin), at(event)), className).addTo(map);
  };
  const onUp = (event: PointerEvent): void => {
    const from = begin;
    if (from === null || event.pointerId !== from.pointerId) return;
    clear();
    const area = toArea(tool, at(from), at(event));
    const isSlip = Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < LEAST_PX;
    if (!isSlip && faultOf(area) === null) onDrawn(area);
  };
  map.dragging.disable();
  container.dataset.drawing = tool;
  const ended = new AbortController();
  const options = { signal: ended.signal };
  container.addEventListener('pointerdown', onDown, options);
  container.addEventListener('pointermove', onMove, options);
  container.addEventListener('pointerup', onUp, options);
  container.addEventListener('pointercancel', clear, options);
  return () => {
    ended.abort();
    clear();
    delete container.dataset.drawing;
    map.dragging.enable();
  };
};
