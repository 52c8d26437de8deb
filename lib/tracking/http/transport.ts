import 'server-only';
import type { Fetch } from '@/lib/base/http/public-fetch';
import type { Clock } from '@/lib/base/clock';
import { TrackingError } from '../errors';
import type { AnswerLimits } from '../limits';
import { problemCodeSchema } from '../schema';
import {
  createAnswerReader,
  type AnswerReader,
  type ReadAnswer,
  type RecordTaker,
  readBody,
} from './read-answer';
import { redactSecrets } from './redact-secrets';
import { DAY_MS } from '@/lib/base/time';

/**
 * Retry-After in milliseconds from now, given as seconds or as a date (RFC 9110, 10.2.3); null where it is
 * neither.
 */
export const parseRetryAfter = (header: string | null, nowMs: number): number | null => {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  // A date begins with the name of a day; Date.parse alone would also take "-5" for a year.
  const atMs = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
};

/** Only the code of a problem document is read, so that an HTML page is not worth downloading. */
const MAX_PROBLEM_BYTES = 64 * 1024;

/** Characters that an HTTP header can carry; for any other, fetch throws an error that repeats the value. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

export interface TransportOptions {
  fetch: Fetch;
  /** The address of the API, with or without a trailing slash. */
  baseUrl: string;
  credentials: { apiKey: string; providerToken: string };
  clock: Clock;
  limits: AnswerLimits;
}

interface GetOptions {
  signal?: AbortSignal | undefined;
  /** The ETag of the cached answer: the API may then answer 304. */
  etag?: string | undefined;
  /** For a long list: receives its records as they arrive; the result has an empty list in their place. */
  records?: RecordTaker | undefined;
}

type Got = {
  /** The lead of our clock over the provider's, ms, to a second or two; null where its answer has no Date. */
  clockLeadMs: number | null;
} & ({ isUnchanged: true } | ({ isUnchanged: false; etag: string | null } & ReadAnswer));

const requireHeaderText = (value: string, name: string): string => {
  if (!HEADER_TEXT.test(value)) {
    throw new TypeError(
      `Got a value for the ${name} that no header can carry when printable ASCII is expected.`,
    );
  }
  return value;
};

const requireSegment = (segment: string): string => {
  // A URL resolves these two away, and another endpoint would answer.
  if (segment === '' || segment === '.' || segment === '..') {
    throw new RangeError(`Got ${JSON.stringify(segment)} when a part of a path is expected.`);
  }
  return encodeURIComponent(segment);
};

/** RFC 9110: Date is when the answer was made, Age is how long a cache has kept it since. */
const toClockLeadMs = ({ headers }: Response, nowMs: number): number | null => {
  const madeAtMs = Date.parse(headers.get('date') ?? '');
  const keptS = Number(headers.get('age') ?? 0);
  return Number.isFinite(madeAtMs) && keptS >= 0 ? nowMs - madeAtMs - keptS * 1000 : null;
};

/** Cancels an unread body, so that its connection can be reused. */
const discard = async (response: Response): Promise<void> => {
  try {
    await response.body?.cancel();
  } catch {
    // A body that broke off needs no cancel.
  }
};

/** Settles as the work does, or rejects with the signal's reason as soon as it aborts. */
const unlessAborted = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

/** Does the work within the time limits: `onHeaders` ends the one for the headers. */
const withinLimits = async <T>(
  call: string,
  { headersTimeoutMs, timeoutMs }: AnswerLimits,
  clock: Clock,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal, onHeaders: () => void) => Promise<T>,
): Promise<T> => {
  const timeout = new AbortController();
  const either = signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]);
  const abort = (reason: string) => () => timeout.abort(new Error(reason));
  const cancelWhole = clock.setTimer(abort(`no complete answer within ${timeoutMs} ms`), timeoutMs);
  const cancelHeaders = clock.setTimer(abort(`no headers within ${headersTimeoutMs} ms`), headersTimeoutMs);
  try {
    return await unlessAborted(either, () => work(either, cancelHeaders));
  } catch (error) {
    if (timeout.signal.aborted) {
      const cause = timeout.signal.reason as Error;
      throw new TrackingError('timeout', `${call}: ${cause.message}.`, { cause });
    }
    signal?.throwIfAborted();
    throw error;
  } finally {
    cancelWhole();
    cancelHeaders();
  }
};

/** Sends requests with the two secrets in headers only, follows no redirect with them, and limits time and size. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #baseUrl: string;
  readonly #secrets: readonly string[];
  readonly #readAnswer: AnswerReader;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#secrets = [
      requireHeaderText(options.credentials.apiKey, 'API key'),
      requireHeaderText(options.credentials.providerToken, 'provider token'),
    ];
    this.#readAnswer = createAnswerReader({
      secrets: this.#secrets,
      maxAnswerBytes: options.limits.maxAnswerBytes,
      toCause: (error) => this.#toCause(error),
    });
  }

  /** Requests one path, given as unencoded segments. @throws TrackingError; the reason of `signal` when that aborts */
  async get(segments: readonly string[], { signal, etag, records }: GetOptions = {}): Promise<Got> {
    const path = segments.map(requireSegment).join('/');
    const call = `GET /${path}`;
    const { limits, clock, fetch } = this.#options;
    try {
      return await withinLimits(call, limits, clock, signal, async (either, onHeaders) => {
        const response = await fetch(this.#toRequest(path, etag, either));
        onHeaders();
        return this.#read(call, response, etag, records);
      });
    } catch (error) {
      if (error instanceof TrackingError || signal?.aborted) throw error;
      const message = `${call}: the tracking API could not be reached.`;
      throw new TrackingError('network', message, { cause: this.#toCause(error) });
    }
  }

  #toRequest(path: string, etag: string | undefined, signal: AbortSignal): Request {
    const { apiKey, providerToken } = this.#options.credentials;
    return new Request(`${this.#baseUrl}/${path}`, {
      headers: {
        accept: 'application/json',
        'x-api-key': apiKey,
        'provider-token': providerToken,
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
      redirect: 'manual',
      cache: 'no-store',
      signal,
    });
  }

  async #read(
    call: string,
    response: Response,
    etag: string | undefined,
    records: RecordTaker | undefined,
  ): Promise<Got> {
    const clockLeadMs = toClockLeadMs(response, this.#options.clock.nowMs());
    if (response.status === 304 && etag !== undefined) {
      await discard(response);
      return { isUnchanged: true, clockLeadMs };
    }
    if (response.type === 'opaqueredirect' || !response.ok)
      throw await this.#toStatusError(call, response, clockLeadMs ?? 0);
    const answer = await this.#readAnswer(call, response, records);
    return { isUnchanged: false, clockLeadMs, ...answer, etag: response.headers.get('etag') };
  }

  async #toStatusError(call: string, response: Response, clockLeadMs: number): Promise<TrackingError> {
    const { status } = response;
    if (status === 404) {
      const code = await this.#readCode(response);
      return new TrackingError('notFound', `${call}: not found.`, { status, code });
    }
    await discard(response);
    if (status === 401)
      return new TrackingError('unauthorized', `${call}: the credentials were refused (401).`, { status });
    if (status === 403)
      return new TrackingError('forbidden', `${call}: the key may not see this (403).`, { status });
    // A date is of the provider's clock, which is not days apart from ours.
    const itsNowMs = this.#options.clock.nowMs() - (Math.abs(clockLeadMs) < DAY_MS ? clockLeadMs : 0);
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), itsNowMs);
    const details = { status, retryAfterMs };
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
      const message = `${call}: answered with a redirect (${status}), which is not followed with the credentials.`;
      return new TrackingError('redirect', message, details);
    }
    const wait = retryAfterMs === null ? '' : `, retry after ${Math.ceil(retryAfterMs / 1000)} s`;
    const message = `${call}: answered with status ${status}${wait}.`;
    return new TrackingError(status === 429 ? 'rateLimit' : 'status', message, details);
  }

  async #readCode(response: Response): Promise<string | null> {
    try {
      const { code } = problemCodeSchema.parse(JSON.parse(await readBody(response, MAX_PROBLEM_BYTES)));
      return redactSecrets(code, this.#secrets) === code ? code : null;
    } catch {
      // The status alone decides, whatever the body is.
      return null;
    }
  }

  /** A cause in a form that is safe to log: a provider or a proxy may repeat the request. */
  #toCause(error: unknown): unknown {
    const text =
      error instanceof Error ? `${error.message} ${String(error.cause)} ${error.stack}` : String(error);
    return redactSecrets(text, this.#secrets) !== text ? new Error('[its text contains a secret]') : error;
  }
}
