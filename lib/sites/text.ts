import { formatWhole, formatMoment } from '../view/format';
import { METERS_PER_FOOT, METERS_PER_MILE } from '@/lib/geo/units';
import { centerOf } from '@/lib/rules/polygon';
import { formatHours } from '@/lib/rules/hours';
import { SITE_KIND_LABELS } from './kinds';
import type { SiteInput, SiteShape } from '@/lib/rules/site';
import { type ListedVisit, type SiteVisits, DWELL_STEPS_MIN } from './answers';
import { MINUTE_MS } from '@/lib/base/time';

const degrees = (value: number): string => String(Math.round(value * 1e5) / 1e5);

/** "820 ft", "1.25 mi". */
const radiusText = (radiusM: number): string =>
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

/** The longest span between two fixes by which it is known when a unit came or went. */
const KNOWN_MS = 5 * MINUTE_MS;

type Arrival = Pick<ListedVisit, 'arrivedAfterMs' | 'arrivedMs'>;
type Departure = Pick<ListedVisit, 'leftMs' | 'leftByMs'>;

/** "between 10:12 AM and 10:40 AM"; the second of another day with its date. */
const between = (fromMs: number, toMs: number, nowMs: number, zone?: string): string =>
  `between ${formatMoment(fromMs, nowMs, zone)} and ${formatMoment(toMs, fromMs, zone)}`;

/** When a unit arrived: "10:12 AM", "between 10:12 AM and 10:40 AM"; "by 10:12 AM" where no fix tells that it was elsewhere before. */
export const arrivalText = ({ arrivedAfterMs, arrivedMs }: Arrival, nowMs: number, zone?: string): string => {
  if (arrivedAfterMs === null) return `by ${formatMoment(arrivedMs, nowMs, zone)}`;
  return arrivedMs - arrivedAfterMs > KNOWN_MS
    ? between(arrivedAfterMs, arrivedMs, nowMs, zone)
    : formatMoment(arrivedMs, nowMs, zone);
};

/** When a unit left: "12:01 PM", "between 12:01 PM and 12:30 PM"; "after 12:01 PM" where no later fix tells; null while it is there. */
export const departureText = (
  { leftMs, leftByMs }: Departure,
  nowMs: number,
  zone?: string,
): string | null => {
  if (leftMs === null) return null;
  if (leftByMs === null) return `after ${formatMoment(leftMs, nowMs, zone)}`;
  return leftByMs - leftMs > KNOWN_MS
    ? between(leftMs, leftByMs, nowMs, zone)
    : formatMoment(leftMs, nowMs, zone);
};

const hoursText = (minutes: number): string => (minutes < 60 ? `${minutes}` : `${minutes / 60}`);

/** The bars of the histogram: "under 15 min", "1–2 h", "1 day or more". */
export const DWELL_LABELS: readonly string[] = DWELL_STEPS_MIN.map((fromMin, step) => {
  const toMin = DWELL_STEPS_MIN[step + 1];
  if (toMin === undefined) return '1 day or more';
  if (fromMin === 0) return `under ${toMin} min`;
  return `${hoursText(fromMin)}–${toMin > 60 ? hoursText(toMin) : toMin} ${toMin > 60 ? 'h' : 'min'}`;
});

/** The word for a visit that fixes prove which came late. */
export const LEARNED_LATER = 'learned later';

/** How far the recording has been searched for visits to a site; null: it has been. */
export const scanText = (scan: SiteVisits['scan'], nowMs: number, zone?: string): string | null =>
  scan === null || scan.share >= 1
    ? null
    : `Watched since ${formatMoment(scan.watchedFromMs, nowMs, zone)}. Earlier visits are being looked up in the recording: ${Math.floor(scan.share * 100)}%.`;
