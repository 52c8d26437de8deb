import { formatWhole } from '../view/format';
import { METERS_PER_FOOT, METERS_PER_MILE } from '@/lib/geo/units';
import { centerOf } from '@/lib/rules/geometry/center';
import { formatHours } from '@/lib/rules/hours';
import { SITE_KIND_LABELS } from './kinds/labels';
import type { SiteInput, SiteShape } from '@/lib/rules/site';

const degrees = (value: number): string => String(Math.round(value * 1e5) / 1e5);

/** "820 ft", "1.25 mi". */
export const radiusText = (radiusM: number): string =>
  radiusM < METERS_PER_MILE
    ? `${formatWhole(Math.round(radiusM / METERS_PER_FOOT))} ft`
    : `${Math.round((radiusM / METERS_PER_MILE) * 100) / 100} mi`;

/** "circle of 820 ft about 32.77815, -96.7954", "polygon of 5 corners about 32.77815, -96.7954". */
export const shapeText = (shape: SiteShape): string => {
  const { lat, lng } = centerOf(shape);
  const what =
    shape.type === 'circle'
      ? `circle of ${radiusText(shape.radiusM)}`
      : `polygon of ${shape.corners.length} corners`;
  return `${what} about ${degrees(lat)}, ${degrees(lng)}`;
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
