import 'server-only';
import type { FeedProblem } from '@/lib/wire/fleet';
import type { Log } from './log';

/** Writes down why polls fail: a fault of ours with its stack, one of the provider's in its own words. */
export const createPollLog =
  (log: Log) =>
  (usdot: string, { kind, detail }: FeedProblem, error: unknown): void => {
    if (kind === 'internal') log.error({ usdot, err: error }, 'A poll failed.');
    else log.warn({ usdot, kind, reason: detail }, 'A poll failed.');
  };
