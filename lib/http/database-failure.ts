import 'server-only';
import { AppError } from '@/lib/http/problems';
import { toFailure } from '@/service/http/failure';

/** What Node, its driver of PostgreSQL and Drizzle call their errors; all others know what went wrong. */
const UNNAMED: readonly string[] = ['Error', 'AggregateError', 'error'];

/**
 * An error of a database that is away or full by its name, every other one as it is. What stood above the cause stays
 * behind: it quotes what was asked, with all that was typed into a form.
 */
export const toKnownError = (error: unknown): unknown => {
  if (!(error instanceof Error) || !UNNAMED.includes(error.name)) return error;
  const { problem, fields } = toFailure(error);
  if (problem.code === 'storage_full') return new AppError('database-full', { message: fields.reason });
  return problem.code === 'unavailable'
    ? new AppError('database-unavailable', { message: fields.reason })
    : error;
};
