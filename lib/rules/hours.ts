import type { WeeklyHours } from './site';
import { toWallClock } from '@/lib/trips/days';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const two = (value: number): string => String(value).padStart(2, '0');

/** Minutes after midnight as "08:00"; the end of the day is "24:00". */
export const formatMinute = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** "Mon-Fri", "Mon,Wed-Thu", with other signs if given. */
export const formatWeekdays = (weekdays: readonly number[], dash = '-', comma = ','): string => {
  const runs: [first: number, last: number][] = [];
  for (const day of [...new Set(weekdays)].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === day - 1) run[1] = day;
    else runs.push([day, day]);
  }
  return runs
    .map(([first, last]) => (first === last ? DAYS[first - 1] : `${DAYS[first - 1]}${dash}${DAYS[last - 1]}`))
    .join(comma);
};

/** Hours of a week as text, which `parseHours` reads: "Mon-Fri 08:00-17:00; Sat 08:00-12:00; America/Chicago". */
export const formatHours = ({ days, timeZone }: WeeklyHours): string =>
  [
    ...days.map(
      ({ weekdays, fromMin, toMin }) =>
        `${formatWeekdays(weekdays)} ${formatMinute(fromMin)}-${formatMinute(toMin)}`,
    ),
    timeZone,
  ].join('; ');

/** "08:00" in minutes after midnight; null where it is no time of day. */
export const parseMinute = (text: string): number | null => {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && minute <= 24 * 60 ? minute : null;
};

/** The ISO weekday by its first two letters in any case; 0: none. */
const toWeekday = (text: string): number =>
  1 + DAYS.findIndex((day) => day.slice(0, 2).toLowerCase() === text.trim().slice(0, 2).toLowerCase());

const parseWeekdays = (text: string): number[] | null => {
  const weekdays = text.split(',').flatMap((part) => {
    const [first, last = first] = part.split(/[-–]/).map(toWeekday) as [number, number?];
    // "Sat-Mon" goes over the end of the week.
    const count = ((last! - first + 7) % 7) + 1;
    return first === 0 || last === 0
      ? [0]
      : Array.from({ length: count }, (_, i) => ((first - 1 + i) % 7) + 1);
  });
  return weekdays.includes(0) ? null : weekdays.sort((a, b) => a - b);
};

const LINE = /^([\p{L},\s–-]+?)\s+(\d{1,2}:\d{2})\s*[-–]\s*(\d{1,2}:\d{2})$/u;

const parseLine = (line: string): WeeklyHours['days'][number] | null => {
  const [, days, from, to] = LINE.exec(line) ?? [];
  const weekdays = parseWeekdays(days ?? '');
  const [fromMin, toMin] = [parseMinute(from ?? ''), parseMinute(to ?? '')];
  return weekdays === null || fromMin === null || toMin === null ? null : { weekdays, fromMin, toMin };
};

/** The hours that a text names, as `formatHours` writes them; null where it cannot be read. */
export const parseHours = (text: string): WeeklyHours | null => {
  const parts = text.split(';').map((part) => part.trim());
  const timeZone = parts.pop()!;
  const days = parts.map(parseLine);
  return days.length === 0 || days.includes(null)
    ? null
    : { timeZone, days: days.filter((day) => day !== null) };
};

const DAY_MIN = 24 * 60;

/**
 * Whether a moment is within hours of the week by the clocks of their zone: of an hour that comes twice both are, and a
 * skipped one is not there. @throws RangeError for a time zone that does not exist
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
