import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import type { Clock } from '@/lib/base/clock';
import type { TrackingClient } from './client';
import { createClientLimit, type SharedCount } from '@/lib/base/http/client-limit';

/** All pages share one allowance across all viewers. */
const PAGES = 'pages';

/**
 * A client for the provider requests of pages besides the feeds: at most a sustained `callsPerS`, and a burst
 * of ten times as many. Without the limit, made-up VINs and USDOT numbers would each cost a provider request.
 * Each call rejects as the client's does, or with AppError 'too-many-calls'.
 */
export const createBoundedClient = (
  client: TrackingClient,
  {
    callsPerS,
    ...options
  }: { callsPerS: number; clock: Pick<Clock, 'monotonicMs'>; shared?: SharedCount | null },
): TrackingClient => {
  const limit = createClientLimit({ requestsPerS: callsPerS, ...options });
  const bound =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      const waitS = limit.take(PAGES);
      if (waitS === 0) return call(...args);
      throw new AppError('too-many-calls', {
        message: `Got more than ${callsPerS} questions a second for the provider.`,
        retryAfterS: waitS,
      });
    };
  return {
    readUnits: bound(client.readUnits),
    readUnit: bound(client.readUnit),
    readVins: bound(client.readVins),
    readAccount: bound(client.readAccount),
    readCarrier: bound(client.readCarrier),
    readReported: bound(client.readReported),
  };
};
