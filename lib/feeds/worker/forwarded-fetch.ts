import 'server-only';
import type { Fetch } from '@/lib/base/http/public-fetch';
import { PendingMessages, type FromThread, type ToThread } from './messages';

/** A fetch for a thread that may not have the address or the secrets: the main thread sends the requests. */
export class ForwardedFetch {
  readonly #pending = new PendingMessages<Response>();
  readonly fetch: Fetch;

  constructor(post: (message: FromThread) => void) {
    this.fetch = ({ url, headers }) =>
      this.#pending.send((id) => post({ kind: 'request', id, url, headers: [...headers] }));
  }

  /** Resolves or rejects a request with the main thread's message. */
  resolve(outcome: Extract<ToThread, { kind: 'response' | 'unreachable' }>): void {
    if (outcome.kind === 'unreachable') {
      const { id, message, code } = outcome;
      return this.#pending.reject(id, Object.assign(new Error(message), code === null ? {} : { code }));
    }
    const { id, status, headers, body } = outcome;
    const isEmpty = status === 204 || status === 304;
    const bytes = isEmpty ? null : (body as Uint8Array<ArrayBuffer>);
    this.#pending.resolve(id, new Response(bytes, { status, headers }));
  }
}

/** The main thread's side: sends one request for the thread, and returns the message with its outcome. */
export const forwardRequest = async (
  fetch: Fetch,
  { id, url, headers }: Extract<FromThread, { kind: 'request' }>,
): Promise<ToThread> => {
  try {
    const response = await fetch(new Request(url, { headers }));
    const body = new Uint8Array(await response.arrayBuffer());
    return { kind: 'response', id, status: response.status, headers: [...response.headers], body };
  } catch (error) {
    const { code } = error as { code?: unknown };
    return { kind: 'unreachable', id, message: String(error), code: typeof code === 'string' ? code : null };
  }
};
