import { LABEL_HEIGHT } from './place-labels';
import type { LabelKind, MeasureText, PlacedLabel } from './place-labels';
import type { Tile } from './tile';
import type { Palette } from '../palette';

const FAMILY =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif";
const FONT: Record<LabelKind, string> = {
  country: `600 13px ${FAMILY}`,
  state: `600 11px ${FAMILY}`,
  city: `500 12px ${FAMILY}`,
  town: `400 11px ${FAMILY}`,
  road: `600 9.5px ${FAMILY}`,
};
/** Names of areas are set wide, in capitals, so that they are not taken for places. */
const SPACING_PX: Record<LabelKind, number> = { country: 3, state: 1.4, city: 0, town: 0, road: 0 };
const HALO_PX = 3;
const ROAD_PADDING_PX = 4;

const toText = (text: string, kind: LabelKind): string =>
  kind === 'country' || kind === 'state' ? text.toUpperCase() : text;

/** An average word of the map. */
const SAMPLE = 'Springfield';

/**
 * Measures the base map's labels. The widths of the thousands of place names are estimated from their lengths; others
 * are measured once each.
 */
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

/** Writes those labels that touch a tile. */
export const paintLabels = (
  context: OffscreenCanvasRenderingContext2D,
  labels: readonly PlacedLabel[],
  { column, row, sizePx }: Tile,
  palette: Palette,
): void => {
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  for (const label of labels) {
    const [x, y] = [label.x - column * sizePx, label.y - row * sizePx];
    const reach = LABEL_HEIGHT[label.kind] / 2 + HALO_PX;
    if (x + label.width + reach < 0 || x - reach - 12 > sizePx || y + reach < 0 || y - reach > sizePx)
      continue;
    if (label.kind === 'road') paintRoadName(context, label, x, y, palette);
    else paintName(context, label, x, y, palette);
    if (label.dot) paintDot(context, label.dot.x - column * sizePx, label.dot.y - row * sizePx, palette);
  }
  context.letterSpacing = '0px';
};

const paintName = (
  context: OffscreenCanvasRenderingContext2D,
  { kind, text, dot, width, x: left }: PlacedLabel,
  x: number,
  y: number,
  palette: Palette,
): void => {
  const isLeftOfDot = dot !== null && dot.x > left;
  const at = isLeftOfDot ? x + width : x;
  context.textAlign = isLeftOfDot ? 'right' : 'left';
  context.font = FONT[kind];
  context.letterSpacing = `${SPACING_PX[kind]}px`;
  context.globalAlpha = kind === 'city' || kind === 'town' ? 0.9 : 0.6;
  context.strokeStyle = kind === 'country' ? palette.farLand : palette.land;
  context.lineWidth = HALO_PX;
  context.strokeText(toText(text, kind), at, y);
  context.fillStyle = palette.dim;
  context.fillText(toText(text, kind), at, y);
  context.globalAlpha = 1;
};

const paintDot = (
  context: OffscreenCanvasRenderingContext2D,
  x: number,
  y: number,
  palette: Palette,
): void => {
  context.beginPath();
  context.arc(x, y, 1.8, 0, 2 * Math.PI);
  context.fillStyle = palette.dim;
  context.fill();
};

const paintRoadName = (
  context: OffscreenCanvasRenderingContext2D,
  { text, width, kind }: PlacedLabel,
  x: number,
  y: number,
  palette: Palette,
): void => {
  const height = LABEL_HEIGHT[kind];
  context.beginPath();
  context.roundRect(x, y - height / 2, width, height, 3);
  context.fillStyle = palette.land;
  context.fill();
  context.strokeStyle = palette.road;
  context.lineWidth = 1;
  context.stroke();
  context.font = FONT[kind];
  context.textAlign = 'left';
  context.letterSpacing = '0px';
  context.fillStyle = palette.dim;
  context.fillText(text, x + ROAD_PADDING_PX, y + 0.5);
};
