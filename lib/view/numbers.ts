import { METERS_PER_MILE } from '@/lib/wire/units';

const KM_PER_MILE = METERS_PER_MILE / 1000;
/** Feet in a meter: 1 / 0.3048, the international foot. */
const FEET_PER_METER = 1 / 0.3048;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const toMph = (kph: number): number => Math.round(kph / KM_PER_MILE);

/** An age in its largest unit: "12 s", "9 min", "3 h", "2 d". A future moment is "0 s". */
export const ageWords = (ms: number): string => {
  const age = Math.max(ms, 0);
  if (age < MINUTE_MS) return `${Math.floor(age / SECOND_MS)} s`;
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return `${Math.floor(age / DAY_MS)} d`;
};

/** A duration in its two largest units: "45 s", "38 min", "2 h 14 m", "3 d 4 h". */
export const durationWords = (ms: number): string => {
  if (ms < HOUR_MS) return ageWords(ms);
  if (ms < DAY_MS) {
    const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
    return `${Math.floor(ms / HOUR_MS)} h ${String(minutes).padStart(2, '0')} m`;
  }
  return `${Math.floor(ms / DAY_MS)} d ${Math.floor((ms % DAY_MS) / HOUR_MS)} h`;
};

/** A road distance: "60 ft", "3.1 mi", "214 mi". */
export const distanceWords = (meters: number): string => {
  const miles = meters / METERS_PER_MILE;
  if (miles < 0.1) return `${Math.round((meters * FEET_PER_METER) / 10) * 10} ft`;
  return miles < 10 ? `${miles.toFixed(1)} mi` : `${Math.round(miles)} mi`;
};

/** "1 fix", "2 fixes". */
export const countWords = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** A short count: whole up to 9,999, then "84.2k", "120k", "1.2M". */
export const shortCount = (count: number): string => {
  if (count < 10_000) return count.toLocaleString('en-US');
  if (count < 99_950) return `${(count / 1000).toFixed(1)}k`;
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1e6).toFixed(1)}M`;
};

/** Clocks differ by a little; a time that is further ahead than this is wrong, and not an age of zero. */
const FUTURE_MS = 2 * 60_000;

const isAhead = (ageMs: number): boolean => ageMs < -FUTURE_MS;

/** The age of a fix by its own time: "12 s ago", or that it is from the future. */
export const fixAgeWords = (ageMs: number): string =>
  isAhead(ageMs) ? 'in the future, so not to be believed' : `${ageWords(ageMs)} ago`;

/** The same after "fix": "12 s old", "dated in the future". */
export const fixOldWords = (ageMs: number): string =>
  isAhead(ageMs) ? 'dated in the future' : `${ageWords(ageMs)} old`;

/** The short form: "12 s", "future". */
export const shortFixAge = (ageMs: number): string => (isAhead(ageMs) ? 'future' : ageWords(ageMs));
