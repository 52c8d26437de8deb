import 'server-only';
import { z } from 'zod';
import type { Viewer } from '@/lib/auth/viewer';
import { AppError } from '@/lib/http/problems';
import type { Runtime } from '@/lib/http/runtime';
import { EXPORT_FORMATS } from '../day/export';

const DAY_MS = 24 * 3_600_000;
/** 31 days, one of which may have 25 hours. */
const MAX_RANGE_MS = 31 * DAY_MS + 3_600_000;
/** The end of the year 9999. */
const MAX_MS = 253_402_300_799_999;

/** A moment in the query of an address, Unix ms. */
export const momentSchema = z.coerce.number().int().min(0).max(MAX_MS);

interface Range {
  from: number;
  to: number;
}

const RANGE = { from: momentSchema, to: momentSchema };

const withRange = <S extends z.ZodType<Range>>(schema: S): S =>
  schema
    .refine(({ from, to }) => from < to, 'The range ends before it begins.')
    .refine(({ from, to }) => to - from <= MAX_RANGE_MS, 'Choose a range of at most 31 days.');

/** A range of time in the query of an address: from `from` until before `to`. */
export const rangeSchema = withRange(z.strictObject(RANGE));

const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    // Thrown for a zone that is not known.
    if (error instanceof RangeError) return false;
    throw error;
  }
};

const zone = z.string().max(64).refine(isZone, 'That is no time zone.');

/** A time zone in the query of an address, by its IANA name. */
export const zoneSchema = z.strictObject({ zone });

/** What XML can hold: no control characters, and no half of a pair. */
const nameSchema = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'That is no name of a unit.');

/** A trail as a file: `zone` names its days, `name` the unit. */
export const exportSchema = withRange(
  z.strictObject({ ...RANGE, zone, format: z.enum(EXPORT_FORMATS), name: nameSchema.optional() }),
);

type History = NonNullable<Runtime['history']>;

/** Answers a query of a viewer from the recording. @throws AppError 'recording-off', 'history-busy' */
export const queryHistory = async <T>(
  { history }: Pick<Runtime, 'history'>,
  viewer: Pick<Viewer, 'id'>,
  query: (history: History) => Promise<T>,
): Promise<T> => {
  if (history === null) throw new AppError('recording-off');
  return history.limit.run(viewer.id ?? 'demo', () => query(history));
};
