import { afterEach, describe, expect, it, test, vi } from 'vitest';
import {
  fixAgeText,
  fixOldText,
  formatDay,
  formatDayAndTime,
  formatExactTime,
  formatHour,
  formatMinute,
  formatMoment,
  formatTime,
  formatWhole,
  shortFixAgeText,
  inLocalTimes,
  joinMoments,
} from './format';

test('groups the digits of a whole number as Intl does', () => {
  for (const count of [0, 7, 999, 1000, 1214, 98_765, 100_000, 1_234_567, -45_000])
    expect(formatWhole(count)).toBe(count.toLocaleString('en-US'));
});

it('gives the age of a fix, and marks one from the future as wrong', () => {
  expect(fixAgeText(12_000)).toBe('12 s ago');
  expect(fixAgeText(-110_000)).toBe('0 s ago');
  expect(fixAgeText(-3_600_000)).toBe('in the future (its clock is wrong)');
  const texts = (ageMs: number) => [shortFixAgeText(ageMs), `fix ${fixOldText(ageMs)}`];
  expect(texts(12_000)).toEqual(['12 s', 'fix 12 s old']);
  expect(texts(6_059_000)).toEqual(['1 h 40 m', 'fix 1 h 40 m old']);
  expect(texts(-110_000)).toEqual(['0 s', 'fix 0 s old']);
  expect(texts(-3_600_000)).toEqual(['future', 'fix dated in the future']);
});

const NOW_MS = Date.UTC(2026, 10, 20, 20);
const inChicago = (text: string) => inLocalTimes(text, NOW_MS, 'America/Chicago');

test('converts UTC times to the reader’s zone, with the day where it differs there', () => {
  expect(
    inChicago('Its device was D1 until 2026-11-20 14:07:31 UTC and is D2 since 2026-11-20 05:59:59 UTC.'),
  ).toBe('Its device was D1 until 8:07:31 AM CST and is D2 since Nov 19, 11:59:59 PM CST.');
});

test('gives a date its year half a year away, unless it is not known how far that is', () => {
  const DAY_MS = 86_400_000;
  const texts = (nowMs: number) => [
    formatMoment(NOW_MS, nowMs, 'America/Chicago'),
    formatExactTime(NOW_MS, nowMs, 'America/Chicago'),
    formatDayAndTime(NOW_MS, nowMs, 'America/Chicago'),
    formatDay(NOW_MS, nowMs),
  ];
  const near = ['Nov 20, 2:00 PM', 'Nov 20, 2:00:00 PM CST', 'Fri, Nov 20, 2:00 PM CST', 'Fri, Nov 20'];
  expect(texts(NOW_MS + 100 * DAY_MS)).toEqual(near);
  expect(texts(0)).toEqual(near);
  for (const days of [-360, 360])
    expect(texts(NOW_MS + days * DAY_MS)).toEqual(near.map((text) => text.replace('20', '20, 2026')));
});

test('leaves times of another year, and all other text, unchanged', () => {
  for (const text of ['Its clock says 2007-04-07 00:00:00 UTC.', 'No time at all, 2026-11-20.', ''])
    expect(inChicago(text)).toBe(text);
});

/** Runs `work` with the machine in a time zone. */
const inZone = <T>(zone: string, work: () => T): T => {
  const { TZ } = process.env;
  process.env.TZ = zone;
  try {
    return work();
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
};

test('follows the machine into another time zone while the page is open', () => {
  const zones = ['America/Chicago', 'Asia/Tokyo', 'America/Phoenix', 'America/Denver', 'Pacific/Kiritimati'];
  const write = (ms: number, zone?: string) => [
    formatMoment(ms, ms - 10 * 86_400_000, zone),
    formatExactTime(ms, ms - 10 * 86_400_000, zone),
    formatDayAndTime(ms, 0, zone),
    formatTime(ms, zone),
  ];
  // There and back again, in winter and in summer.
  for (const ms of [NOW_MS, NOW_MS - 120 * 86_400_000])
    for (const zone of [...zones, ...zones.toReversed()])
      expect(inZone(zone, () => [...write(ms), formatDay(ms, ms)])).toEqual([
        ...write(ms, zone),
        formatDayAndTime(ms, ms, zone).split(', ').slice(0, 2).join(', '),
      ]);
});

describe('the hour that comes twice in autumn', () => {
  const TWICE_MS = Date.UTC(2026, 10, 1, 6, 30);
  const HOUR_MS = 3_600_000;

  it('is written with its zone, and no other hour is', () => {
    const around = [-2, -1, 0, 1, 2].map((hours) => TWICE_MS + hours * HOUR_MS);
    const texts = ['11:30 PM', '12:30 AM', '1:30 AM CDT', '1:30 AM CST', '2:30 AM'];
    expect(around.map((ms) => formatMinute(ms, 'America/Chicago'))).toEqual(texts);
    inZone('America/Chicago', () => expect(around.map((ms) => formatMinute(ms))).toEqual(texts));
    expect(formatTime(TWICE_MS, 'America/Chicago')).toBe('1:30:00 AM CDT');
    expect(formatMoment(TWICE_MS + HOUR_MS, NOW_MS, 'America/Chicago')).toBe('Nov 1, 1:30 AM CST');
    expect(formatHour(TWICE_MS + HOUR_MS / 2, 'America/Chicago')).toBe('1 AM CST');
    expect(around.map((ms) => formatMinute(ms, 'America/Phoenix')).join()).not.toMatch(/MST/);
    // In spring an hour is left out, and none comes twice.
    const spring = Date.UTC(2026, 2, 8, 8, 30);
    expect([0, 1].map((hours) => formatMinute(spring - hours * HOUR_MS, 'America/Chicago'))).toEqual([
      '3:30 AM',
      '1:30 AM',
    ]);
  });

  it('makes no two moments of a day the same text, in any zone', () => {
    const zones = ['America/Chicago', 'America/St_Johns', 'Europe/London', 'Australia/Lord_Howe', 'UTC'];
    for (const zone of zones)
      for (const dayMs of [Date.UTC(2026, 3, 4), Date.UTC(2026, 9, 25), Date.UTC(2026, 10, 1)]) {
        const moments = Array.from({ length: 96 }, (_, i) => dayMs + i * 15 * 60_000);
        const write = (own?: string) => moments.map((ms) => formatMoment(ms, 0, own));
        const named = write(zone);
        expect(new Set(named).size, `${zone} ${dayMs}`).toBe(moments.length);
        expect(inZone(zone, () => write())).toEqual(named);
      }
  });
});

test('gives the same times in the viewer’s zone as in a named one', () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (let ms = NOW_MS; ms > NOW_MS - 400 * 86_400_000; ms -= 7_654_321) {
    expect(formatTime(ms)).toBe(formatTime(ms, timeZone));
    expect(formatMoment(ms, NOW_MS)).toBe(formatMoment(ms, NOW_MS, timeZone));
  }
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The times that a page shows for which this is stored of the chosen clock. */
const textsOf = async (getItem: () => string | null) => {
  vi.stubGlobal('window', { localStorage: { getItem } });
  vi.resetModules();
  const texts = await import('./format');
  const zone = 'America/Chicago';
  const at = (hour: number, minute = 0) => new Date(2026, 10, 20, hour, minute, 10).getTime();
  return [
    ...[0, 9, 12, 14].map((hour) => texts.formatMinute(at(hour, 3))),
    texts.formatTime(at(14, 3)),
    ...[0, 6, 12].map((hour) => texts.formatHour(at(hour))),
    texts.formatHour(at(6, 30)),
    texts.formatMinuteOfDay(485),
    texts.formatMinuteOfDay(1440),
    texts.formatMinute(NOW_MS, zone),
    texts.formatHour(NOW_MS, zone),
    texts.formatZonedMoment(NOW_MS, NOW_MS, zone),
    texts.formatDayAndTime(NOW_MS, NOW_MS, zone),
    texts.inLocalTimes('since 2026-11-20 14:07:31 UTC', NOW_MS, zone),
  ];
};

test('writes 12-hour times, also where a browser stores nothing, and 24-hour ones where they are chosen', async () => {
  const twelve = [
    ...['12:03 AM', '9:03 AM', '12:03 PM', '2:03 PM', '2:03:10 PM', '12 AM', '6 AM', '12 PM', '6:30 AM'],
    ...['8:05 AM', '12:00 AM', '2:00 PM', '2 PM', '2:00 PM CST', 'Fri, Nov 20, 2:00 PM CST'],
    'since 8:07:31 AM CST',
  ];
  expect(await textsOf(() => null)).toEqual(twelve);
  const forbid = () => {
    throw new Error('forbidden');
  };
  expect(await textsOf(forbid)).toEqual(twelve);
  expect(await textsOf(() => '24')).toEqual([
    ...['00:03', '09:03', '12:03', '14:03', '14:03:10', '00:00', '06:00', '12:00', '06:30'],
    ...['08:05', '24:00', '14:00', '14:00', '14:00 CST', 'Fri, Nov 20, 14:00 CST'],
    'since 08:07:31 CST',
  ]);
});

it.each([
  ['2:10 PM', '3:40 PM', '2:10–3:40 PM'],
  ['11:40 AM', '1:10 PM', '11:40 AM–1:10 PM'],
  ['2:10 PM CST', '3:40 PM CST', '2:10–3:40 PM CST'],
  ['Nov 30, 8:41 AM', 'Nov 30, 9:10 AM', 'Nov 30, 8:41–9:10 AM'],
  ['4:35 PM', 'Nov 30, 4:15 PM', '4:35 PM–Nov 30, 4:15 PM'],
  ['Nov 30, 8:41 AM', 'Dec 2, 3:34 AM', 'Nov 30, 8:41 AM–Dec 2, 3:34 AM'],
  ['1:30 AM CDT', '1:10 AM CST', '1:30 AM CDT–1:10 AM CST'],
  ['14:10', '15:40', '14:10–15:40'],
  ['2:10 PM', '2:10 PM', '2:10 PM'],
])('joins %s and %s', (from, to, text) => {
  expect(joinMoments(from, to)).toBe(text);
});
