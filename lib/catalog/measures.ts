import { getOrMake } from '@/lib/base/maps';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { toZoneName } from '@/lib/base/text/zone-name';
import { toTranslate } from './catalog';
import type { MessageKey } from './messages/en';
import type { Reader } from './reader';

/** A reader whose times are by a zone that is known. */
export type ZonedReader = Reader & { zone: string };

const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 2000;

/** Making a format costs far more than using it. */
const toFormat = (locale: string, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  if (formats.size > MOST_FORMATS) formats.clear();
  return getOrMake(
    formats,
    `${locale} ${zone} ${JSON.stringify(options)}`,
    () => new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }),
  );
};

const TIME: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };
const DATE: Intl.DateTimeFormatOptions = { weekday: 'short', month: 'short', day: 'numeric' };
const YEAR: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'numeric', day: 'numeric' };

/** A time and its half of the day, or a number and its unit, stay in one line. */
const bind = (text: string): string =>
  text.replaceAll(/(?<=[\d.:]) (?=\p{L})|(?<=\p{L}\.) (?=\p{L}\.)|\u202f/gu, '\u00a0');

const clockKey = (zone: string, ms: number): string =>
  toFormat('en-US', zone, { ...YEAR, ...TIME }).format(ms);

/** Whether the clock of a zone shows a time twice, since it is set back: then only the name of its hour says which one is meant. */
const isTwice = (zone: string, ms: number): boolean =>
  [-HOUR_MS, HOUR_MS].some((stepMs) => clockKey(zone, ms + stepMs) === clockKey(zone, ms));

/** "2:20 PM", "14 h 20"; of an hour that comes twice "1:20 AM CDT". */
export const timeText = (reader: ZonedReader, ms: number): string => {
  const { locale, zone } = reader;
  const time = bind(toFormat(locale, zone, TIME).format(ms));
  return isTwice(zone, ms) ? `${time} ${shortZoneText(reader, ms)}` : time;
};

/** A text that ends with a time, with the name of its zone. */
export const withZone = (reader: ZonedReader, text: string, ms: number): string =>
  isTwice(reader.zone, ms) ? text : `${text} ${shortZoneText(reader, ms)}`;

const dayKey = (zone: string, ms: number): string => toFormat('en-US', zone, YEAR).format(ms);

const dayText = ({ locale, zone }: ZonedReader, ms: number): string =>
  toFormat(locale, zone, DATE).format(ms);

/** A moment, of another day with its date: "2:20 PM", "Mon, Nov 30, 2:20 PM". */
export const momentText = (reader: ZonedReader, ms: number, nowMs: number): string =>
  dayKey(reader.zone, ms) === dayKey(reader.zone, nowMs)
    ? timeText(reader, ms)
    : `${dayText(reader, ms)}, ${timeText(reader, ms)}`;

/** A span of time, of another day with its date: "2:20 – 3:05 PM". */
export const rangeText = (reader: ZonedReader, fromMs: number, toMs: number, nowMs: number): string => {
  const { locale, zone } = reader;
  if (dayKey(zone, fromMs) !== dayKey(zone, toMs))
    return `${momentText(reader, fromMs, nowMs)} – ${momentText(reader, toMs, nowMs)}`;
  const range =
    isTwice(zone, fromMs) || isTwice(zone, toMs)
      ? `${timeText(reader, fromMs)} – ${timeText(reader, toMs)}`
      : bind(toFormat(locale, zone, TIME).formatRange(fromMs, toMs));
  return dayKey(zone, fromMs) === dayKey(zone, nowMs) ? range : `${dayText(reader, fromMs)}, ${range}`;
};

/** The two ends of a span on one day, of which the first has its half of the day only where it is another. */
const toEnds = (reader: ZonedReader, fromMs: number, toMs: number): [string, string] | null => {
  const { locale, zone } = reader;
  if (isTwice(zone, fromMs) || isTwice(zone, toMs)) return [timeText(reader, fromMs), timeText(reader, toMs)];
  const parts = toFormat(locale, zone, TIME).formatRangeToParts(fromMs, toMs);
  const dash = parts.findIndex(({ source, value }) => source === 'shared' && /[-–]/.test(value));
  if (dash < 0) return null;
  const join = (of: typeof parts): string =>
    bind(
      of
        .map(({ value }) => value)
        .join('')
        .trim(),
    );
  return [join(parts.slice(0, dash)), join(parts.slice(dash + 1))];
};

/** When something happened that lies between two reports, with its date: "Mon, Nov 30, between 7:14 and 7:16 AM". */
export const betweenText = (reader: ZonedReader, fromMs: number, toMs: number): string => {
  const translate = toTranslate(reader.language);
  const ends = toEnds(reader, fromMs, toMs);
  if (dayKey(reader.zone, fromMs) !== dayKey(reader.zone, toMs)) {
    const [from, to] = [fromMs, toMs].map((ms) => `${dayText(reader, ms)}, ${timeText(reader, ms)}`);
    return translate('range.between.days', { from: from!, to: to! });
  }
  const day = dayText(reader, fromMs);
  if (ends === null) return `${day}, ${timeText(reader, fromMs)}`;
  return translate('range.between', { day, from: ends[0], to: ends[1] });
};

/** Whether the clocks of two zones show the same at a moment. */
export const isSameClock = (a: string, b: string, ms: number): boolean =>
  a === b || clockKey(a, ms) === clockKey(b, ms);

/** A zone as people name it: "Central Time", "hora central". */
export const zoneText = ({ locale, zone }: ZonedReader, ms: number): string =>
  toFormat(locale, zone, { timeZoneName: 'longGeneric' })
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value ?? toZoneName(zone, ms, 'longGeneric');

/** A zone in short: "CST". */
export const shortZoneText = ({ locale, zone }: ZonedReader, ms: number): string =>
  toFormat(locale, zone, { timeZoneName: 'short' })
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value ?? toZoneName(zone, ms, 'short');

const numberFormats = new Map<string, Intl.NumberFormat>();

const unitText = ({ locale }: Reader, unit: string, value: number, digits: number): string =>
  bind(
    getOrMake(
      numberFormats,
      `${locale} ${unit} ${digits}`,
      () =>
        new Intl.NumberFormat(locale, {
          ...{ style: 'unit', unit, unitDisplay: 'short' },
          ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
        }),
    ).format(value),
  );

const METERS = { mile: 1609.344, foot: 0.3048, kilometer: 1000, meter: 1 } as const;

/** A road distance: "60 ft", "3.1 mi", "1,214 mi"; "60 m", "3.1 km". */
export const distanceText = (reader: Reader, meters: number): string => {
  const [large, small] =
    reader.units === 'imperial' ? (['mile', 'foot'] as const) : (['kilometer', 'meter'] as const);
  const value = meters / METERS[large];
  if (value < 0.1) return unitText(reader, small, Math.round(meters / METERS[small] / 10) * 10, 0);
  // What rounds to ten is written as ten.
  return unitText(reader, large, value, value < 9.95 ? 1 : 0);
};

/** A distance that is known to some miles only: "5 mi", "8 km". */
export const roughDistanceText = (reader: Reader, meters: number): string => {
  const unit = reader.units === 'imperial' ? 'mile' : 'kilometer';
  return unitText(reader, unit, Math.max(1, Math.round(meters / METERS[unit])), 0);
};

/** "61 mph", "98 km/h". */
export const speedText = (reader: Reader, kph: number): string =>
  reader.units === 'imperial'
    ? unitText(reader, 'mile-per-hour', (kph * 1000) / METERS.mile, 0)
    : unitText(reader, 'kilometer-per-hour', kph, 0);

/** A duration in its two largest units: "38 min", "2 h 14 min", "3 d 4 h". */
export const durationText = ({ language }: Reader, ms: number): string => {
  const translate = toTranslate(language);
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (ms < HOUR_MS) return bind(translate('duration.minutes', { m: minutes }));
  if (ms < DAY_MS) {
    const m = String(minutes % 60).padStart(2, '0');
    return bind(translate('duration.hours', { h: Math.floor(minutes / 60), m }));
  }
  const hours = Math.floor(ms / HOUR_MS);
  return bind(translate('duration.days', { d: Math.floor(hours / 24), h: hours % 24 }));
};

const AGES = [
  ['age.seconds', 1000, MINUTE_MS],
  ['age.minutes', MINUTE_MS, HOUR_MS],
  ['age.hours', HOUR_MS, DAY_MS],
] as const satisfies readonly (readonly [MessageKey, number, number])[];

/** An age in its largest unit: "12 s ago", "4 min ago", "3 h ago", "2 days ago". A future moment is "0 s ago". */
export const ageText = ({ language }: Reader, ms: number): string => {
  const translate = toTranslate(language);
  const age = Math.max(0, ms);
  for (const [key, unitMs, untilMs] of AGES)
    if (age < untilMs) return bind(translate(key, { n: Math.floor(age / unitMs) }));
  return bind(translate('age.days', { n: Math.floor(age / DAY_MS) }));
};
