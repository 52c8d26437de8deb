import 'server-only';
import { timeZoneSchema, z } from '@/lib/base/zod';
import type { Viewer } from '@/lib/base/viewer';
import { AppError } from '@/lib/base/http/problems';
import type { QueryLimit } from './query-limit';
import { openStream } from '@/lib/base/http/stream';
import { EXPORT_FORMATS } from '../export';
import { TAIL_MINUTES } from '@/lib/view/view-state';
import { DAY_MS, HOUR_MS } from '@/lib/base/time';

const QUARTER_DAYS = 92;
/** The end of the year 9999. */
const MAX_MS = 253_402_300_799_999;

export const momentSchema = z.coerce.number().int().min(0).max(MAX_MS);

interface Range {
  from: number;
  to: number;
}

export const RANGE = { from: momentSchema, to: momentSchema };

export const withRange = <S extends z.ZodType<Range>>(schema: S, days = 31): S =>
  schema
    .refine(({ from, to }) => from < to, 'The range ends before it begins.')
    // One of the days may have 25 hours.
    .refine(
      ({ from, to }) => to - from <= days * DAY_MS + HOUR_MS,
      `Choose a range of at most ${days} days.`,
    );

/** A range of time in the query of an address: from `from` until before `to`. */
export const rangeSchema = withRange(z.strictObject(RANGE));

export const zoneSchema = z.strictObject({ zone: timeZoneSchema });

/** The 120 characters of a provider's name, isolated by two where they are written from right to left. */
const LONGEST_NAME = 122;

/** A name that XML can hold: no control characters, and no half of a pair. */
const nameSchema = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'That is no name of a unit.');

/** A trail as a file: `zone` names its days, `name` the unit. */
export const exportSchema = withRange(
  z.strictObject({
    ...RANGE,
    zone: timeZoneSchema,
    format: z.enum(EXPORT_FORMATS),
    name: nameSchema.optional(),
  }),
);

/** The units of a report in the query of its address: one by its key, or those with a tag; without either, all. */
export const CHOSEN = {
  unit: z.string().min(1).max(140).optional(),
  tag: z.string().min(1).max(40).optional(),
};

/** Days of a fleet, up to a quarter: `zone` is theirs. */
export const reportSchema = withRange(
  z.strictObject({ ...RANGE, zone: timeZoneSchema, ...CHOSEN }),
  QUARTER_DAYS,
);

const degrees = z.coerce.number().min(-540).max(540);

/** A box of the map, and how far back the tails of its units go. */
export const tailsQuerySchema = z.strictObject({
  minutes: z.coerce.number().refine((minutes) => (TAIL_MINUTES as readonly number[]).includes(minutes)),
  ...{ south: degrees, west: degrees, north: degrees, east: degrees },
});

/** Answers a query of a viewer from the recording. @throws AppError 'recording-off', 'history-busy' */
export const queryHistory = async <History extends { limit: QueryLimit }, T>(
  { history }: { history: History | null },
  viewer: Pick<Viewer, 'id'>,
  query: (history: History) => Promise<T>,
): Promise<T> => {
  if (history === null) throw new AppError('recording-off');
  return history.limit.run(viewer.id ?? 'demo', () => query(history));
};

/** Streams what a query yields, which counts as running until the last piece was taken or the stream has ended. */
export const streamHistory = <History extends { limit: QueryLimit }>(
  context: Parameters<typeof openStream>[0] & { history: History | null; viewer: Pick<Viewer, 'id'> },
  query: (history: History, signal: AbortSignal) => AsyncGenerator<string | Uint8Array>,
): Promise<ReadableStream<Uint8Array>> =>
  new Promise((resolve, reject) => {
    queryHistory(context, context.viewer, async (history) => {
      const { body, ended } = await openStream(context, (signal) => query(history, signal));
      resolve(body);
      await ended;
    }).catch(reject);
  });
