import 'server-only';
import { normalizeNumber, normalizeText, describe, type NoteRepair } from './salvage';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/base/time';

/** Two clocks this far apart disagree. */
export const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS;
/** GPS counts weeks in ten bits: a receiver that misses the rollover is 1024 weeks behind. */
const GPS_ROLLOVER_MS = 1024 * 7 * DAY_MS;
/** 1980-01-06, the GPS epoch: an earlier time is from a clock that was never set. */
const GPS_EPOCH_MS = Date.UTC(1980, 0, 6);
/** In seconds this is the year 5138, in milliseconds 1973: no tracker sends either. */
const SECONDS_BELOW = 1e11;
/** The limits of a JavaScript date. */
const MAX_TIME_MS = 8.64e15;

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

interface ParsedTimestamp {
  /** Unix milliseconds, read as UTC where the text names no zone. */
  atMs: number;
  hasZone: boolean;
}

const toOffsetMs = (zone: string): number => {
  if (/^z$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
};

/** An ISO 8601 date and time, or null where the text is not one or names a day that does not exist. */
const parseTimestamp = (text: string): ParsedTimestamp | null => {
  const match = ISO.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || hour > 24 || minute > 59 || second > 60) return null;
  // Date.UTC would read a year below 100 as one of the 20th century.
  const date = new Date(0);
  const dayMs = date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) return null;
  const fractionMs = Math.floor(Number(`0.${match[7] ?? 0}`) * SECOND_MS);
  const utcMs = dayMs + ((hour * 60 + minute) * 60 + second) * SECOND_MS + fractionMs;
  const zone = match[8];
  return zone === undefined
    ? { atMs: utcMs, hasZone: false }
    : { atMs: utcMs - toOffsetMs(zone), hasZone: true };
};

/** `unixTimestamp` in milliseconds, whether it was given in seconds or in milliseconds. */
const toUnixMs = (value: number): number | null => {
  const atMs = Math.round(Math.abs(value) < SECONDS_BELOW ? value * SECOND_MS : value);
  return Math.abs(atMs) <= MAX_TIME_MS ? atMs : null;
};

/** "2026-03-01 14:05:09 UTC". */
export const toUtcText = (atMs: number): string =>
  `${new Date(atMs).toISOString().slice(0, -'.000Z'.length).replace('T', ' ')} UTC`;

/** "3 min", "5 h 20 min", "12 days": rounded for a person. */
export const toSpanText = (ms: number): string => {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60)
    return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.round(ms / DAY_MS)} days`;
};

const isPlausible = (atMs: number, nowMs: number): boolean =>
  atMs <= nowMs + CLOCK_TOLERANCE_MS && atMs > nowMs - GPS_ROLLOVER_MS + DAY_MS;

/** Time zones are up to this many hours from UTC. */
const MAX_ZONE_HOURS = 14;
/** A fix that is a little old is ahead by that much less than its clock. */
const FIX_AGE_MS = 5 * MINUTE_MS;

/** The whole hours of a span, within the tolerance of two clocks; null where it is not a possible zone offset. */
const toZoneHours = (ms: number, shortMs: number): number | null => {
  const hours = Math.ceil((ms - CLOCK_TOLERANCE_MS) / HOUR_MS);
  const isWhole = hours >= 1 && hours <= MAX_ZONE_HOURS && ms >= hours * HOUR_MS - shortMs;
  return isWhole ? hours : null;
};

/** A time that was divided by a thousand has lost its last three digits. */
const SCALE_TOLERANCE_MS = 1000 * SECOND_MS + CLOCK_TOLERANCE_MS;
/** The age up to which a result is plausible without a second time to compare with. */
const RECENT_MS = 30 * DAY_MS;

/** The fault of a Unix time that is a thousand times too small or too large; null for any other. */
const toScaleText = (unixMs: number, textMs: number | null, nowMs: number): string | null => {
  if (unixMs <= 0) return null;
  const isMeant = (ms: number): boolean =>
    textMs === null
      ? ms <= nowMs + CLOCK_TOLERANCE_MS && ms > nowMs - RECENT_MS
      : Math.abs(ms - textMs) <= SCALE_TOLERANCE_MS;
  if (isMeant(unixMs * 1000))
    return 'Its Unix time is a thousand times too small: seconds were taken for milliseconds.';
  if (isMeant(unixMs / 1000))
    return 'Its Unix time is a thousand times too large: milliseconds were taken for seconds.';
  return null;
};

const toApartText = (textMs: number, unixMs: number): string => {
  const apartMs = Math.abs(unixMs - textMs);
  const both = `${toUtcText(textMs)} and, as Unix time, ${toUtcText(unixMs)}`;
  const hours = toZoneHours(apartMs, CLOCK_TOLERANCE_MS);
  if (hours === null) return `Its two times are ${toSpanText(apartMs)} apart: ${both}.`;
  const side = textMs < unixMs ? 'behind' : 'ahead of';
  return `Its written time is ${hours} h ${side} its Unix time: a time zone was left out. It says ${both}.`;
};

const toImplausibleText = (atMs: number, nowMs: number): string | null => {
  if (atMs > nowMs + CLOCK_TOLERANCE_MS) {
    const hours = toZoneHours(atMs - nowMs, FIX_AGE_MS);
    if (hours !== null)
      return `Its clock is ${hours} h ahead, as with a time zone left out: the fix is dated ${toUtcText(atMs)}.`;
    return `Its clock is ${toSpanText(atMs - nowMs)} ahead: the fix is dated ${toUtcText(atMs)}.`;
  }
  if (atMs < GPS_EPOCH_MS) return `Its clock was never set: the fix is dated ${toUtcText(atMs)}.`;
  if (isPlausible(atMs, nowMs)) return null;
  return `Its clock is 1024 weeks behind, as after a GPS week rollover: the fix is dated ${toUtcText(atMs)}.`;
};

/** Two fixes of one second can be ordered only by the text, where that has fractions of the second. */
const toFinerMs = (unixMs: number, textMs: number | null): number =>
  textMs !== null && unixMs % SECOND_MS === 0 && Math.abs(textMs - unixMs) < SECOND_MS ? textMs : unixMs;

interface NormalizedTime {
  /** Unix milliseconds; null where the record gives no usable time. */
  fixAtMs: number | null;
  /** The other of the two times as given, read as UTC where it has no zone; null where there is none. */
  otherAtMs: number | null;
  /** The fault of the unit's clock, as text for a dispatcher. */
  fault: string | null;
}

/**
 * The time of a record's fix: `unixTimestamp` where it is plausible, because it needs no zone, else `timestamp`. A
 * faulty clock is reported, not corrected.
 */
export const normalizeTime = (
  record: { timestamp?: unknown; unixTimestamp?: unknown },
  nowMs: number,
  noteRepair: NoteRepair,
): NormalizedTime => {
  const unix = normalizeNumber(record.unixTimestamp, 'unixTimestamp', noteRepair);
  const unixMs = unix === null ? null : toUnixMs(unix);
  const text = normalizeText(record.timestamp, 'timestamp', noteRepair);
  const parsed = text === null ? null : parseTimestamp(text);
  const faults: string[] = [];

  const isTextUsable = parsed !== null && (parsed.hasZone || unixMs === null);
  const textMs = isTextUsable ? parsed.atMs : null;
  if (isTextUsable && !parsed.hasZone) noteRepair('timestamp', text, toUtcText(parsed.atMs));
  const isUnixPlausible = unixMs !== null && isPlausible(unixMs, nowMs);
  const scale = unixMs === null || isUnixPlausible ? null : toScaleText(unixMs, textMs, nowMs);
  if (scale !== null) faults.push(scale);
  else if (unixMs !== null && textMs !== null && Math.abs(unixMs - textMs) > CLOCK_TOLERANCE_MS)
    faults.push(toApartText(textMs, unixMs));

  const unixOrFinerMs = isUnixPlausible ? toFinerMs(unixMs, textMs) : unixMs;
  const fixAtMs = textMs === null || isUnixPlausible ? unixOrFinerMs : textMs;
  const otherAtMs = fixAtMs === unixMs ? (parsed?.atMs ?? null) : unixMs;
  if (fixAtMs === null) {
    const given = text ?? unix;
    if (given !== null)
      faults.push(`The provider gives ${describe(given)} as its time, which cannot be read.`);
    return { fixAtMs, otherAtMs, fault: faults.join(' ') || null };
  }
  // A value that was multiplied has no meaningful date.
  const implausible = scale !== null && fixAtMs === unixMs ? null : toImplausibleText(fixAtMs, nowMs);
  if (implausible !== null) faults.push(implausible);
  const fault = faults.join(' ') || null;
  // A clock that was never set still runs: its time distinguishes one record from the next.
  return fixAtMs < GPS_EPOCH_MS
    ? { fixAtMs: null, otherAtMs: fixAtMs, fault }
    : { fixAtMs, otherAtMs, fault };
};
