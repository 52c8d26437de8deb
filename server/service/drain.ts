import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fetch } from '@/lib/base/http/public-fetch';

export interface Drain {
  fetch: Fetch;
  /** Resolves when no request is in flight, or after the given milliseconds. */
  untilIdle: (limitMs: number) => Promise<void>;
}

/** Counts the requests in flight, so that their resources are closed after them. */
export const createDrain = (fetch: Fetch): Drain => {
  const inFlight = new Set<Promise<Response>>();
  return {
    fetch: (request) => {
      const answer = fetch(request);
      inFlight.add(answer);
      const end = () => void inFlight.delete(answer);
      answer.then(end, end);
      return answer;
    },
    untilIdle: async (limitMs) => {
      const timeout = new AbortController();
      const idle = (async () => {
        while (inFlight.size > 0 && !timeout.signal.aborted) await Promise.allSettled(inFlight);
      })();
      await Promise.race([
        idle,
        delay(limitMs, undefined, { signal: timeout.signal }).catch(() => undefined),
      ]);
      timeout.abort();
    },
  };
};
