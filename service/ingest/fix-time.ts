import { MAX_TIME_MS } from '../store/fixes/fix-limits';
import { IngestInputError } from './input-error';

/** Seconds since 1970 stay below this until the year 5138, and milliseconds passed it in March 1973. */
const FIRST_MILLISECONDS = 1e11;

/** Date, time, optional fraction and optional zone. A space before the offset is a `+` decoded from a query string. */
const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2}|\s\d{2}:?\d{2})?$/i;

const EXPECTED = 'a time as Unix seconds, Unix milliseconds or ISO 8601';

/**
 * The time of a fix in milliseconds since 1970, as the device claims it, even when that is in the future.
 * Takes Unix seconds or milliseconds (distinguished by size), ISO 8601, or `yyyy-MM-dd HH:mm:ss`; no zone means UTC.
 */
export const requireFixTime = (value: unknown, field: string): number => {
  const timeMs = toTimeMs(value);
  if (timeMs === null || !(timeMs >= 0 && timeMs <= MAX_TIME_MS)) {
    throw new IngestInputError(field, EXPECTED, value);
  }
  return Math.round(timeMs);
};

const toTimeMs = (value: unknown): number | null => {
  if (typeof value === 'number') return fromUnix(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return /^\d+(\.\d+)?$/.test(text) ? fromUnix(Number(text)) : fromIso(text);
};

const fromUnix = (value: number): number => (value < FIRST_MILLISECONDS ? value * 1000 : value);

const fromIso = (text: string): number | null => {
  const match = ISO_8601.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const fractionMs = Number(`0.${match[7] ?? 0}`) * 1000;
  // Date.UTC maps years below 100 to the 20th century.
  const date = new Date(0);
  const dayMs = date.setUTCFullYear(year!, month! - 1, day);
  // 31 February rolls over into March; a device that sends one has a faulty clock.
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) return null;
  if (hour! > 23 || minute! > 59 || second! > 59) return null;
  return dayMs + ((hour! * 60 + minute!) * 60 + second!) * 1000 + fractionMs - toOffsetMs(match[8]);
};

const toOffsetMs = (zone: string | undefined): number => {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const digits = zone.replace(/[^\d]/g, '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000;
};
