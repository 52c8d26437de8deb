import { NAME_MARGIN_PX, type NameToPaint } from './name-sheet';
import { LABEL_HEIGHT, type LabelKind, type MeasureText, type PlacedLabel } from './place-names';
import { FONT_FAMILY } from '../canvas';
import type { Palette } from '../palette';

export const ROAD_FONT = `600 9.5px ${FONT_FAMILY}`;
const FONT: Record<LabelKind, string> = {
  country: `600 13px ${FONT_FAMILY}`,
  state: `600 11px ${FONT_FAMILY}`,
  city: `500 12px ${FONT_FAMILY}`,
  town: `400 11px ${FONT_FAMILY}`,
  road: ROAD_FONT,
};
/** Names of areas are set wide, in capitals, so that they are not taken for places. */
const SPACING_PX: Record<LabelKind, number> = { country: 3, state: 1.4, city: 0, town: 0, road: 0 };
const ROAD_PADDING_PX = 4;
const DOT_PX = 1.8;

const toText = (text: string, kind: LabelKind): string =>
  kind === 'country' || kind === 'state' ? text.toUpperCase() : text;

/** An average word of the map. */
const SAMPLE = 'Springfield';

/** Measures the base map's labels, once each; widths of places are estimated from their lengths. */
export const createMeasure = (): MeasureText => {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  const known = new Map<string, number>();
  const measure = (text: string, kind: LabelKind): number => {
    const held = known.get(text + kind);
    if (held !== undefined) return held;
    if (context) context.font = FONT[kind];
    const drawn = toText(text, kind);
    const bare = context ? context.measureText(drawn).width : drawn.length * 7;
    const width = bare + drawn.length * SPACING_PX[kind] + (kind === 'road' ? 2 * ROAD_PADDING_PX : 0);
    known.set(text + kind, width);
    return width;
  };
  return (text, kind) => {
    if (kind !== 'city' && kind !== 'town') return measure(text, kind);
    return (measure(SAMPLE, kind) / SAMPLE.length) * text.length;
  };
};

/** What to paint of each label, and the box that it then covers: widths of places are estimates until here. */
export const toNames = (labels: readonly PlacedLabel[], palette: Palette): NameToPaint[] => {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  const widthOf = ({ kind, text, width }: PlacedLabel): number => {
    if (!context || (kind !== 'city' && kind !== 'town')) return width;
    context.font = FONT[kind];
    return context.measureText(text).width;
  };
  return labels.map((label) => {
    const { kind, text, dot, x, y } = label;
    const half = LABEL_HEIGHT[kind] / 2;
    const left = isLeftOfDot(label) ? x + label.width - widthOf(label) : x;
    const covers = {
      left: dot ? Math.min(left, dot.x - DOT_PX) : left,
      right: dot ? Math.max(left + widthOf(label), dot.x + DOT_PX) : left + widthOf(label),
      top: y - half,
      bottom: y + half,
    };
    return {
      key: `${text}/${Math.round(x)}/${Math.round(y)}`,
      covers,
      paint: (onto, originX, originY) => {
        onto.textBaseline = 'middle';
        onto.lineJoin = 'round';
        if (kind === 'road') paintShield(onto, { ...label, x: x - originX, y: y - originY }, palette);
        else paintName(onto, label, left - originX, y - originY, palette);
        if (dot) paintDot(onto, dot.x - originX, dot.y - originY, palette);
      },
    };
  });
};

const isLeftOfDot = ({ dot, x }: PlacedLabel): boolean => dot !== null && dot.x > x;

const paintName = (
  context: OffscreenCanvasRenderingContext2D,
  { kind, text }: PlacedLabel,
  x: number,
  y: number,
  palette: Palette,
): void => {
  context.font = FONT[kind];
  context.letterSpacing = `${SPACING_PX[kind]}px`;
  context.globalAlpha = kind === 'city' || kind === 'town' ? 0.9 : 0.6;
  context.strokeStyle = kind === 'country' ? palette.farLand : palette.land;
  context.lineWidth = NAME_MARGIN_PX;
  context.strokeText(toText(text, kind), x, y);
  context.fillStyle = palette.dim;
  context.fillText(toText(text, kind), x, y);
  context.globalAlpha = 1;
};

const paintDot = (
  context: OffscreenCanvasRenderingContext2D,
  x: number,
  y: number,
  palette: Palette,
): void => {
  context.beginPath();
  context.arc(x, y, DOT_PX, 0, 2 * Math.PI);
  context.fillStyle = palette.dim;
  context.fill();
};

/** Width of a road's number in its box, measured by a context that has ROAD_FONT. */
export const shieldWidth = (context: Pick<CanvasText, 'measureText'>, text: string): number =>
  context.measureText(text).width + 2 * ROAD_PADDING_PX;

/** Paints a road's number in a box; `x, y` is its middle left. */
export const paintShield = (
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  { text, x, y, width }: Pick<PlacedLabel, 'text' | 'x' | 'y' | 'width'>,
  palette: Palette,
): void => {
  const height = LABEL_HEIGHT.road;
  context.beginPath();
  context.roundRect(x, y - height / 2, width, height, 3);
  context.fillStyle = palette.land;
  context.fill();
  context.strokeStyle = palette.road;
  context.lineWidth = 1;
  context.stroke();
  context.font = ROAD_FONT;
  context.textBaseline = 'middle';
  context.fillStyle = palette.dim;
  context.fillText(text, x + ROAD_PADDING_PX, y + 0.5);
};
