import { DAY_MS, HOUR_MS } from '@/lib/base/time';
import { getOrMake } from '@/lib/base/maps';

/** Days of a calendar in a time zone, as "2026-11-17". */

export type CivilDay = string;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Sweden writes a date as ISO 8601 does. */
const createFormat = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });

/** The wall clock of a zone: "2026-11-17 13:36:12". @throws RangeError for a zone that is not known */
export const toWallClock = (atMs: number, zone: string): string =>
  getOrMake(formats, zone, () => createFormat(zone)).format(atMs);

/** The day that a zone has at a moment. */
export const dayOf = (atMs: number, zone: string): CivilDay => toWallClock(atMs, zone).slice(0, 10);

/** Whether a text is a day of the calendar. */
export const isDay = (text: string): boolean =>
  /^[12]\d{3}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);

/** The day that many days later. */
export const addDays = (day: CivilDay, days: number): CivilDay =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const toOffsetMs = (atMs: number, zone: string): number =>
  Date.parse(`${toWallClock(atMs, zone).replace(' ', 'T')}Z`) - Math.floor(atMs / 1000) * 1000;

/** The moment at which a zone's clock shows a time: of two the first, of none as much after the change. */
export const toMoment = (day: CivilDay, time: string, zone: string): number => {
  const wallMs = Date.parse(`${day}T${time}Z`);
  // No clock changes twice within two days, so that one of the two offsets about it holds.
  const moments = [-DAY_MS, DAY_MS].map((apartMs) => wallMs - toOffsetMs(wallMs + apartMs, zone));
  const shown = moments.filter((atMs) => atMs + toOffsetMs(atMs, zone) === wallMs);
  return shown.length > 0 ? Math.min(...shown) : moments[0]!;
};

/** An hour that a zone's clock shows a second time: when it is the second, the offset tells the two apart. */
const OFFSET = /[-+ ]\d{2}:\d{2}$/;

const toOffsetText = (offsetMs: number): string => {
  const minutes = Math.abs(offsetMs) / 60_000;
  const parts = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offsetMs < 0 ? '-' : '+'}${parts.join(':')}`;
};

/** The day and the time of a moment in a zone, as addresses name it: "01:30:00", and when that comes again "01:30:00-06:00". */
export const toClockAddress = (atMs: number, zone: string): [day: CivilDay, time: string] => {
  const [day, time] = toWallClock(atMs, zone).split(' ') as [CivilDay, string];
  const isFirst = toMoment(day, time, zone) > atMs - 1000;
  return [day, isFirst ? time : `${time}${toOffsetText(toOffsetMs(atMs, zone))}`];
};

/** The moment that a day and a time of an address name. Queries write a plus as a blank. */
export const fromClockAddress = (day: CivilDay, time: string, zone: string): number => {
  const offset = OFFSET.exec(time)?.[0];
  if (offset === undefined) return toMoment(day, time, zone);
  const atMs = Date.parse(`${day}T${time.replace(' ', '+')}`);
  return Number.isNaN(atMs) ? toMoment(day, time.slice(0, -offset.length), zone) : atMs;
};

/** The range from midnight to midnight in a zone: 23 to 25 hours. */
export const dayRange = (day: CivilDay, zone: string): { fromMs: number; toMs: number } => ({
  fromMs: toMoment(day, '00:00:00', zone),
  toMs: toMoment(addDays(day, 1), '00:00:00', zone),
});

/** That many days of a zone, of which `day` is the last. */
export const daysRange = (day: CivilDay, days: number, zone: string): { fromMs: number; toMs: number } => ({
  fromMs: dayRange(addDays(day, 1 - days), zone).fromMs,
  toMs: dayRange(day, zone).toMs,
});

/** The days of which a span has a part. */
export const daysWithin = (fromMs: number, toMs: number, zone: string): CivilDay[] => {
  const days: CivilDay[] = [];
  const last = dayOf(Math.max(fromMs, toMs - 1), zone);
  for (let day = dayOf(fromMs, zone); day <= last; day = addDays(day, 1)) days.push(day);
  return days;
};

/** The whole hours of a range by the clock of its zone, each a multiple of `every`. */
export const hoursWithin = (fromMs: number, toMs: number, zone: string, every: number): number[] => {
  const hours: number[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += HOUR_MS / 4) {
    const [hour, minute] = toWallClock(atMs, zone).slice(11).split(':').map(Number);
    if (minute === 0 && hour! % every === 0) hours.push(atMs);
  }
  return hours;
};

/** The days from `from` to `to`, both included. */
export interface DaySpan {
  from: CivilDay;
  to: CivilDay;
}

export const PRESETS = [
  'today',
  'yesterday',
  'week',
  'days30',
  'month',
  'lastMonth',
  'quarter',
  'lastQuarter',
] as const;
export type Preset = (typeof PRESETS)[number];

export const PRESET_LABELS: Readonly<Record<Preset, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
  days30: 'Last 30 days',
  month: 'This month',
  lastMonth: 'Last month',
  quarter: 'This quarter',
  lastQuarter: 'Last quarter',
};

const monthOf = (day: CivilDay): CivilDay => `${day.slice(0, 7)}-01`;

const quarterOf = (day: CivilDay): CivilDay => {
  const month = Number(day.slice(5, 7));
  return `${day.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
};

const upTo = (from: CivilDay, to: CivilDay): DaySpan => ({ from, to });
/** The month or quarter before the one that begins with `first`. */
const before = (first: CivilDay, firstOf: (day: CivilDay) => CivilDay): DaySpan => {
  const to = addDays(first, -1);
  return { from: firstOf(to), to };
};

/** The days that each preset means on a day; the present month and quarter end with it. */
const SPANS: Readonly<Record<Preset, (today: CivilDay) => DaySpan>> = {
  today: (today) => upTo(today, today),
  yesterday: (today) => upTo(addDays(today, -1), addDays(today, -1)),
  week: (today) => upTo(addDays(today, -6), today),
  days30: (today) => upTo(addDays(today, -29), today),
  month: (today) => upTo(monthOf(today), today),
  lastMonth: (today) => before(monthOf(today), monthOf),
  quarter: (today) => upTo(quarterOf(today), today),
  lastQuarter: (today) => before(quarterOf(today), quarterOf),
};

export const presetSpan = (preset: Preset, today: CivilDay): DaySpan => SPANS[preset](today);

/** The preset that means these days; null: none. */
export const presetOf = (span: DaySpan, today: CivilDay): Preset | null =>
  PRESETS.find((preset) => {
    const { from, to } = presetSpan(preset, today);
    return from === span.from && to === span.to;
  }) ?? null;
