import { guessPlace, isLand, toCoordinatesText } from '../../gazetteer/plausible-place';
import { METERS_PER_FOOT, METERS_PER_MILE } from '../../wire/units';
import { formatHours, parseHours } from '../hours';
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

/** The radius of a site by the property that has one, or the default, in meters; null: there is none. */
export const toRadius = (textOf: TextOf, { radiusM, unit }: FileDefaults): number | null => {
  for (const each of ['m', 'mi', 'ft'] as const) {
    const text = textOf(`radius_${each}`)?.trim();
    if (text) return parseRadiusM(text, each);
  }
  const text = textOf('radius')?.trim();
  return text ? parseRadiusM(text, unit) : radiusM;
};

/** A circle, or why it is none. */
export const toCircle = (
  { lat, lng }: { lat: number; lng: number },
  radiusM: number | null,
): SiteShape | string => {
  if (lat === 0 && lng === 0)
    return 'Its place is 0, 0, which programs write where they have none: enter its latitude and longitude.';
  if (radiusM === null)
    return 'A point needs a radius: give it radius_m, radius_ft or radius_mi, or a radius for all points above.';
  return { type: 'circle', lat, lng, radiusM };
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
