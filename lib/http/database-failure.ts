import 'server-only';
import { toFailure } from '@/service/http/failure';

/** A database of ours cannot be reached, or has no room left, as was found while it was asked for something. */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError';

  constructor(
    message: string,
    readonly isFull: boolean,
  ) {
    super(message);
  }
}

/** What Node, its driver of PostgreSQL and Drizzle call their errors; all others know what went wrong. */
const UNNAMED: readonly string[] = ['Error', 'AggregateError', 'error'];

/**
 * An error of a database that is away or full by its name, every other one as it is. What stood above the cause stays
 * behind: it quotes what was asked, with all that was typed into a form.
 */
export const toKnownError = (error: unknown): unknown => {
  if (!(error instanceof Error) || !UNNAMED.includes(error.name)) return error;
  const { problem, fields } = toFailure(error);
  const isFull = problem.code === 'storage_full';
  return isFull || problem.code === 'unavailable'
    ? new StorageUnavailableError(fields.reason, isFull)
    : error;
};
