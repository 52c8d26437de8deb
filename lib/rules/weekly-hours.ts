import { toWallClock } from '@/lib/trips/days';
import type { WeeklyHours } from './site';

const DAY_MIN = 24 * 60;

/**
 * Whether a moment is within hours of the week, as the clocks of their time zone show them: of an hour that they show twice
 * both are, and one that they skip is not there.
 *
 * @throws RangeError for a time zone that does not exist
 */
export const isWithinHours = ({ timeZone, days }: WeeklyHours, atMs: number): boolean => {
  const [date = '', time = ''] = toWallClock(atMs, timeZone).split(' ');
  const minute = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  const weekday = new Date(date).getUTCDay() || 7;
  const yesterday = weekday === 1 ? 7 : weekday - 1;
  return days.some(({ weekdays, fromMin, toMin }) => {
    const endMin = toMin <= fromMin ? toMin + DAY_MIN : toMin;
    return (
      (weekdays.includes(weekday) && minute >= fromMin && minute < endMin) ||
      (weekdays.includes(yesterday) && minute + DAY_MIN < endMin)
    );
  });
};
