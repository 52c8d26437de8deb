import {
  CenteredTextSymbolizer,
  GeomType,
  LineLabelPlacement,
  LineLabelSymbolizer,
  LineSymbolizer,
  PolygonSymbolizer,
  exp,
  type Feature,
  type Filter,
  type Label,
  type LabelRule,
  type LabelSymbolizer,
  type Layout,
  type PaintRule,
} from 'protomaps-leaflet';
import { FONT_FAMILY } from '../canvas';
import { ROAD_FONT, paintShield, shieldWidth } from '../names/paint-names';
import { LABEL_HEIGHT } from '../names/place-names';
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

const isKind =
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

/** A route's number is repeated at this distance, pixels. */
const SHIELD_EVERY_PX = 320;
/** A piece of road shorter than this has no number: another one of the road will. */
const SHIELD_MIN_LINE_PX = 40;
/** From which zoom the routes of a network are numbered; the others from OTHERS_FROM_ZOOM on. */
const SHIELD_FROM_ZOOM: Record<string, number> = { 'US:I': 7, 'US:US': 9 };
const OTHERS_FROM_ZOOM = 11;
const MAX_SHIELD_CHARACTERS = 7;

type Line = { x: number; y: number }[];

/** "I-40" of a road; null for one without a number. */
export const toRoute = ({ props }: Feature): string | null => {
  const text = String(props.shield_text ?? props.ref ?? '')
    .split(';')[0]!
    .trim();
  if (text === '' || text.length > MAX_SHIELD_CHARACTERS) return null;
  const isBare = /^\d/.test(text);
  if (isBare && props.network === 'US:I') return `I-${text}`;
  return isBare && props.network === 'US:US' ? `US ${text}` : text.replace(/^I (?=\d)/, 'I-');
};

const lengthOf = (line: Line): number =>
  line.slice(1).reduce((sum, { x, y }, i) => sum + Math.hypot(x - line[i]!.x, y - line[i]!.y), 0);

/** The number of a route in a box, in the middle of each piece of its road. */
class RouteSymbolizer implements LabelSymbolizer {
  constructor(readonly palette: Palette) {}

  place(
    { scratch }: Layout,
    lines: Parameters<LabelSymbolizer['place']>[1],
    feature: Feature,
  ): Label[] | undefined {
    const text = toRoute(feature);
    if (text === null) return undefined;
    scratch.font = ROAD_FONT;
    const [halfWidth, halfHeight] = [shieldWidth(scratch, text) / 2, LABEL_HEIGHT.road / 2];
    return lines
      .filter((line) => line.length > 1 && lengthOf(line) >= SHIELD_MIN_LINE_PX)
      .map((line) => line[Math.floor(line.length / 2)]!)
      .map((anchor) => ({
        anchor,
        bboxes: [
          {
            minX: anchor.x - halfWidth,
            minY: anchor.y - halfHeight,
            maxX: anchor.x + halfWidth,
            maxY: anchor.y + halfHeight,
          },
        ],
        draw: (context) =>
          paintShield(context, { text, x: -halfWidth, y: 0, width: 2 * halfWidth }, this.palette),
        deduplicationKey: text,
        deduplicationDistance: SHIELD_EVERY_PX,
      }));
  }
}

const isNumberedAt = (zoom: number, { props }: Feature): boolean =>
  zoom >= (SHIELD_FROM_ZOOM[String(props.network)] ?? OTHERS_FROM_ZOOM);

const toStreetNames = (kind: string, minzoom: number, { dim, land }: Palette): LabelRule => ({
  dataLayer: 'roads',
  minzoom,
  filter: isKind(kind),
  symbolizer: new LineLabelSymbolizer({
    labelProps: ['name'],
    font: `500 11px ${FONT_FAMILY}`,
    fill: dim,
    stroke: land,
    width: 3,
    position: LineLabelPlacement.Center,
    repeatDistance: 400,
  }),
});

/** The names that the street map adds, the important first; those of towns and states are the embedded map's. */
export const createLabelRules = (palette: Palette): LabelRule[] => [
  {
    dataLayer: 'roads',
    filter: (zoom, feature) => isKind('highway', 'major_road')(zoom, feature) && isNumberedAt(zoom, feature),
    symbolizer: new RouteSymbolizer(palette),
  },
  toStreetNames('highway', 13, palette),
  toStreetNames('major_road', 13, palette),
  {
    dataLayer: 'places',
    minzoom: 13,
    filter: isKind('neighbourhood'),
    symbolizer: new CenteredTextSymbolizer({
      labelProps: ['name'],
      font: `400 11px ${FONT_FAMILY}`,
      fill: palette.dim,
      stroke: palette.land,
      width: 3,
    }),
  },
  toStreetNames('minor_road', 15, palette),
];
