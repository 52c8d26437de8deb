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

const METERS = { m: 1, mi: METERS_PER_MILE, ft: METERS_PER_FOOT };

/** A radius by the name of its property, which says its unit; meters to a tenth. */
const readRadiusM = (textOf: TextOf): number | undefined => {
  for (const [unit, meters] of Object.entries(METERS)) {
    const text = textOf(`radius_${unit}`)?.trim();
    // Of feet and miles no more is meant; meters are as they were written.
    if (text) return unit === 'm' ? Number(text) : Math.round(Number(text) * meters * 10) / 10;
  }
  return undefined;
};

/** A circle, or why it is none. */
export const toCircle = (
  { lat, lng }: { lat: number; lng: number },
  textOf: TextOf,
  defaultRadiusM: number | null,
): SiteShape | string => {
  const radiusM = readRadiusM(textOf) ?? defaultRadiusM;
  if (radiusM === null)
    return 'A point needs a radius: give it radius_m, radius_ft or radius_mi, or a radius for all points above.';
  return { type: 'circle', lat, lng, radiusM };
};

/** A site of a file from its texts. `shape` is why it has none, if it is a text. */
export const toCandidate = (where: string, textOf: TextOf, shape: SiteShape | string): Candidate => {
  const faults = typeof shape === 'string' ? [shape] : [];
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
  return { where, site, faults };
};
