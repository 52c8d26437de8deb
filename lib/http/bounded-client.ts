import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { TrackingClient } from '@/lib/tracking/client';
import { createClientLimit } from './client-limit';

/** All pages share one allowance, whoever opened them. */
const PAGES = 'pages';

/**
 * A client for what pages ask beside the feeds: at most `callsPerS`, lasting, and ten times as many at once. Whoever
 * makes up VINs and USDOT numbers would else have the provider asked for each. Each call rejects as the client's does,
 * or with AppError 'too-many-calls'.
 */
export const createBoundedClient = (
  client: TrackingClient,
  { callsPerS, elapsed }: { callsPerS: number; elapsed: () => number },
): TrackingClient => {
  const limit = createClientLimit({ requestsPerS: callsPerS, elapsed });
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
  };
};
