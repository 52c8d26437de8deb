import { ServerProblemError, ServerUnreachableError, readProblem } from './fetch-json';

/** A change may take long, and is never retried automatically. */
const TIMEOUT_MS = 30_000;

/**
 * Sends JSON to our own server and returns its response.
 *
 * @throws ServerUnreachableError, ServerProblemError
 */
export const sendJson = async (
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body: unknown,
): Promise<Response> => {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch (cause) {
    throw new ServerUnreachableError('The Linehaul server does not answer.', { cause });
  }
  if (!response.ok) throw new ServerProblemError(response.status, await readProblem(response));
  return response;
};
