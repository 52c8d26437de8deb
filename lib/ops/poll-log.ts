import 'server-only';
import type { FeedProblem } from '@/lib/wire/fleet';
import type { Log } from './log';

/**
 * Writes down why polls fail: a fault of ours with its stack, one of the provider's in its own words. Without an
 * error the poll went well, and what it brought is doubtful.
 */
export const createPollLog =
  (log: Log) =>
  (usdot: string, { kind, detail }: FeedProblem, error: unknown): void => {
    if (kind === 'internal') log.error({ usdot, err: error }, 'A poll failed.');
    else if (error === null)
      log.warn({ usdot, kind, reason: detail }, 'An answer of the provider is doubtful.');
    else log.warn({ usdot, kind, reason: detail }, 'A poll failed.');
  };
