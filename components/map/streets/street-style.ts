import {
  LineSymbolizer,
  PolygonSymbolizer,
  exp,
  GeomType,
  type Feature,
  type Filter,
  type PaintRule,
} from 'protomaps-leaflet';
import type { Palette } from '../palette';

/** From this zoom on the street map is drawn: before it, it shows no more than the embedded map. */
export const STREETS_MIN_ZOOM = 7;

type Kind = 'highway' | 'major_road' | 'minor_road' | 'other' | 'path' | 'rail';

/** Widths of roads by zoom, CSS pixels, and the zoom that they begin at. */
const ROADS: Record<Kind, { from: number; width: (zoom: number) => number }> = {
  highway: { from: 7, width: exp(1.5, [[7, 1.6], [10, 2.6], [14, 5.5], [18, 15]]) }, // oxfmt-ignore
  major_road: { from: 8, width: exp(1.5, [[8, 1.2], [11, 1.8], [14, 4], [18, 13]]) }, // oxfmt-ignore
  minor_road: { from: 12, width: exp(1.5, [[12, 0.8], [15, 2.6], [18, 10]]) }, // oxfmt-ignore
  other: { from: 15, width: exp(1.5, [[15, 1], [18, 5]]) }, // oxfmt-ignore
  path: { from: 16, width: () => 0.8 },
  rail: { from: 12, width: () => 0.8 },
};
/** A road's edge on each side, where it is wide enough to have one. */
const EDGE_PX = 1.2;
const EDGE_FROM_ZOOM = 10;

const GREEN = new Set([
  'national_park', 'park', 'cemetery', 'protected_area', 'nature_reserve', 'forest', 'wood', 'golf_course', 'grass',
]); // oxfmt-ignore

export const isKind =
  (...kinds: string[]): Filter =>
  (_zoom, { props }) =>
    kinds.includes(String(props.kind));

const isPolygon = (feature: Feature): boolean => feature.geomType === GeomType.Polygon;

const toRoads = (kind: Kind, color: string, edge: string | null): PaintRule[] => {
  const { from, width } = ROADS[kind];
  const rule = { dataLayer: 'roads', filter: isKind(kind) };
  const line = { lineCap: 'round', lineJoin: 'round' } as const;
  const road = { ...rule, minzoom: from, symbolizer: new LineSymbolizer({ ...line, color, width }) };
  if (edge === null) return [road];
  const edges = new LineSymbolizer({
    ...line,
    color: edge,
    width: (zoom: number) => width(zoom) + 2 * EDGE_PX,
  });
  return [{ ...rule, minzoom: Math.max(from, EDGE_FROM_ZOOM), symbolizer: edges }, road];
};

const toBoundary = (kind: string, color: string, width: number): PaintRule => ({
  dataLayer: 'boundaries',
  filter: isKind(kind),
  symbolizer: new LineSymbolizer({ color, width }),
});

/** How the layers of the Protomaps schema (version 4) are painted, the lowest first. */
export const createPaintRules = (palette: Palette): PaintRule[] => {
  const { land, water, park, building, street, mainRoad, road, borderLine, faintLine } = palette;
  return [
    {
      dataLayer: 'earth',
      filter: (_zoom, feature) => isPolygon(feature),
      symbolizer: new PolygonSymbolizer({ fill: land }),
    },
    {
      dataLayer: 'landuse',
      minzoom: 8,
      filter: (_zoom, feature) => isPolygon(feature) && GREEN.has(String(feature.props.kind)),
      symbolizer: new PolygonSymbolizer({ fill: park }),
    },
    {
      dataLayer: 'water',
      filter: (_zoom, feature) => isPolygon(feature),
      symbolizer: new PolygonSymbolizer({ fill: water }),
    },
    {
      dataLayer: 'water',
      filter: (_zoom, { geomType, props }) =>
        geomType === GeomType.Line && ['river', 'canal'].includes(String(props.kind)),
      symbolizer: new LineSymbolizer({ color: water, width: exp(1.4, [[7, 1], [12, 1.6], [18, 8]]) }), // oxfmt-ignore
    },
    { dataLayer: 'buildings', minzoom: 15, symbolizer: new PolygonSymbolizer({ fill: building }) },
    toBoundary('county', faintLine, 1),
    toBoundary('region', borderLine, 1.4),
    toBoundary('country', borderLine, 1.8),
    ...toRoads('rail', borderLine, null),
    ...toRoads('path', street, null),
    ...toRoads('other', street, null),
    ...toRoads('minor_road', street, null),
    ...toRoads('major_road', mainRoad, land),
    ...toRoads('highway', road, land),
  ];
};
