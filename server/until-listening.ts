import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fetch } from '@/lib/tracking/transport';

const PAUSE_MS = 200;

/** Waits until a server answers at the URL: true then, false when the signal aborts first. */
export const untilListening = async (url: string, fetch: Fetch, signal: AbortSignal): Promise<boolean> => {
  while (!signal.aborted) {
    try {
      const response = await fetch(new Request(url, { signal }));
      // Read to its end: an abandoned answer delays the server's shutdown.
      await response.arrayBuffer();
      return true;
    } catch {
      // Nothing listens yet, so the loop waits.
    }
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
};
