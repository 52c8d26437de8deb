import { formatHours } from './hours';
import type { Site, SiteInput, SiteKind, SiteShape } from './schema';

export const SITE_KIND_LABELS: Record<SiteKind, string> = {
  yard: 'Yard',
  customer: 'Customer',
  fuel: 'Fuel stop',
  noGo: 'No-go area',
  other: 'Other',
};

const degrees = (value: number): string => String(Math.round(value * 1e5) / 1e5);

/** "circle of 250 m about 32.77815, -96.7954", "polygon of 5 corners about 32.77815, -96.7954". */
export const shapeText = (shape: SiteShape): string => {
  if (shape.type === 'circle')
    return `circle of ${Math.round(shape.radiusM)} m about ${degrees(shape.lat)}, ${degrees(shape.lng)}`;
  const count = shape.corners.length;
  const [lat, lng] = [0, 1].map(
    (axis) => shape.corners.reduce((sum, corner) => sum + corner[axis]!, 0) / count,
  );
  return `polygon of ${count} corners about ${degrees(lat!)}, ${degrees(lng!)}`;
};

const shapeKey = (shape: SiteShape): string =>
  shape.type === 'circle'
    ? JSON.stringify([shape.lat, shape.lng, shape.radiusM])
    : JSON.stringify(shape.corners);

/** Each property of a site as text, by which two sites are compared. */
const TEXTS: { [Name in keyof SiteInput]: (value: SiteInput[Name]) => string } = {
  name: (name) => name,
  kind: (kind) => SITE_KIND_LABELS[kind],
  color: (color) => color,
  notes: (notes) => notes,
  openingHours: (hours) => (hours === null ? '' : formatHours(hours)),
  marginM: (marginM) => `${marginM} m`,
  shape: shapeKey,
};

const NAMES = Object.keys(TEXTS) as (keyof SiteInput)[];

/** A property as it is shown in the audit log. */
const toShown = <Name extends keyof SiteInput>(name: Name, site: SiteInput): string =>
  name === 'shape' ? shapeText(site.shape) : TEXTS[name](site[name]);

/** The properties in which two sites differ, each as text before and after. */
export const siteChanges = (
  before: SiteInput,
  after: SiteInput,
): Partial<Record<keyof SiteInput, { before: string; after: string }>> => {
  const differs = <Name extends keyof SiteInput>(name: Name): boolean =>
    TEXTS[name](before[name]) !== TEXTS[name](after[name]);
  return Object.fromEntries(
    NAMES.filter(differs).map((name) => [
      name,
      { before: toShown(name, before), after: toShown(name, after) },
    ]),
  );
};

/** Sites by name as people order them: "Yard 9" before "Yard 10". */
export const bySiteName = (a: Pick<Site, 'name'>, b: Pick<Site, 'name'>): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true, sensitivity: 'base' });
