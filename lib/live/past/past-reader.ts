import type { Fleet } from '@/lib/wire/fleet';
import { applyLiveAnswer, type LiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { readBody, request } from '@/lib/browser/fetch-json';
import { SkewEstimate, nextTask } from '../live-reader';

const toPastUrl = (usdot: string, atMs: number, since: string | null): string => {
  const query = new URLSearchParams({ at: String(atMs), ...(since === null ? {} : { since }) });
  return `/api/fleets/${encodeURIComponent(usdot)}/past?${query.toString()}`;
};

/** Reads a fleet at moments of the past, each as the changes to the one that was read before. */
export class PastReader {
  readonly #usdot: string;
  readonly #fetch: typeof fetch;
  readonly #skew = new SkewEstimate(Date.now);
  #base: Fleet | null = null;

  /** `skewMs`: server clock less browser clock as it is known before the first answer, 0 where it is not. */
  constructor(usdot: string, send: typeof fetch, skewMs = 0) {
    this.#usdot = usdot;
    this.#fetch = send;
    if (skewMs !== 0) this.#skew.observe(Date.now() + skewMs);
  }

  get skewMs(): number {
    return this.#skew.skewMs;
  }

  /**
   * The fleet as the screen showed it at a moment, Unix ms. Only one read may be under way; an aborted one changes
   * nothing.
   *
   * @throws ServerUnreachableError, ServerProblemError; an AbortError when `signal` aborts
   */
  async read(atMs: number, signal: AbortSignal): Promise<Fleet> {
    const answer = await this.#fetchAnswer(atMs, this.#base, signal);
    try {
      return this.#take(answer, this.#base);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return this.#take(await this.#fetchAnswer(atMs, null, signal), null);
    }
  }

  #take(answer: LiveAnswer | null, base: Fleet | null): Fleet {
    // The moment's version is the one that is held.
    if (answer === null && base !== null) return base;
    this.#base = applyLiveAnswer(base, answer!);
    return this.#base;
  }

  async #fetchAnswer(atMs: number, base: Fleet | null, signal: AbortSignal): Promise<LiveAnswer | null> {
    const url = toPastUrl(this.#usdot, atMs, base?.version ?? null);
    const response = await request(url, { signal, fetch: this.#fetch });
    this.#skew.observeDate(Date.parse(response.headers.get('date') ?? ''));
    if (response.status === 304) return null;
    const answer = await readBody(response, fromLiveBytes);
    await nextTask();
    signal.throwIfAborted();
    return answer;
  }
}
