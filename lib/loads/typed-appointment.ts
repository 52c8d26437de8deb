import type { Appointment } from '@/lib/arrivals/load';
import { MINUTE_MS } from '@/lib/base/time';
import { addDays, dayOf, isDay, toMoment, toWallClock, type CivilDay } from '@/lib/trips/days';

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const DAY =
  /^(?<word>today|tonight|tomorrow|tmrw?|tom)\b|^(?<weekday>sun|mon|tue|wed|thu|fri|sat)(?:[a-z]*)\b\.?|^(?<iso>\d{4}-\d{2}-\d{2})(?!\d)|^(?<m>\d{1,2})\/(?<d>\d{1,2})(?:\/(?<y>\d{4}|\d{2}))?(?!\d)|^(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?<md>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?<my>\d{4}))?(?![\d:])/;

const TIME =
  /^(?:(?<name>noon|midnight)|(?<h>\d{1,2})(?::(?<min>\d{2})|(?<packed>\d{2}))?\s*(?<half>a|p|am|pm|a\.m\.|p\.m\.)?)(?![\w:])/;

const BETWEEN = /^\s*(?:-|–|—|to|until|till)\s*/;
const GAP = /^(?:[\s,@]+(?:at\s+)?|$)/;

const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** A year of a day without one: the one in which the day is nearest ahead, or not long past. */
const withYear = (month: number, day: number, today: CivilDay): CivilDay => {
  const year = Number(today.slice(0, 4));
  const at = (y: number): CivilDay => `${y}-${twoDigits(month)}-${twoDigits(day)}`;
  return at(year) < addDays(today, -60) ? at(year + 1) : at(year);
};

const toDay = (groups: Record<string, string | undefined>, today: CivilDay): CivilDay => {
  const { word, weekday, iso, m, d, y, month, md, my } = groups;
  if (word !== undefined) return word.startsWith('tod') || word === 'tonight' ? today : addDays(today, 1);
  if (iso !== undefined) return iso;
  if (weekday !== undefined) {
    const days = (WEEKDAYS.indexOf(weekday) - new Date(today).getUTCDay() + 7) % 7;
    return addDays(today, days);
  }
  const [monthNumber, dayNumber, year] =
    month === undefined ? [Number(m), Number(d), y] : [MONTHS.indexOf(month) + 1, Number(md), my];
  if (year === undefined) return withYear(monthNumber, dayNumber, today);
  return `${year.length === 2 ? `20${year}` : year}-${twoDigits(monthNumber)}-${twoDigits(dayNumber)}`;
};

/** A time of day as it was typed: minutes after midnight, and whether its half of the day is said. */
interface TypedTime {
  minute: number;
  isSure: boolean;
}

const toTime = (groups: Record<string, string | undefined>): TypedTime | null => {
  const { name, h, min, packed, half } = groups;
  if (name !== undefined) return { minute: name === 'noon' ? 720 : 0, isSure: true };
  const [hour, minutes] = [Number(h), Number(min ?? packed ?? 0)];
  if (hour > 24 || minutes > 59 || (hour === 24 && minutes > 0)) return null;
  if (half !== undefined)
    return hour < 1 || hour > 12
      ? null
      : { minute: (hour % 12) * 60 + minutes + (half.startsWith('p') ? 720 : 0), isSure: true };
  // "0800" and "14:30" are of the 24-hour clock, "8" and "8:30" of either.
  const isSure = hour === 0 || hour > 12 || h!.startsWith('0');
  return { minute: hour * 60 + minutes, isSure };
};

/** Hours that are typed without their half of the day: docks open by day. */
const MORNING_FROM = 7 * 60;

const asUsual = ({ minute, isSure }: TypedTime): number =>
  isSure || minute >= MORNING_FROM ? minute : minute + 720;

interface Typed {
  day: CivilDay | null;
  time: TypedTime | null;
  rest: string;
}

/** The day and the time at the beginning of a text; null where it begins with neither. */
const readPart = (text: string, today: CivilDay, is24Hour: boolean): Typed | null => {
  const dayMatch = DAY.exec(text);
  const day = dayMatch === null ? null : toDay(dayMatch.groups!, today);
  if (day !== null && !isDay(day)) return null;
  const afterDay = dayMatch === null ? text : text.slice(dayMatch[0].length);
  const timeText = dayMatch === null ? afterDay : afterDay.replace(GAP, '');
  const timeMatch = TIME.exec(timeText);
  if (timeMatch === null) return day === null ? null : { day, time: null, rest: afterDay };
  const time = toTime(timeMatch.groups!);
  if (time === null) return null;
  return {
    day,
    time: { ...time, isSure: time.isSure || is24Hour },
    rest: timeText.slice(timeMatch[0].length),
  };
};

/** The two times of a range, of which one may say the half of the day for both: "8-10a", "10-2p", "8a-5". */
const toMinutes = (from: TypedTime, to: TypedTime): [number, number] => {
  if (from.isSure && to.isSure) return [from.minute, to.minute];
  if (to.isSure) {
    const [am, pm] = [from.minute % 720, (from.minute % 720) + 720];
    return [pm < to.minute ? pm : am, to.minute];
  }
  const fromMinute = asUsual(from);
  const after = [to.minute, to.minute + 720].find((minute) => minute > fromMinute && minute < 1440);
  return [fromMinute, after ?? to.minute];
};

const DAY_MIN = 1440;

/** The moment of minutes after the midnight of a day, which may be on the day after. */
const toMs = (day: CivilDay, minute: number, zone: string): number => {
  const within = minute % DAY_MIN;
  const time = `${twoDigits(Math.floor(within / 60))}:${twoDigits(within % 60)}:00`;
  return toMoment(addDays(day, Math.floor(minute / DAY_MIN)), time, zone);
};

/**
 * The appointment in a text as dispatchers type it, by the clock of a zone: "8a", "14:30", "tomorrow 8-10", "12/1 8a-2p",
 * "by 3p"; null for an empty text, undefined for one that says no time. Without a day it is the first such time after
 * `afterMs`, Unix ms.
 */
export const parseAppointment = (
  typed: string,
  zone: string,
  nowMs: number,
  afterMs = nowMs,
): Appointment | null | undefined => {
  const text = typed.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (text === '') return null;
  const today = dayOf(nowMs, zone);
  // Such days come with the 24-hour clock.
  const is24Hour = /\d{4}-\d{2}-\d{2}/.test(text);
  const isDeadline = /^(?:by|before) /.test(text);
  const first = readPart(text.replace(/^(?:by|before|at|from|between) /, ''), today, is24Hour);
  if (first === null) return undefined;
  if (first.rest.trim() === '') return toSingle(first, isDeadline);
  const between = BETWEEN.exec(first.rest);
  const second = between === null ? null : readPart(first.rest.slice(between[0].length), today, is24Hour);
  if (second === null || second.rest.trim() !== '' || isDeadline) return undefined;
  return toRange(first, second);

  function dayFor(minute: number): CivilDay {
    const day = dayOf(afterMs, zone);
    return toMs(day, minute, zone) < afterMs ? addDays(day, 1) : day;
  }

  function toSingle({ day, time }: Typed, isBy: boolean): Appointment {
    if (time === null) return { fromMs: toMs(day!, 0, zone), toMs: toMs(day!, DAY_MIN, zone) - MINUTE_MS };
    const minute = asUsual(time);
    const on = day ?? dayFor(minute);
    return { fromMs: toMs(on, isBy ? 0 : minute, zone), toMs: toMs(on, minute, zone) };
  }

  function toRange(from: Typed, to: Typed): Appointment | undefined {
    if (from.time === null || to.time === null) {
      if (from.day === null || to.day === null || from.time !== to.time) return undefined;
      const range = { fromMs: toMs(from.day, 0, zone), toMs: toMs(to.day, DAY_MIN, zone) - MINUTE_MS };
      return range.fromMs <= range.toMs ? range : undefined;
    }
    const [fromMinute, toMinute] = toMinutes(from.time, to.time);
    const isNextDay = to.day === null && toMinute < fromMinute;
    const begins = from.day ?? to.day ?? dayFor(toMinute + (isNextDay ? DAY_MIN : 0));
    const ends = to.day ?? begins;
    const range = {
      fromMs: toMs(begins, fromMinute, zone),
      toMs: toMs(ends, toMinute + (isNextDay ? DAY_MIN : 0), zone),
    };
    return range.fromMs <= range.toMs ? range : undefined;
  }
};

/** "2026-12-01 08:00". */
const momentText = (atMs: number, zone: string): string => toWallClock(atMs, zone).slice(0, 16);

/** An appointment as text that `parseAppointment` reads back: "2026-12-01 08:00 - 10:00"; empty for none. */
export const typeAppointment = (appointment: Appointment | null, zone: string): string => {
  if (appointment === null) return '';
  const [from, to] = [appointment.fromMs, appointment.toMs].map((ms) => momentText(ms, zone)) as [
    string,
    string,
  ];
  if (from === to) return from;
  return `${from} - ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to}`;
};
