import { expect, it } from 'vitest';
import { formatHours, parseHours, isWithinHours } from './hours';
import { type WeeklyHours, weeklyHoursSchema } from './site';
import fc from 'fast-check';

const zone = { timeZone: 'America/Chicago' };

it.each([
  ['Mon-Fri 08:00-17:00; America/Chicago', [{ weekdays: [1, 2, 3, 4, 5], fromMin: 480, toMin: 1020 }]],
  [
    'Mon,Wed-Thu 22:00-06:00; Sat-Sun 00:00-24:00; America/Chicago',
    [
      { weekdays: [1, 3, 4], fromMin: 1320, toMin: 360 },
      { weekdays: [6, 7], fromMin: 0, toMin: 1440 },
    ],
  ],
] as [string, WeeklyHours['days']][])('%s is written and read', (text, days) => {
  expect(formatHours({ ...zone, days })).toBe(text);
  expect(parseHours(text)).toEqual({ ...zone, days });
});

it('reads short names of days, other dashes, and days over the end of the week', () => {
  expect(parseHours('mo – fr 8:00 – 17:00;Sat-Mon 1:00-2:00;UTC')).toEqual({
    timeZone: 'UTC',
    days: [
      { weekdays: [1, 2, 3, 4, 5], fromMin: 480, toMin: 1020 },
      { weekdays: [1, 6, 7], fromMin: 60, toMin: 120 },
    ],
  });
});

it.each([
  '',
  'America/Chicago',
  'Mon-Fri; UTC',
  'Xyz 08:00-17:00; UTC',
  'Mon 08:00-25:00; UTC',
  'Mon 8-17; UTC',
])('%j cannot be read', (text) => expect(parseHours(text)).toBeNull());

const WEEK = [1, 2, 3, 4, 5, 6, 7];
const hours = (
  fromMin: number,
  toMin: number,
  weekdays = WEEK,
  timeZone = 'America/Chicago',
): WeeklyHours => ({
  timeZone,
  days: [{ weekdays, fromMin, toMin }],
});
/** 2026-03-10 is a Tuesday; Chicago is five hours behind UTC then. */
const chicago = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 2, day, hour + 5, minute);

it('hours begin with their first minute and end before their last', () => {
  const day = hours(8 * 60, 17 * 60 + 30);
  expect(isWithinHours(day, chicago(10, 7, 59))).toBe(false);
  expect(isWithinHours(day, chicago(10, 8))).toBe(true);
  expect(isWithinHours(day, chicago(10, 17, 29))).toBe(true);
  expect(isWithinHours(day, chicago(10, 17, 30))).toBe(false);
});

it('weekdays are those of the time zone', () => {
  const tuesday = (zone: string) => hours(0, 1440, [2], zone);
  expect(isWithinHours(tuesday('America/Chicago'), chicago(10, 20))).toBe(true);
  expect(isWithinHours(tuesday('UTC'), chicago(10, 20))).toBe(false);
  expect(isWithinHours(tuesday('America/Chicago'), chicago(11, 0))).toBe(false);
  expect(isWithinHours(hours(0, 1440, [7]), chicago(15, 23, 59))).toBe(true);
  expect(isWithinHours(hours(0, 1440, [1]), chicago(16, 0))).toBe(true);
});

it('hours over midnight belong to the day on which they begin', () => {
  const night = hours(22 * 60, 6 * 60, [2, 7]);
  expect(isWithinHours(night, chicago(10, 5))).toBe(false);
  expect(isWithinHours(night, chicago(10, 21, 59))).toBe(false);
  expect(isWithinHours(night, chicago(10, 22))).toBe(true);
  expect(isWithinHours(night, chicago(11, 5, 59))).toBe(true);
  expect(isWithinHours(night, chicago(11, 6))).toBe(false);
  expect(isWithinHours(night, chicago(11, 23))).toBe(false);
  // From Sunday to Monday.
  expect(isWithinHours(night, chicago(16, 3))).toBe(true);
});

it('hours that end when they begin last for a day', () => {
  const day = hours(6 * 60, 6 * 60, [2]);
  expect(isWithinHours(day, chicago(10, 5, 59))).toBe(false);
  expect(isWithinHours(day, chicago(10, 6))).toBe(true);
  expect(isWithinHours(day, chicago(11, 5, 59))).toBe(true);
  expect(isWithinHours(day, chicago(11, 6))).toBe(false);
});

it('daylight saving shifts them, and an hour that comes twice counts twice', () => {
  const morning = hours(8 * 60, 9 * 60);
  // On March 8, 2026 the clocks of Chicago went from 2 to 3, and UTC − 6 became UTC − 5.
  expect(isWithinHours(morning, Date.UTC(2026, 2, 7, 14, 30))).toBe(true);
  expect(isWithinHours(morning, Date.UTC(2026, 2, 8, 13, 30))).toBe(true);
  expect(isWithinHours(morning, Date.UTC(2026, 2, 8, 14, 30))).toBe(false);
  const skipped = hours(2 * 60, 3 * 60);
  expect(isWithinHours(skipped, Date.UTC(2026, 2, 8, 7, 59))).toBe(false);
  expect(isWithinHours(skipped, Date.UTC(2026, 2, 8, 8, 0))).toBe(false);
  // On November 1 they show the hour from 1 to 2 twice.
  const twice = hours(60, 120);
  expect(isWithinHours(twice, Date.UTC(2026, 10, 1, 6, 30))).toBe(true);
  expect(isWithinHours(twice, Date.UTC(2026, 10, 1, 7, 30))).toBe(true);
  expect(isWithinHours(twice, Date.UTC(2026, 10, 1, 8, 0))).toBe(false);
});

it('hours and those between them fill each week', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const at = fc.integer({ min: chicago(1, 0), max: chicago(31, 0) });
  fc.assert(
    fc.property(minute, minute, at, (fromMin, toMin, atMs) => {
      fc.pre(fromMin !== toMin);
      expect(isWithinHours(hours(fromMin, toMin), atMs)).not.toBe(isWithinHours(hours(toMin, fromMin), atMs));
    }),
  );
});

it('a time zone that does not exist is refused on entry', () => {
  expect(weeklyHoursSchema.safeParse(hours(0, 60)).success).toBe(true);
  expect(weeklyHoursSchema.safeParse(hours(0, 60, WEEK, 'America/Gotham')).success).toBe(false);
});
