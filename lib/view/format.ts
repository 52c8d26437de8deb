import { browserStore } from '@/lib/base/stored';
import { METERS_PER_FOOT, METERS_PER_MILE } from '@/lib/geo/units';
import { withOneUtc } from '@/lib/base/text/zone-name';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/base/time';

const KM_PER_MILE = METERS_PER_MILE / 1000;

export const toMph = (kph: number): number => Math.round(kph / KM_PER_MILE);

/** A whole number: "1,214". By hand, because Intl's first number costs a page 30 ms of processor time. */
export const formatWhole = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** An age in its largest unit: "12 s", "9 min", "3 h", "2 d". A future moment is "0 s". */
export const formatAge = (ms: number): string => {
  const age = Math.max(ms, 0);
  if (age < MINUTE_MS) return `${Math.floor(age / SECOND_MS)} s`;
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return `${Math.floor(age / DAY_MS)} d`;
};

const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** A duration in its two largest units: "45 s", "38 min", "2 h 14 m", "3 d 4 h". */
export const formatDuration = (ms: number): string => {
  if (ms < HOUR_MS) return formatAge(ms);
  if (ms < DAY_MS) {
    const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
    return `${Math.floor(ms / HOUR_MS)} h ${twoDigits(minutes)} m`;
  }
  return `${Math.floor(ms / DAY_MS)} d ${Math.floor((ms % DAY_MS) / HOUR_MS)} h`;
};

/** A road distance: "60 ft", "3.1 mi", "1,214 mi". */
export const formatDistance = (meters: number): string => {
  const miles = meters / METERS_PER_MILE;
  if (miles < 0.1) return `${Math.round(meters / METERS_PER_FOOT / 10) * 10} ft`;
  return miles < 10 ? `${miles.toFixed(1)} mi` : `${formatWhole(Math.round(miles))} mi`;
};

/** "1 fix", "2 fixes". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatWhole(count)} ${count === 1 ? one : many}`;

/** A short count: whole up to 9,999, then "84.2k", "120k", "1.2M". */
export const formatShortCount = (count: number): string => {
  if (count < 10_000) return formatWhole(count);
  if (count < 99_950) return `${(count / 1000).toFixed(1)}k`;
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1e6).toFixed(1)}M`;
};

/** Clocks differ by a little; a time that is further ahead than this is wrong, and not an age of zero. */
const FUTURE_MS = 2 * 60_000;

const isAhead = (ageMs: number): boolean => ageMs < -FUTURE_MS;

/** The age of a fix by its own time: "12 s ago", or that it is from the future. */
export const fixAgeText = (ageMs: number): string =>
  isAhead(ageMs) ? 'in the future (its clock is wrong)' : `${formatAge(ageMs)} ago`;

/** The age of a fix after the word "fix": "12 s old", "dated in the future". */
export const fixOldText = (ageMs: number): string =>
  isAhead(ageMs) ? 'dated in the future' : `${formatDuration(ageMs)} old`;

/** The short form: "12 s", "future". */
export const shortFixAgeText = (ageMs: number): string => (isAhead(ageMs) ? 'future' : formatDuration(ageMs));

/** The key under which a browser stores the chosen clock: "24" or "12". */
export const CLOCK_KEY = 'linehaul-clock';

/** Read once, so that all times of a page agree. A server writes 12-hour times. */
export const is24Hour = browserStore.get(CLOCK_KEY) === '24';

const formats = new Map<string, Intl.DateTimeFormat>();

const toOffsetMin = (ms: number): number => -new Date(ms).getTimezoneOffset();
/** A moment in winter and one in summer. */
const [JANUARY_MS, JULY_MS] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];

/** Names the machine's zone at a moment by its offsets, because a laptop may change it while a page is open. */
const nameOwnZone = (ms: number): string => [ms, JANUARY_MS, JULY_MS].map(toOffsetMin).join();

/** A moment in a format, of which creating one costs far more than using it. */
const format = (ms: number, zone: string | undefined, options: Intl.DateTimeFormatOptions): string => {
  const name = `${zone ?? nameOwnZone(ms)} ${Object.keys(options).join()}`;
  let made = formats.get(name);
  if (made === undefined) {
    const hourCycle = is24Hour ? 'h23' : 'h12';
    made = new Intl.DateTimeFormat('en-US', { hourCycle, timeZone: zone, ...options });
    formats.set(name, made);
  }
  // Some browsers write a narrow space before "PM".
  const text = made.format(ms).replace('\u202F', ' ');
  return options.timeZoneName === undefined ? text : withOneUtc(text, made.resolvedOptions().timeZone);
};

const MINUTES: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };
const TIME: Intl.DateTimeFormatOptions = { ...MINUTES, second: '2-digit' };
const TIME_AND_ZONE: Intl.DateTimeFormatOptions = { ...TIME, timeZoneName: 'short' };
const MINUTES_AND_ZONE: Intl.DateTimeFormatOptions = { ...MINUTES, timeZoneName: 'short' };
const DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };
const DATE: Intl.DateTimeFormatOptions = { ...DAY, year: 'numeric' };
const WEEKDAY: Intl.DateTimeFormatOptions = { weekday: 'short', ...DAY };

/** Further off than this, a day without its year is ambiguous. */
const HALF_A_YEAR_MS = 182 * 86_400_000;

/** The options of a date, with its year where it needs one. A `nowMs` of 0 is not known. */
const withYear = (options: Intl.DateTimeFormatOptions, ms: number, nowMs: number) =>
  nowMs !== 0 && Math.abs(nowMs - ms) >= HALF_A_YEAR_MS
    ? ({ ...options, year: 'numeric' } satisfies Intl.DateTimeFormatOptions)
    : options;

/** By hand: the first screen shows such times, and a phone's first Intl format takes it 0.1 s. */
const toClockText = (hour: number, ...rest: number[]): string => {
  const text = [is24Hour ? twoDigits(hour) : hour % 12 || 12, ...rest.map(twoDigits)].join(':');
  return is24Hour ? text : `${text} ${hour % 24 < 12 ? 'AM' : 'PM'}`;
};

/** A time of day, in minutes after midnight: "2:03 PM", or "14:03" by the 24-hour clock. */
export const formatMinuteOfDay = (minute: number): string =>
  toClockText(Math.floor(minute / 60), minute % 60);

/** The minutes by which clocks are set back in autumn: an hour, on Lord Howe Island half of one. */
const SET_BACK_MIN = [60, 30];

/** Whether the clocks of a zone show a moment's time of day a second time within the hour, because they are set back. */
const isShownTwice = (ms: number, zone: string | undefined): boolean =>
  SET_BACK_MIN.some((byMin) =>
    [byMin, -byMin].some((apartMin) => {
      const otherMs = ms + apartMin * MINUTE_MS;
      return zone === undefined
        ? toOffsetMin(ms) - toOffsetMin(otherMs) === apartMin
        : format(ms, zone, MINUTES) === format(otherMs, zone, MINUTES);
    }),
  );

/** "2:03 PM", "14:03"; in the hour that comes twice in autumn "1:30 AM CDT", and then "1:30 AM CST". */
export const formatMinute = (ms: number, zone?: string): string => {
  if (isShownTwice(ms, zone)) return format(ms, zone, MINUTES_AND_ZONE);
  if (zone !== undefined) return format(ms, zone, MINUTES);
  const date = new Date(ms);
  return toClockText(date.getHours(), date.getMinutes());
};

/** A full hour: "2 PM", "14:00". */
export const formatHour = (ms: number, zone?: string): string => formatMinute(ms, zone).replace(':00 ', ' ');

/** "2:03:10 PM", "14:03:10" in a zone (an IANA name; the viewer's own when left out). */
export const formatTime = (ms: number, zone?: string): string => {
  if (isShownTwice(ms, zone)) return format(ms, zone, TIME_AND_ZONE);
  if (zone !== undefined) return format(ms, zone, TIME);
  const date = new Date(ms);
  return toClockText(date.getHours(), date.getMinutes(), date.getSeconds());
};

/** The day is left out if it is today, and the year within half a year: "2:03 PM", "Nov 20, 2:03 PM", "Nov 20, 2025, 2:03 PM". */
export const formatMoment = (ms: number, nowMs: number, zone?: string): string =>
  withDate(formatMinute(ms, zone), ms, nowMs, zone);

/** A moment to the second; of another day with its date, to the minute: "2:03:10 PM", "Nov 20, 2:03 PM". */
export const formatClock = (ms: number, nowMs: number): string =>
  isSameDay(ms, nowMs) ? formatTime(ms) : formatMoment(ms, nowMs);

/** A moment to the minute, with its zone: "2:03 PM CST", "Nov 20, 2:03 PM CST". */
export const formatZonedMoment = (ms: number, nowMs: number, zone: string): string =>
  withDate(format(ms, zone, MINUTES_AND_ZONE), ms, nowMs, zone);

/** "Tue, Nov 17"; half a year away "Mon, Nov 17, 2025". */
export const formatDay = (ms: number, nowMs: number): string =>
  format(ms, undefined, withYear(WEEKDAY, ms, nowMs));

/** "Tue, Nov 17, 1:36 PM CST"; half a year away "Mon, Nov 17, 2025, 1:36 PM CST". */
export const formatDayAndTime = (ms: number, nowMs: number, zone?: string): string =>
  format(ms, zone, { ...withYear(WEEKDAY, ms, nowMs), ...MINUTES_AND_ZONE });

/** "Past · Tue, Nov 17, 1:36 PM CST". */
export const pastLabel = (atMs: number, nowMs: number): string => `Past · ${formatDayAndTime(atMs, nowMs)}`;

/** A moment to the second, with its zone: "2:07:31 PM CST", "Nov 20, 2:07:31 PM CST". */
export const formatExactTime = (ms: number, nowMs: number, zone?: string): string =>
  withDate(format(ms, zone, TIME_AND_ZONE), ms, nowMs, zone);

/** A time with its date, if that is another than today's. */
const withDate = (time: string, ms: number, nowMs: number, zone?: string): string =>
  isSameDay(ms, nowMs, zone) ? time : `${format(ms, zone, withYear(DAY, ms, nowMs))}, ${time}`;

const isSameDay = (a: number, b: number, zone?: string): boolean =>
  zone === undefined
    ? new Date(a).toDateString() === new Date(b).toDateString()
    : format(a, zone, DATE) === format(b, zone, DATE);

const UTC_TIME = /(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) UTC/g;

/** The server's text with its UTC times in the reader's zone, or in `zone`: "until Nov 20, 8:07:31 AM CST". */
export const inLocalTimes = (text: string, nowMs: number, zone?: string): string =>
  text.replace(UTC_TIME, (utc, day: string, time: string) => {
    const ms = Date.parse(`${day}T${time}Z`);
    return Math.abs(nowMs - ms) < HALF_A_YEAR_MS ? formatExactTime(ms, nowMs, zone) : utc;
  });

/** A moment as text: its day, time, half of the day, and zone. */
const MOMENT = /^(.*?)(\d{1,2}:\d{2})( [AP]M)?( \S+)?$/;

/** Two moments as texts in one text: "2:10–3:40 PM", "4:35 PM–Nov 30, 4:15 PM"; one where both read alike. */
export const joinMoments = (from: string, to: string): string => {
  if (from === to) return to;
  const [, day, time, half = '', zone = ''] = MOMENT.exec(from) ?? [];
  const [, toDay, toTime, toHalf = '', toZone = ''] = MOMENT.exec(to) ?? [];
  if (day === undefined || day !== toDay || zone !== toZone) return `${from}–${to}`;
  return `${day}${time}${half === toHalf ? '' : half}–${toTime}${toHalf}${toZone}`;
};
