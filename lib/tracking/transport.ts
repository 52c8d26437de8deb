import 'server-only';
import {
  TrackingAuthError,
  TrackingError,
  TrackingNetworkError,
  TrackingNotFoundError,
  TrackingRedirectError,
  TrackingStatusError,
  TrackingTimeoutError,
} from './errors';
import type { AnswerLimits } from './limits';
import { createAnswerReader } from './read-answer';
import type { ReadAnswer, RecordTaker } from './read-answer';
import { readBody } from './read-body';
import { parseRetryAfter } from './retry-after';
import { problemCodeSchema } from './schema';
import { strikeSecrets } from './redact-secrets';

/** Only the code of a problem document is read, so that an HTML page is not worth downloading. */
const MAX_PROBLEM_BYTES = 64 * 1024;
export type Fetch = (request: Request) => Promise<Response>;

/** Characters that an HTTP header can carry; for any other, fetch throws an error that repeats the value. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

export interface TransportOptions {
  fetch: Fetch;
  /** Where the API is, with or without a trailing slash. */
  baseUrl: string;
  credentials: { apiKey: string; providerToken: string };
  now: () => number;
  limits: AnswerLimits;
}

export interface GetOptions {
  signal?: AbortSignal | undefined;
  /** The ETag of the answer that is held: the API may then answer 304. */
  etag?: string | undefined;
  /** For a long list: receives its records as they arrive; the result has an empty list in their place. */
  records?: RecordTaker | undefined;
}

export type Got = {
  /**
   * By how much our clock is ahead of the provider's, in ms, to a second or two; null where its answer has no
   * Date.
   */
  clockLeadMs: number | null;
} & ({ isUnchanged: true } | ({ isUnchanged: false; etag: string | null } & ReadAnswer));

/** Requests one path of the tracking API, given as unencoded segments. */
export type Get = (segments: readonly string[], options?: GetOptions) => Promise<Got>;

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

/**
 * Settles as the work does, or rejects with the signal's reason as soon as it aborts, even if the work
 * ignores the signal.
 */
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

/**
 * The transport to the tracking API: sends the two secrets in headers and nowhere else, follows no redirect
 * with them, limits the time and size of each answer, and maps every failure to one of the classes of
 * errors.ts. An abort by the caller's own signal rejects with that signal's reason.
 */
export const createTransport = (options: TransportOptions): Get => {
  const { credentials, now } = options;
  const { headersTimeoutMs, timeoutMs } = options.limits;
  const secrets = [
    requireHeaderText(credentials.apiKey, 'API key'),
    requireHeaderText(credentials.providerToken, 'provider token'),
  ];
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  /** A cause in a form that is safe to log: a provider or a proxy may repeat the request. */
  const toCause = (error: unknown): unknown => {
    const said =
      error instanceof Error ? `${error.message} ${String(error.cause)} ${error.stack}` : String(error);
    return strikeSecrets(said, secrets) !== said ? new Error('[its words hold a secret]') : error;
  };

  const readAnswer = createAnswerReader({ secrets, maxAnswerBytes: options.limits.maxAnswerBytes, toCause });

  const readCode = async (response: Response): Promise<string | null> => {
    try {
      const { code } = problemCodeSchema.parse(JSON.parse(await readBody(response, MAX_PROBLEM_BYTES)));
      return strikeSecrets(code, secrets) === code ? code : null;
    } catch {
      // The status alone decides, whatever the body is.
      return null;
    }
  };

  const toStatusError = async (call: string, response: Response): Promise<TrackingError> => {
    const { status } = response;
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now());
    if (status === 404) return new TrackingNotFoundError(`${call}: not found.`, await readCode(response));
    await discard(response);
    if (status === 401) return new TrackingAuthError(`${call}: the credentials were refused (401).`, 401);
    if (status === 403) return new TrackingAuthError(`${call}: the key may not see this (403).`, 403);
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
      const words = `${call}: answered with a redirect (${status}), which is not followed with the credentials.`;
      return new TrackingRedirectError(words, status, retryAfterMs);
    }
    const wait = retryAfterMs === null ? '' : `, to be asked again in ${Math.ceil(retryAfterMs / 1000)} s`;
    return new TrackingStatusError(`${call}: answered with status ${status}${wait}.`, status, retryAfterMs);
  };

  const ask = async (
    call: string,
    request: Request,
    { etag, records }: GetOptions,
    onHeaders: () => void,
  ): Promise<Got> => {
    const response = await options.fetch(request);
    onHeaders();
    const clockLeadMs = toClockLeadMs(response, now());
    if (response.status === 304 && etag !== undefined) {
      await discard(response);
      return { isUnchanged: true, clockLeadMs };
    }
    if (response.type === 'opaqueredirect' || !response.ok) throw await toStatusError(call, response);
    const read = await readAnswer(call, response, records);
    return { isUnchanged: false, clockLeadMs, ...read, etag: response.headers.get('etag') };
  };

  const toTrackingError = (call: string, error: unknown): TrackingError => {
    if (error instanceof TrackingError) return error;
    const words = `${call}: the tracking API could not be reached.`;
    return new TrackingNetworkError(words, { cause: toCause(error) });
  };

  return async (segments, getOptions = {}) => {
    const { signal, etag } = getOptions;
    const path = segments.map(requireSegment).join('/');
    const call = `GET /${path}`;
    const timeout = new AbortController();
    const either = signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]);
    const request = new Request(`${baseUrl}/${path}`, {
      headers: {
        accept: 'application/json',
        'x-api-key': credentials.apiKey,
        'provider-token': credentials.providerToken,
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
      redirect: 'manual',
      cache: 'no-store',
      signal: either,
    });
    const giveUp = (words: string) => () => timeout.abort(new Error(words));
    const whole = setTimeout(giveUp(`no complete answer within ${timeoutMs} ms`), timeoutMs);
    const headers = setTimeout(giveUp(`no headers within ${headersTimeoutMs} ms`), headersTimeoutMs);
    try {
      return await unlessAborted(either, () => ask(call, request, getOptions, () => clearTimeout(headers)));
    } catch (error) {
      if (timeout.signal.aborted) {
        const cause = timeout.signal.reason as Error;
        throw new TrackingTimeoutError(`${call}: ${cause.message}.`, { cause });
      }
      signal?.throwIfAborted();
      throw toTrackingError(call, error);
    } finally {
      clearTimeout(whole);
      clearTimeout(headers);
    }
  };
};
