import type { ZodType } from 'zod';
import { problemSchema } from '@/lib/wire/problem';
import type { Problem } from '@/lib/wire/problem';

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

/** Our own server sent a response that this page cannot parse; the server may be newer than the page. */
class ServerShapeError extends Error {
  override name = 'ServerShapeError';

  constructor(options: ErrorOptions) {
    super('The Linehaul server said something that this page does not understand. Reload the page.', options);
  }
}

export interface RequestOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 20_000;

/** The problem document of a response; null where it has none. */
export const readProblem = async (response: Response): Promise<Problem | null> => {
  const body: unknown = await response.json().catch(() => null);
  return problemSchema.safeParse(body).data ?? null;
};

/**
 * A response of our own server with any status that is not an error; 304 counts as success.
 *
 * @throws ServerUnreachableError, ServerProblemError; an AbortError when `signal` aborts
 */
export const request = async (url: string, options: RequestOptions = {}): Promise<Response> => {
  const { signal, timeoutMs = TIMEOUT_MS, fetch: send = fetch } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    response = await send(url, {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      // Freshness is decided by the pages, so no HTTP cache in between may keep a copy.
      cache: 'no-store',
      headers: { accept: 'application/json' },
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    const words = timeout.aborted ? 'does not answer in time' : 'does not answer';
    throw new ServerUnreachableError(`The Linehaul server ${words}.`, { cause });
  }
  if (!response.ok && response.status !== 304) {
    throw new ServerProblemError(response.status, await readProblem(response));
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
export const readJson = <T>(response: Response, schema: ZodType<T>): Promise<T> =>
  readBody(response, (body) => schema.parse(JSON.parse(new TextDecoder().decode(body))));

/** GETs JSON from our own server. @throws as `request` and `readBody` do */
export const fetchJson = async <T>(
  url: string,
  schema: ZodType<T>,
  options: RequestOptions = {},
): Promise<T> => readJson(await request(url, options), schema);

const TRIES = 3;

/** Retries when the server is unreachable, never after a refusal. For React Query's `retry`. */
export const shouldRetry = (failures: number, error: Error): boolean =>
  failures < TRIES &&
  !(error instanceof ServerShapeError) &&
  !(error instanceof ServerProblemError && error.status < 500);
