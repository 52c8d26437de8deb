import 'server-only';
import type { Fetch } from '@/lib/tracking/transport';
import type { FromThread, ToThread } from './messages';

interface FetchThrough {
  fetch: Fetch;
  /** Resolves or rejects a request with the main thread's message. */
  settle: (told: Extract<ToThread, { kind: 'response' | 'unreachable' }>) => void;
}

/** A fetch for a thread that may not have the address or the secrets: the main thread sends the requests. */
export const createFetchThrough = (tell: (message: FromThread) => void): FetchThrough => {
  const waiting = new Map<
    number,
    { resolve: (response: Response) => void; reject: (error: Error) => void }
  >();
  let requests = 0;
  return {
    fetch: (request) =>
      new Promise((resolve, reject) => {
        const id = ++requests;
        waiting.set(id, { resolve, reject });
        tell({ kind: 'request', id, url: request.url, headers: [...request.headers] });
      }),
    settle: (told) => {
      const client = waiting.get(told.id);
      waiting.delete(told.id);
      if (told.kind === 'unreachable') {
        return client?.reject(
          Object.assign(new Error(told.words), told.code === null ? {} : { code: told.code }),
        );
      }
      const { status, headers, body } = told;
      const isEmpty = status === 204 || status === 304;
      client?.resolve(new Response(isEmpty ? null : (body as Uint8Array<ArrayBuffer>), { status, headers }));
    },
  };
};

/** The main thread's side: sends one request for the thread, and returns the message with its outcome. */
export const answerThrough = async (
  fetch: Fetch,
  { id, url, headers }: Extract<FromThread, { kind: 'request' }>,
): Promise<ToThread> => {
  try {
    const response = await fetch(new Request(url, { headers }));
    const body = new Uint8Array(await response.arrayBuffer());
    return { kind: 'response', id, status: response.status, headers: [...response.headers], body };
  } catch (error) {
    const { code } = error as { code?: unknown };
    return { kind: 'unreachable', id, words: String(error), code: typeof code === 'string' ? code : null };
  }
};
