import {
  LATITUDE_LETTERS,
  LONGITUDE_LETTERS,
  parseCoordinates,
  parseDegrees,
} from '@/lib/gazetteer/coordinates';
import { METERS_PER_FOOT, METERS_PER_MILE } from '@/lib/geo/units';
import type { SiteShape } from '@/lib/rules/site';

export const RADIUS_UNITS = { ft: METERS_PER_FOOT, mi: METERS_PER_MILE } as const;
export type RadiusUnit = keyof typeof RADIUS_UNITS;

export type ShapeTexts =
  | { type: 'circle'; lat: string; lng: string; radius: string; unit: RadiusUnit }
  | { type: 'polygon'; corners: string };

/** From here on a radius is in miles. */
const MILES_FROM_M = METERS_PER_MILE;

const toRadius = (radiusM: number): Pick<ShapeTexts & { type: 'circle' }, 'radius' | 'unit'> => {
  const unit = radiusM < MILES_FROM_M ? 'ft' : 'mi';
  const value = radiusM / RADIUS_UNITS[unit];
  return { unit, radius: String(unit === 'ft' ? Math.round(value) : Math.round(value * 100) / 100) };
};

export const toShapeTexts = (shape: SiteShape): ShapeTexts =>
  shape.type === 'circle'
    ? { type: 'circle', lat: String(shape.lat), lng: String(shape.lng), ...toRadius(shape.radiusM) }
    : { type: 'polygon', corners: shape.corners.map((corner) => corner.join(', ')).join('\n') };

const toNumber = (text: string | undefined): number => (text?.trim() ? Number(text) : NaN);

const parseCorner = (line: string): [number, number] => {
  const at = parseCoordinates(line);
  if (at !== null) return [at.lat, at.lng];
  const [lat, lng, ...rest] = line.trim().split(/[\s,;]+/);
  return rest.length > 0 ? [NaN, NaN] : [toNumber(lat), toNumber(lng)];
};

/** Both coordinates of a center that were pasted into one of its fields, in a field each. */
export const spreadCenter = (texts: ShapeTexts): ShapeTexts => {
  if (texts.type === 'polygon') return texts;
  const pasted = [
    [texts.lat, LATITUDE_LETTERS],
    [texts.lng, LONGITUDE_LETTERS],
  ].find(([text, letters]) => Number.isNaN(parseDegrees(text!, letters!)))?.[0];
  const at = pasted === undefined ? null : parseCoordinates(pasted);
  return at === null ? texts : { ...texts, lat: String(at.lat), lng: String(at.lng) };
};

/** The shape of typed numbers, null for none; a radius that was not touched keeps the value of `before`. */
export const toTypedShape = (texts: ShapeTexts, before: SiteShape | null): SiteShape => {
  if (texts.type === 'polygon') {
    const lines = texts.corners.split('\n').filter((line) => line.trim() !== '');
    return { type: 'polygon', corners: lines.map(parseCorner) };
  }
  const known = before?.type === 'circle' ? toRadius(before.radiusM) : null;
  const isSame = known?.radius === texts.radius && known.unit === texts.unit;
  const radiusM =
    isSame && before?.type === 'circle'
      ? before.radiusM
      : Math.round(toNumber(texts.radius) * RADIUS_UNITS[texts.unit] * 10) / 10;
  const [lat, lng] = [parseDegrees(texts.lat, LATITUDE_LETTERS), parseDegrees(texts.lng, LONGITUDE_LETTERS)];
  return { type: 'circle', lat, lng, radiusM };
};
