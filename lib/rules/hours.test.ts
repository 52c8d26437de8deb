import { expect, it } from 'vitest';
import { formatHours, parseHours } from './hours';
import type { WeeklyHours } from './site';

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
