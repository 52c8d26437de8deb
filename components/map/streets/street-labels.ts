import {
  CenteredTextSymbolizer,
  LineLabelPlacement,
  LineLabelSymbolizer,
  type Feature,
  type Label,
  type LabelRule,
  type LabelSymbolizer,
  type Layout,
} from 'protomaps-leaflet';
import { ROAD_FONT, paintShield, shieldWidth } from '../names/paint-names';
import { LABEL_HEIGHT } from '../names/place-names';
import { isKind } from './street-style';
import { FONT_FAMILY } from '../canvas';
import type { Palette } from '../palette';

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
