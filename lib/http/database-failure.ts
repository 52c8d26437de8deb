import 'server-only';
import { AppError } from '@/lib/http/problems';
import { toFailure } from '@/service/http/failure';

/**
 * Error codes of Node.js, its PostgreSQL driver and Drizzle for a lost connection; all other errors describe
 * the fault themselves.
 */
const UNNAMED: readonly string[] = ['Error', 'AggregateError', 'error'];

/**
 * Returns the named AppError for a database that is away or full, and every other error unchanged. Drops the
 * wrapping errors, which quote the statement with its form values.
 */
export const toKnownError = (error: unknown): unknown => {
  if (!(error instanceof Error) || !UNNAMED.includes(error.name)) return error;
  const { problem, fields } = toFailure(error);
  if (problem.code === 'storage_full') return new AppError('database-full', { message: fields.reason });
  return problem.code === 'unavailable'
    ? new AppError('database-unavailable', { message: fields.reason })
    : error;
};
