import { guessPlace, isLand, toCoordinatesText } from '../../gazetteer/plausible-place';
import { METERS_PER_FOOT, METERS_PER_MILE } from '../../wire/units';
import type { LatLng } from '../../wire/units';
import { formatHours, parseHours } from '../hours';
import { MAX_RADIUS_M, MAX_SITE_LAT, MIN_RADIUS_M } from '../schema';
import type { Site, SiteKind, SiteShape } from '../schema';
import { SITE_KIND_LABELS } from '../kinds/labels';

/** A site as a file has it, which is yet to be checked. */
export interface Candidate {
  /** Its place in the file: "Line 4", "Feature 2". */
  where: string;
  /** As `importedSiteSchema` takes it. */
  site: Record<string, unknown>;
  /** What of it cannot be read. */
  faults: string[];
  /** What of it may be a mistake. */
  warnings: string[];
}

/** Units of a radius. */
export const METERS = { m: 1, mi: METERS_PER_MILE, ft: METERS_PER_FOOT };

/** How a file is read where it does not say so itself. */
export interface FileDefaults {
  /** The radius of points without one; null: that is a fault. */
  radiusM: number | null;
  /** The unit of a radius without one. */
  unit: keyof typeof METERS;
}

/** A text of a site in a file by the name of its property; undefined where the file does not have that. */
export type TextOf = (property: string) => string | undefined;

/** Properties of a site in a file, besides its name and its place. */
export const toProperties = ({
  kind,
  color,
  notes,
  openingHours,
  marginM,
}: Site): Record<string, string> => ({
  kind,
  color,
  margin_m: String(marginM),
  opening_hours: openingHours === null ? '' : formatHours(openingHours),
  notes,
});

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

const parseKind = (text: string): SiteKind | null => {
  const kinds = Object.entries(SITE_KIND_LABELS) as [SiteKind, string][];
  return (
    kinds.find(([kind, label]) => [kind, label].some((each) => plain(each) === plain(text)))?.[0] ?? null
  );
};

const UNIT_WORDS: Readonly<Record<string, keyof typeof METERS>> = {
  ...{ m: 'm', meter: 'm', meters: 'm', metres: 'm' },
  ...{ mi: 'mi', mile: 'mi', miles: 'mi' },
  ...{ ft: 'ft', foot: 'ft', feet: 'ft', "'": 'ft' },
};

/** Meters of a number with a unit, which it may say itself: "500 ft". Converted feet and miles are rounded to 0.1 m. */
const parseRadiusM = (text: string, unit: keyof typeof METERS): number => {
  const [, number = '', word = ''] = /^([\d.,]+)\s*([a-z']*)$/i.exec(text) ?? [];
  const said = word === '' ? unit : UNIT_WORDS[word.toLowerCase()];
  const value = number === '' || said === undefined ? NaN : Number(number.replace(/,(?=\d{3}\b)/g, ''));
  return said === 'm' || said === undefined ? value : Math.round(value * METERS[said] * 10) / 10;
};

/** The radius of a site by the property that has one, or the default, in meters; null: there is none; a text: its fault. */
const toRadius = (textOf: TextOf, { radiusM, unit }: FileDefaults): number | string | null => {
  for (const [property, each] of [
    ['radius_m', 'm'],
    ['radius_mi', 'mi'],
    ['radius_ft', 'ft'],
    ['radius', unit],
  ] as const) {
    const text = textOf(property)?.trim();
    if (!text) continue;
    const meters = parseRadiusM(text, each);
    return meters >= MIN_RADIUS_M && meters <= MAX_RADIUS_M
      ? meters
      : `Its radius is “${text}”. Enter one from 10 m (33 ft) to 50 km (31 mi), as in 500 ft, 150 m or 0.5 mi.`;
  }
  return radiusM;
};

/** Degrees, also with a decimal comma or the minus sign of typesetters; NaN for what is no number, such as null. */
const toDegrees = (value: unknown): number => {
  if (typeof value !== 'string') return typeof value === 'number' ? value : NaN;
  const text = value
    .trim()
    .replace(',', '.')
    .replace(/^\u2212/, '-');
  return text === '' ? NaN : Number(text);
};

const toFound = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** A place, or why two values of a file are none. */
const toPlace = (latitude: unknown, longitude: unknown): LatLng | string => {
  const [lat, lng] = [toDegrees(latitude), toDegrees(longitude)];
  if (Math.abs(lat) <= MAX_SITE_LAT && Math.abs(lng) <= 180) return { lat, lng };
  const guess = Number.isFinite(lat + lng) ? guessPlace({ lat, lng }) : null;
  const way = guess ?? 'Enter latitude (-85 to 85) and longitude in degrees, as in 32.7767 and -96.797.';
  return `Its latitude is “${toFound(latitude)}” and its longitude “${toFound(longitude)}”. ${way}`;
};

/** A circle, or why it is none. */
export const toCircle = (
  [latitude, longitude]: readonly unknown[],
  textOf: TextOf,
  defaults: FileDefaults,
): SiteShape | string => {
  const place = toPlace(latitude, longitude);
  if (typeof place === 'string') return place;
  if (place.lat === 0 && place.lng === 0)
    return 'Its place is 0, 0, which programs write where they have none: enter its latitude and longitude.';
  const radiusM = toRadius(textOf, defaults);
  if (radiusM === null)
    return 'A point needs a radius: give it radius_m, radius_ft or radius_mi, or a radius for all points above.';
  return typeof radiusM === 'string' ? radiusM : { type: 'circle', ...place, radiusM };
};

/** A polygon of corners, each a latitude and a longitude, or why it is none. */
export const toPolygon = (pairs: readonly (readonly unknown[])[]): SiteShape | string => {
  const places = pairs.map(([latitude, longitude]) => toPlace(latitude, longitude));
  const fault = places.findIndex((place) => typeof place === 'string');
  if (fault >= 0) return `Corner ${fault + 1}: ${String(places[fault])}`;
  return { type: 'polygon', corners: places.map((place) => [(place as LatLng).lat, (place as LatLng).lng]) };
};

const STREET =
  /\b(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|hwy|highway|pkwy|parkway|ct|court|way)\b/i;

/** Whether a text is a US street address: "123 Main St", or one that ends in a state and a ZIP code. */
export const isAddress = (text: string): boolean =>
  (/^\d+\w?\s+\S/.test(text) && STREET.test(text)) || /\b[A-Z]{2}\.?,?\s+\d{5}(?:-\d{4})?$/.test(text);

/** Why the place of a site may be wrong: it is not where US carriers drive, and would be with other signs or swapped. */
const toPlaceWarnings = (shape: SiteShape): string[] => {
  const [lat, lng] = shape.type === 'circle' ? [shape.lat, shape.lng] : (shape.corners[0] ?? [NaN, NaN]);
  if (!Number.isFinite(lat + lng) || isLand({ lat, lng })) return [];
  const guess = guessPlace({ lat, lng });
  return guess === null ? [] : [`It is at ${toCoordinatesText({ lat, lng })}. ${guess}`];
};

/** A site of a file from its texts. `shape` is why it has none, if it is a text. */
export const toCandidate = (
  where: string,
  textOf: TextOf,
  shape: SiteShape | string,
  { unit }: FileDefaults,
): Candidate => {
  const faults = typeof shape === 'string' ? [shape] : [];
  const warnings = typeof shape === 'string' ? [] : toPlaceWarnings(shape);
  const radius = textOf('radius')?.trim();
  if (radius && /^[\d.,]+$/.test(radius))
    warnings.push(`Its radius ${radius} has no unit, and is read as ${radius} ${unit}.`);
  const site: Candidate['site'] = { name: textOf('name')?.trim() ?? '' };
  if (site.name === '') faults.push('It has no name: give it one as “name”.');
  if (typeof shape !== 'string') site.shape = shape;
  const notes = textOf('notes') ?? textOf('description');
  if (notes !== undefined) site.notes = notes;
  const [kind, color, margin, hours] = ['kind', 'color', 'margin_m', 'opening_hours'].map((property) =>
    textOf(property)?.trim(),
  );
  if (kind) {
    site.kind = parseKind(kind);
    if (site.kind === null)
      faults.push(`“${kind}” is no kind of site: use ${Object.values(SITE_KIND_LABELS).join(', ')}.`);
  }
  if (color) site.color = color.toLowerCase();
  if (margin) site.marginM = Number(margin);
  if (hours !== undefined) {
    site.openingHours = hours === '' ? null : parseHours(hours);
    if (hours !== '' && site.openingHours === null)
      faults.push(`“${hours}” are no opening hours: write “Mon-Fri 08:00-17:00; America/Chicago”.`);
  }
  return { where, site, faults, warnings };
};
