import { formatMoment } from '../../view/format';
import { type ListedVisit, type SiteVisits, DWELL_STEPS_MIN } from './answer';
import { MINUTE_MS } from '@/lib/base/time';

/** Between two times further apart than this it is not known when a unit came or went. */
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

/** What is known of a site while the recording is searched for visits to it; null: all. */
export const scanText = (scan: SiteVisits['scan'], nowMs: number, zone?: string): string | null =>
  scan === null || scan.share >= 1
    ? null
    : `Watched since ${formatMoment(scan.watchedFromMs, nowMs, zone)}. Earlier visits are being looked up in the recording: ${Math.floor(scan.share * 100)}%.`;
