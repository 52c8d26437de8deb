import 'server-only';
import type { FeedProblem } from '@/lib/wire/fleet';
import type { Log } from '@/lib/base/log';

/**
 * Logs why polls fail: our own fault with its stack, a fault of the provider with its message. Without an
 * error the poll succeeded, and its answer is an anomaly.
 */
export const createPollLog =
  (log: Log) =>
  (usdot: string, { kind, detail }: FeedProblem, error: unknown): void => {
    if (kind === 'internal') log.error({ usdot, err: error }, 'A poll failed.');
    else if (error === null)
      log.warn({ usdot, kind, reason: detail }, 'An answer from the provider looks wrong.');
    else log.warn({ usdot, kind, reason: detail }, 'A poll failed.');
  };
