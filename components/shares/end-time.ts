import { HOUR_MS } from '@/lib/base/time';
import { parseAppointment, typeAppointment } from '@/lib/loads/typed-appointment';

export interface Choice {
  value: string;
  label: string;
}

/** The end of a link or calendar by a time, as its form has it. */
export interface TimeValues {
  /** After how many hours it ends; empty: never, `at`: as it is typed. */
  within: string;
  endsMs: string;
}

/** What typed times are read with. */
export interface ClockReading {
  nowMs: number;
  /** The zone of the viewer's clock, by which times are typed. */
  zone: string;
}

export interface Problem {
  path: string[];
  message: string;
}

export const AT_A_TIME: Choice = { value: 'at', label: 'At a time…' };

/** The values of a form for an end, Unix ms; null: there is none. */
export const toTimeValues = (endsMs: number | null, { zone }: Pick<ClockReading, 'zone'>): TimeValues =>
  endsMs === null
    ? { within: '', endsMs: '' }
    : { within: 'at', endsMs: typeAppointment({ fromMs: endsMs, toMs: endsMs }, zone) };

/** The time that is typed, Unix ms; undefined where it is none. */
export const readEndMs = (
  { endsMs }: Pick<TimeValues, 'endsMs'>,
  { nowMs, zone }: ClockReading,
): number | undefined => parseAppointment(endsMs, zone, nowMs)?.toMs;

/** The end by its time, Unix ms, null: none; a problem where it cannot be read, or lies too far ahead. */
export const toEndMs = (
  values: TimeValues,
  reading: ClockReading,
  problems: Problem[],
  latestMs = Infinity,
): number | null => {
  const { within } = values;
  if (within === '') return null;
  if (within !== AT_A_TIME.value) return reading.nowMs + Number(within) * HOUR_MS;
  const endsMs = readEndMs(values, reading);
  const refuse = (message: string): number => {
    problems.push({ path: ['endsMs'], message });
    return reading.nowMs + HOUR_MS;
  };
  if (endsMs === undefined) return refuse('Type a time, such as 5p, tomorrow 17:00 or 12/3 8a.');
  if (endsMs <= reading.nowMs) return refuse('This time has passed.');
  return endsMs > reading.nowMs + latestMs ? refuse('A link ends within a year.') : endsMs;
};
