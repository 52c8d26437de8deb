import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fetch } from '@/lib/tracking/transport';

export interface Drain {
  fetch: Fetch;
  /** Resolves when no request is in flight, or after the given milliseconds. */
  untilIdle: (limitMs: number) => Promise<void>;
}

/** Counts the requests in flight, so that their resources are closed after them. */
export const createDrain = (fetch: Fetch): Drain => {
  const underWay = new Set<Promise<Response>>();
  return {
    fetch: (request) => {
      const answer = fetch(request);
      underWay.add(answer);
      const end = () => void underWay.delete(answer);
      answer.then(end, end);
      return answer;
    },
    untilIdle: async (limitMs) => {
      const giveUp = new AbortController();
      const idle = (async () => {
        while (underWay.size > 0 && !giveUp.signal.aborted) await Promise.allSettled(underWay);
      })();
      await Promise.race([idle, delay(limitMs, undefined, { signal: giveUp.signal }).catch(() => undefined)]);
      giveUp.abort();
    },
  };
};
