import { HOUR_MS } from '@/lib/base/time';
import { formatCount, formatWhole } from '@/lib/view/format';
import { WEEKDAYS, arrivalsOf, type FacilityGroup, type FacilityRow } from './facilities';

export const FACILITY_LABELS: Record<FacilityGroup, string> = { site: 'Site', customer: 'Customer' };

const toPercent = (part: number, whole: number): number => Math.round((100 * part) / whole);

/** "82%", or "82–90%" where some may have been in time; null where no truck was seen to come to an appointment. */
export const inTimeText = (row: FacilityRow): string | null => {
  const arrivals = arrivalsOf(row);
  if (arrivals === 0) return null;
  const [least, most] = [toPercent(row.inTime, arrivals), toPercent(row.inTime + row.maybeInTime, arrivals)];
  return least === most ? `${least}%` : `${least}–${most}%`;
};

/** What the share on time is of: "of 12 arrivals, 2 not seen". */
export const ofArrivalsText = (row: FacilityRow): string =>
  [
    `of ${formatCount(arrivalsOf(row), 'arrival')}`,
    ...(row.notSeen > 0 ? [`${formatWhole(row.notSeen)} not seen`] : []),
  ].join(', ');

/** How long the stays of a facility are beside those of the fleet: "1.8× the fleet"; null where one of them is not known. */
export const besideFleetText = (row: FacilityRow, fleet: FacilityRow | undefined): string | null =>
  row.medianMs === null || !fleet?.medianMs ? null : `${(row.medianMs / fleet.medianMs).toFixed(1)}×`;

export const moneyText = (cents: number): string =>
  `$${formatWhole(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')}`;

/** "Mon 4 h, Tue 12 h": the weekdays on which trucks were there. */
export const weekdaysText = ({ weekdayMs }: Pick<FacilityRow, 'weekdayMs'>): string =>
  WEEKDAYS.flatMap((day, i) =>
    weekdayMs[i]! > 0 ? [`${day} ${formatWhole(Math.max(1, Math.round(weekdayMs[i]! / HOUR_MS)))} h`] : [],
  ).join(', ') || 'No truck was there';
