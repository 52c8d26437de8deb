import type { Appointment } from '@/lib/arrivals/load';
import { timeZoneSchema, z } from '@/lib/base/zod';
import { isDay, toMoment, toWallClock } from '@/lib/trips/days';

/** "2026-03-02T08:00", with seconds, with an offset or Z, and with a zone behind it as RFC 9557 writes it. */
const ISO =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}:\d{2})?(?:\[([\w+/-]{1,60})\])?$/i;
const pad = (part: string | number, digits = 2): string => String(part).padStart(digits, '0');

const isZone = (zone: string): boolean => timeZoneSchema.safeParse(zone).success;

/** A time of day as "08:00:00"; null for one that no clock shows. */
const toTime = (text: string): string | null => {
  const [hour = '', minute = '', second = '0'] = text.split(':');
  const isShown = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return isShown ? `${pad(hour)}:${minute}:${pad(Math.floor(Number(second)))}` : null;
};

/**
 * The moment of a text, Unix ms: one with an offset as that says, else by the clock of the zone that it names, or of
 * `zone`. Null for a text that is no time.
 */
export const parseMoment = (text: string, zone: string): number | null => {
  const [, day = '', clock = '', offset, named] = ISO.exec(text.trim()) ?? [];
  const time = toTime(clock);
  if (!isDay(day) || time === null || clock === '') return null;
  if (named !== undefined && !isZone(named)) return null;
  if (offset === undefined) return toMoment(day, time, named ?? zone);
  const atMs = Date.parse(`${day}T${time}${offset.toUpperCase()}`);
  return Number.isNaN(atMs) ? null : atMs;
};

/** A day, or a time, as ISO 8601 writes it or as spreadsheets in the United States do: "3/2/2026", "3/2/2026 8:00 AM". */
const TABLE_TIME =
  /^(?:(\d{4}-\d{2}-\d{2})|(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2}))(?:(?:T|,? )(\d{1,2}):(\d{2})(:\d{2}(?:\.\d{1,9})?)?(?:\s*([AP])\.?(?:M\.?)?)?\s*(.*))?$/i;

/** A day or a time of a table as ISO 8601: "2026-03-02", "2026-03-02T08:00"; null for a text that is neither. */
export const toIsoTime = (text: string): string | null => {
  const [, iso, month = '', date = '', year = '', hour, minute = '', seconds = '', half, rest = ''] =
    TABLE_TIME.exec(text.trim()) ?? [];
  const day = iso ?? `${year.length === 2 ? `20${year}` : year}-${pad(month)}-${pad(date)}`;
  if (hour === undefined) return isDay(day) ? day : null;
  const hours = Number(hour);
  if (half !== undefined && (hours < 1 || hours > 12)) return null;
  const atHour = half === undefined ? hours : (hours % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  const time = `${day}T${pad(atHour)}:${minute}${seconds}${rest}`;
  return parseMoment(time, 'UTC') === null ? null : time;
};

/** A time that a program or a table gives: with an offset or a zone, or by the clock of its stop. */
export const timeSchema = z
  .string()
  .max(100)
  .refine(
    (text) => parseMoment(text, 'UTC') !== null,
    'Give a time as 2026-03-02T08:00-06:00, or 2026-03-02T08:00 by the clock of the stop.',
  )
  .describe('A time of ISO 8601 or RFC 9557: with an offset or a zone, or by the clock of the stop.');

/** The appointment of a stop by the clock of a zone; null for an end before its begin. */
export const readAppointment = (
  { from, to = from }: { from: string; to?: string | undefined },
  zone: string,
): Appointment | null => {
  const [fromMs, toMs] = [parseMoment(from, zone), parseMoment(to, zone)];
  return fromMs === null || toMs === null || fromMs > toMs ? null : { fromMs, toMs };
};

/** A moment by the clock of a zone, with its offset: "2026-03-02T08:00:00-06:00". */
export const toIso = (atMs: number, zone: string): string => {
  const clock = toWallClock(atMs, zone).replace(' ', 'T');
  const offsetMin = Math.round((Date.parse(`${clock}Z`) - Math.floor(atMs / 1000) * 1000) / 60_000);
  const minutes = Math.abs(offsetMin);
  return `${clock}${offsetMin < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
};
