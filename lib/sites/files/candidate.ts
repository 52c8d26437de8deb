import {
  LATITUDE_LETTERS,
  LONGITUDE_LETTERS,
  MOST_NUMBER_CHARACTERS,
  parseDegrees,
  toPlainNumber,
} from '../../gazetteer/coordinates';
import { guessPlace, isLand, toCoordinatesText } from '../../gazetteer/plausible-place';
import { METERS_PER_FOOT, METERS_PER_MILE, type LatLng } from '@/lib/geo/units';
import { formatHours, parseHours } from '@/lib/rules/hours';
import {
  MAX_CORNERS,
  MAX_MARGIN_M,
  MAX_RADIUS_M,
  MAX_SITE_LAT,
  MIN_RADIUS_M,
  type Site,
  type SiteKind,
  type SiteShape,
} from '@/lib/rules/site';
import { formatWhole } from '../../view/format';
import { SITE_KIND_LABELS } from '../kinds';

/** A site as a file has it, which is yet to be checked. */
export interface Candidate {
  /** Its place in the file: "Line 4", "Feature 2". */
  where: string;
  /** The site in the form of `importedSiteSchema`. */
  site: Record<string, unknown>;
  /** Faults: parts of it that cannot be read. */
  faults: string[];
  /** Parts of it that may be a mistake. */
  warnings: string[];
}

/** Units of a radius. */
export const METERS = { m: 1, km: 1000, mi: METERS_PER_MILE, ft: METERS_PER_FOOT, yd: 3 * METERS_PER_FOOT };

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
  ...{ m: 'm', meter: 'm', meters: 'm', metre: 'm', metres: 'm' },
  ...{ km: 'km', kilometer: 'km', kilometers: 'km', kilometre: 'km', kilometres: 'km' },
  ...{ mi: 'mi', mile: 'mi', miles: 'mi' },
  ...{ ft: 'ft', foot: 'ft', feet: 'ft', "'": 'ft' },
  ...{ yd: 'yd', yds: 'yd', yard: 'yd', yards: 'yd' },
};

/** A number with commas between thousands or before its decimals. */
const toLength = (text: string): number => {
  const isOfThousands = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(text);
  return Number(isOfThousands ? text.replaceAll(',', '') : text.replace(/^(\d+),(\d+)$/, '$1.$2'));
};

/** Meters of a number with a unit, which it may say itself: "500 ft". What is converted is rounded to 0.1 m. */
const parseMeters = (text: string, unit: keyof typeof METERS): number => {
  const [, number = '', word = ''] = /^([\d.,]+)\s*([a-z']*)\.?$/i.exec(toPlainNumber(text)) ?? [];
  const said = word === '' ? unit : UNIT_WORDS[word.toLowerCase()];
  const value = number === '' || said === undefined ? NaN : toLength(number);
  return said === 'm' || said === undefined ? value : Math.round(value * METERS[said] * 10) / 10;
};

/** How much two radii of one site may differ, as rounding in two units makes them. */
const RADII_DIFFER = 0.01;

/** The radius of a site by the property that has one, or the default, in meters; null: there is none; a text: its fault. */
const toRadius = (textOf: TextOf, { radiusM, unit }: FileDefaults): number | string | null => {
  const units = (Object.keys(METERS) as (keyof typeof METERS)[]).map(
    (each) => [`radius_${each}`, each] as const,
  );
  const given = [...units, ['radius', unit] as const].flatMap(([property, each]) => {
    const text = textOf(property)?.trim();
    return text ? [{ text, meters: parseMeters(text, each) }] : [];
  });
  const faulty = given.find(({ meters }) => !(meters >= MIN_RADIUS_M && meters <= MAX_RADIUS_M));
  if (faulty !== undefined)
    return `Its radius is “${faulty.text}”. Enter one from 10 m (33 ft) to 50 km (31 mi), as in 500 ft, 150 m or 0.5 mi.`;
  const [first, ...others] = given;
  const other = others.find(({ meters }) => Math.abs(meters / first!.meters - 1) > RADII_DIFFER);
  if (other !== undefined)
    return `It has two radii, “${first!.text}” and “${other.text}”: leave one of them empty.`;
  return first?.meters ?? radiusM;
};

/** Degrees of a cell, whose number may be a text; NaN for what is no number, such as null. */
const toDegrees = (value: unknown, letters: string): number =>
  typeof value === 'string' ? parseDegrees(value, letters) : typeof value === 'number' ? value : NaN;

const toFound = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return text.length > MOST_NUMBER_CHARACTERS ? `${text.slice(0, MOST_NUMBER_CHARACTERS)}…` : text;
};

/** Factors of degrees that programs store as whole numbers. */
const INTEGER_FACTORS = [1e6, 1e7];
/** More than any number of degrees; meters of a projection are. */
const LARGEST_DEGREES = 360;

/** A guess at what two values are that are no place in degrees, as a sentence; null: there is none. */
const guessKind = (lat: number, lng: number, text: string): string | null => {
  if (!Number.isFinite(lat + lng)) {
    if (/(?:^|\s)[23456789CFGHJMPQRVWX]{4,8}\+[23456789CFGHJMPQRVWX]*(?:[\s,]|$)/i.test(text))
      return 'That is a Plus Code: look it up on a map, and enter degrees.';
    if (
      /^\s*\d{1,2}[C-HJ-NP-X]\s*[A-Z]{2}\s*[\d\s]{4,}$/i.test(text) ||
      /^\s*\d{1,2}\s*[C-HJ-NP-X]\s+\d{5,}/i.test(text)
    )
      return 'That is a place of UTM or of the military grid: enter degrees of WGS 84.';
    return /^\s*[-+]?\d[\d.]*\s*[,;/ ]\s*[-+]?\d[\d.]*\s*$/.test(text)
      ? 'Those are two numbers in one: put latitude and longitude into a column each.'
      : null;
  }
  const scaled = INTEGER_FACTORS.map((by) => ({ lat: lat / by, lng: lng / by })).find(isLand);
  if (scaled) return `They seem to be multiplied: that would be ${toCoordinatesText(scaled)}.`;
  return Math.max(Math.abs(lat), Math.abs(lng)) > LARGEST_DEGREES
    ? 'Those seem to be meters or feet of a projection, such as UTM, State Plane or Web Mercator: export the file in degrees of WGS 84 (EPSG:4326).'
    : guessPlace({ lat, lng });
};

/** A place, or why two values of a file are none. */
const toPlace = (latitude: unknown, longitude: unknown): LatLng | string => {
  const [lat, lng] = [toDegrees(latitude, LATITUDE_LETTERS), toDegrees(longitude, LONGITUDE_LETTERS)];
  if (Math.abs(lat) <= MAX_SITE_LAT && Math.abs(lng) <= 180) return { lat, lng };
  const faulty = Number.isNaN(lat) ? latitude : longitude;
  const text = typeof faulty === 'string' ? faulty.slice(0, MOST_NUMBER_CHARACTERS) : '';
  const way =
    guessKind(lat, lng, text) ??
    'Enter latitude (-85 to 85) and longitude in degrees, as in 32.7767 and -96.797.';
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

/** A polygon of corners, each a latitude and a longitude, or why it is none; repeated corners count once. */
export const toPolygon = (pairs: readonly (readonly unknown[])[]): SiteShape | string => {
  const places = pairs.map(([latitude, longitude]) => toPlace(latitude, longitude));
  const fault = places.findIndex((place) => typeof place === 'string');
  if (fault >= 0) return `Corner ${fault + 1}: ${String(places[fault])}`;
  const all = (places as LatLng[]).map(({ lat, lng }): [number, number] => [lat, lng]);
  const corners = all.filter(([lat, lng], i) => {
    const before = all.at(i - 1)!;
    return all.length === 1 || lat !== before[0] || lng !== before[1];
  });
  return corners.length > MAX_CORNERS
    ? `It has ${formatWhole(corners.length)} corners, and at most ${MAX_CORNERS} are possible: simplify its outline.`
    : { type: 'polygon', corners };
};

const STREET =
  /\b(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|hwy|highway|pkwy|parkway|ct|court|way)\b/i;

/** Whether a text is a US street address: "123 Main St", or one that ends in a state and a ZIP code. */
export const isAddress = (text: string): boolean =>
  (/^\d+\w?\s+\S/.test(text) && STREET.test(text)) || /\b[A-Z]{2}\.?,?\s+\d{5}(?:-\d{4})?$/.test(text);

/** Why the place of a site may be wrong: it is not where US carriers drive, and would be with other signs or swapped. */
const toPlaceWarnings = (shape: SiteShape): string[] => {
  const places: readonly (readonly [number, number])[] =
    shape.type === 'circle' ? [[shape.lat, shape.lng]] : shape.corners;
  for (const [corner, [lat, lng]] of places.entries()) {
    const guess = isLand({ lat, lng }) ? null : guessPlace({ lat, lng });
    const what = shape.type === 'circle' ? 'It' : `Its corner ${corner + 1}`;
    if (guess !== null) return [`${what} is at ${toCoordinatesText({ lat, lng })}. ${guess}`];
  }
  return [];
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
  const notes = textOf('notes');
  if (notes !== undefined) site.notes = notes;
  const [kind, category, color, margin, hours] = [
    'kind',
    'category',
    'color',
    'margin_m',
    'opening_hours',
  ].map((property) => textOf(property)?.trim());
  if (kind) {
    site.kind = parseKind(kind);
    if (site.kind === null)
      faults.push(`“${kind}” is no kind of site: use ${Object.values(SITE_KIND_LABELS).join(', ')}.`);
  } else if (category) {
    const known = parseKind(category);
    if (known === null) warnings.push(`“${category}” is no kind of site, and is not read.`);
    else site.kind = known;
  }
  if (color) {
    const [, digits] = /^#?([0-9a-f]{6})$/i.exec(color) ?? [];
    if (digits === undefined) faults.push(`“${color}” is no color: write it as #rrggbb, such as #2f7de1.`);
    else site.color = `#${digits.toLowerCase()}`;
  }
  if (margin) {
    site.marginM = Math.round(parseMeters(margin, 'm'));
    if (!(Number(site.marginM) <= MAX_MARGIN_M))
      faults.push(`Its margin is “${margin}”. Enter one from 0 to 1,000 m, as in 75 or 250 ft.`);
  }
  if (hours !== undefined) {
    site.openingHours = hours === '' ? null : parseHours(hours);
    if (hours !== '' && site.openingHours === null)
      faults.push(`“${hours}” are no opening hours: write “Mon-Fri 08:00-17:00; America/Chicago”.`);
  }
  return { where, site, faults, warnings };
};
