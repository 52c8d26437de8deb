// First: the tools are added to the Leaflet that it makes global.
import { circle, polygon, wholeLeaflet } from '@/components/map/whole-leaflet';
import '@geoman-io/leaflet-geoman-free';
import '@geoman-io/leaflet-geoman-free/dist/leaflet-geoman.css';
import type { Circle, Layer, Map as LeafletMap, Marker, Polygon } from 'leaflet';
import { useEffect, useEffectEvent } from 'react';
import { toMapLng } from '@/lib/geo/projection';
import { MAX_RADIUS_M, type SiteShape } from '@/lib/rules/site';

export type DrawTool = SiteShape['type'];

const LEAST_RADIUS_M = 10;
/** About 10 cm. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

const HANDLE = /^marker-icon\b/;
// A handle is for a pointer: by keyboard a shape is changed in its form, and hundreds of corners would be as many stops.
wholeLeaflet.Marker.addInitHook(function (this: Marker) {
  if (HANDLE.test(this.options.icon?.options.className ?? '')) this.options.keyboard = false;
});

const isCircle = (layer: Layer): layer is Circle => 'getRadius' in layer;

/** The shape of a drawn layer, on the first turn of the world. */
const toShape = (layer: Circle | Polygon): SiteShape => {
  if (isCircle(layer)) {
    const { lat, lng } = layer.getLatLng().wrap();
    return {
      type: 'circle',
      lat: round(lat),
      lng: round(lng),
      radiusM: Math.min(MAX_RADIUS_M, Math.max(LEAST_RADIUS_M, Math.round(layer.getRadius() * 10) / 10)),
    };
  }
  const ring = layer.getLatLngs()[0] as { wrap: () => { lat: number; lng: number } }[];
  const corners = ring.map((corner): [number, number] => {
    const { lat, lng } = corner.wrap();
    return [round(lat), round(lng)];
  });
  return { type: 'polygon', corners };
};

/** Gives a map the tools, which are for the layers that they are meant for alone. */
const prepare = (map: LeafletMap): void => {
  // From Leaflet's own object, which the tools are added to after it was loaded.
  const { PM } = wholeLeaflet;
  PM.setOptIn(true);
  map.options.pmIgnore = false;
  PM.reInitLayer(map as unknown as Layer);
};

const toStyle = (color: string) => ({
  color,
  weight: 3,
  fillColor: color,
  fillOpacity: 0.16,
  pmIgnore: false,
});

/** Draws a shape by clicks or taps: a circle by its center and its edge, a polygon corner by corner. Returns how to end it. */
export const startDrawing = (
  map: LeafletMap,
  tool: DrawTool,
  color: string,
  onDrawn: (shape: SiteShape) => void,
): (() => void) => {
  prepare(map);
  // Two corners that are tapped one after the other are a double click to Leaflet.
  map.doubleClickZoom.disable();
  const take = ({ layer }: { layer: Layer }): void => {
    const shape = toShape(layer as Circle | Polygon);
    layer.remove();
    onDrawn(shape);
  };
  map.on('pm:create', take);
  const line = { color, weight: 3 };
  map.pm.enableDraw(tool === 'circle' ? 'Circle' : 'Polygon', {
    snappable: false,
    tooltips: false,
    allowSelfIntersection: false,
    minRadiusCircle: LEAST_RADIUS_M,
    maxRadiusCircle: MAX_RADIUS_M,
    templineStyle: line,
    hintlineStyle: { ...line, dashArray: '5 6' },
    pathOptions: toStyle(color),
  });
  return () => {
    map.off('pm:create', take);
    map.pm.disableDraw();
    map.doubleClickZoom.enable();
  };
};

/** Shows a shape whose corners, or whose center and edge, can be dragged. Returns how to remove it. */
const showEditable = (
  map: LeafletMap,
  shape: SiteShape,
  color: string,
  onChange: (shape: SiteShape) => void,
): (() => void) => {
  prepare(map);
  const layer =
    shape.type === 'circle'
      ? circle([shape.lat, toMapLng(shape.lng)], { ...toStyle(color), radius: shape.radiusM })
      : polygon(
          shape.corners.map(([lat, lng]): [number, number] => [lat, toMapLng(lng)]),
          toStyle(color),
        );
  layer.addTo(map);
  layer.pm.enable({ snappable: false, allowSelfIntersection: false });
  layer.on('pm:edit', () => onChange(toShape(layer)));
  return () => {
    layer.pm.disable();
    layer.remove();
  };
};

interface ShapeOverlayProps {
  map: LeafletMap;
  shape: SiteShape | null;
  /** The tool with which a new shape is being drawn; null: the shape can be changed. */
  tool: DrawTool | null;
  color: string;
  onChange: (shape: SiteShape) => void;
}

/** The shape of a site on the map, drawn and changed by mouse or touch. */
export const ShapeOverlay = ({ map, shape, tool, color, onChange }: ShapeOverlayProps) => {
  const take = useEffectEvent(onChange);
  useEffect(() => {
    if (tool === null) return;
    return startDrawing(map, tool, color, (drawn) => take(drawn));
  }, [map, tool, color]);
  useEffect(() => {
    if (shape === null || tool !== null) return;
    return showEditable(map, shape, color, (changed) => take(changed));
  }, [map, shape, tool, color]);
  return null;
};
