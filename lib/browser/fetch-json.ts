import { forgetCopies } from './owner';
import { LIVE_ACCEPT, problemSchema, type Problem } from '@/lib/base/http/protocol';

/** Our own server sent no response: no network, or a timeout. */
export class ServerUnreachableError extends Error {
  override name = 'ServerUnreachableError';
}

/** Our own server responded with a problem document. */
export class ServerProblemError extends Error {
  override name = 'ServerProblemError';

  constructor(
    readonly status: number,
    readonly problem: Problem | null,
  ) {
    super(problem?.detail ?? problem?.title ?? `The Linehaul server answered ${status}.`);
  }
}

/** Our own server sent a response that this page cannot read; the server may be newer than the page. */
export class ServerShapeError extends Error {
  override name = 'ServerShapeError';

  constructor(options: ErrorOptions) {
    super('The Linehaul server sent an answer that this page cannot read. Reload the page.', options);
  }
}

/** A shape, or a zod schema. */
export interface Schema<T> {
  parse: (data: unknown) => T;
}

interface RequestOptions extends Pick<RequestInit, 'method' | 'body'> {
  signal?: AbortSignal;
  timeoutMs?: number;
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 20_000;
/** A change may take long, and is never retried automatically. */
const CHANGE_TIMEOUT_MS = 30_000;

/** The problem document of a response; null where it has none. */
const readProblem = async (response: Response): Promise<Problem | null> => {
  const body: unknown = await response.json().catch(() => null);
  return problemSchema.accepts(body) ? body : null;
};

/**
 * A response of our own server with any status that is not an error; 304 counts as success.
 *
 * @throws ServerUnreachableError, ServerProblemError; an AbortError when `signal` aborts
 */
export const request = async (url: string, options: RequestOptions = {}): Promise<Response> => {
  const { signal, method, body, timeoutMs = TIMEOUT_MS, fetch: send = fetch } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    response = await send(url, {
      method,
      body,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      // Freshness is decided by the pages, so no HTTP cache in between may keep a copy.
      cache: 'no-store',
      headers: {
        accept: LIVE_ACCEPT,
        ...(body == null ? {} : { 'content-type': 'application/json' }),
      },
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    const failure = timeout.aborted ? 'does not answer in time' : 'does not answer';
    throw new ServerUnreachableError(`The Linehaul server ${failure}.`, { cause });
  }
  if (!response.ok && response.status !== 304) {
    const problem = await readProblem(response);
    // The session has ended, here or from elsewhere.
    if (problem?.code === 'sign-in-needed') await forgetCopies();
    throw new ServerProblemError(response.status, problem);
  }
  return response;
};

/**
 * The body of a response, parsed by `parse`.
 *
 * @throws ServerUnreachableError when the body breaks off, ServerShapeError when `parse` rejects it
 */
export const readBody = async <T>(response: Response, parse: (body: Uint8Array) => T): Promise<T> => {
  let body: ArrayBuffer;
  try {
    body = await response.arrayBuffer();
  } catch (cause) {
    throw new ServerUnreachableError('The answer of the Linehaul server broke off.', { cause });
  }
  try {
    return parse(new Uint8Array(body));
  } catch (cause) {
    throw new ServerShapeError({ cause });
  }
};

/** Like readBody, for JSON that a schema checks. */
export const readJson = <T>(response: Response, schema: Schema<T>): Promise<T> =>
  readBody(response, (body) => schema.parse(JSON.parse(new TextDecoder().decode(body))));

/** GETs JSON from our own server. @throws as `request` and `readBody` do */
export const fetchJson = async <T>(
  url: string,
  schema: Schema<T>,
  options: RequestOptions = {},
): Promise<T> => readJson(await request(url, options), schema);

/**
 * GETs lines of JSON, each passed on as it comes.
 *
 * @throws as `request` and `readBody` do
 */
export const fetchLines = async <T>(
  url: string,
  schema: Schema<T>,
  onLine: (line: T) => void,
  options: RequestOptions = {},
): Promise<void> => {
  const response = await request(url, options);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        if (options.signal?.aborted) throw cause;
        throw new ServerUnreachableError('The answer of the Linehaul server broke off.', { cause });
      });
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        let parsed: T;
        try {
          parsed = schema.parse(JSON.parse(line));
        } catch (cause) {
          throw new ServerShapeError({ cause });
        }
        onLine(parsed);
      }
    }
  } finally {
    // A stream that nothing reads stays open on the server. One that broke off cannot be canceled.
    reader.cancel().catch(() => undefined);
  }
};

const TRIES = 3;

/** Retries when the server is unreachable, never after a refusal. For React Query's `retry`. */
export const shouldRetry = (failures: number, error: Error): boolean =>
  failures < TRIES &&
  !(error instanceof ServerShapeError) &&
  !(error instanceof ServerProblemError && error.status < 500);

/**
 * Sends JSON to our own server and returns its response.
 *
 * @throws ServerUnreachableError, ServerProblemError
 */
export const sendJson = (
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body: unknown,
): Promise<Response> => request(url, { method, body: JSON.stringify(body), timeoutMs: CHANGE_TIMEOUT_MS });

/** Sends JSON to our own server and reads the JSON of its answer. @throws as `request` and `readBody` do */
export const exchangeJson = async <T>(
  ...[method, url, body, schema]: [...Parameters<typeof sendJson>, Schema<T>]
): Promise<T> => readJson(await sendJson(method, url, body), schema);

/** Options of a query of our own server that is tried whatever the browser holds of the network. */
export const PERSISTENT = { retry: shouldRetry, networkMode: 'always' } as const;
