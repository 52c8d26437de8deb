import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import type { Client } from '@/lib/base/viewer';
import { AUTH_PATH, CLIENT_HEADER, type Auth } from '../auth';

export interface ForwardRequest {
  client: Client;
  auth: Auth;
  method?: 'GET' | 'POST';
  /** Relative to better-auth's own path, with its query. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** The browser's cookies that better-auth receives; omitted: all. */
  cookie?: string;
}

export type Forward = (handed: ForwardRequest) => Promise<Response>;

/** Forwards requests to better-auth under this server's origin, with the client's address and three of its headers. */
export const createForward =
  (toOrigin: (client: Client) => string): Forward =>
  async ({ client, auth, method = 'POST', path, body, cookie = client.headers.get('cookie') ?? '' }) => {
    const headers = new Headers({ [CLIENT_HEADER]: client.address });
    for (const name of ['user-agent', 'accept-language']) {
      const value = client.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (cookie !== '') headers.set('cookie', cookie);
    if (method === 'POST') headers.set('content-type', 'application/json');
    const request = new Request(`${toOrigin(client)}${AUTH_PATH}${path}`, {
      method,
      headers,
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    try {
      return await auth.handler(request);
    } catch (cause) {
      throw new AppError('accounts-unavailable', { message: 'Sign-in and sign-out fail.', cause });
    }
  };

/** Sets the cookies of better-auth's response on a response of this server: no page needs its body. */
export const withCookiesOf = (answer: Response, body: unknown): Response => {
  const headers = new Headers({ 'cache-control': 'no-store' });
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie);
  return Response.json(body, { headers });
};

/** better-auth's error code; empty if there is none. */
export const readCode = async (answer: Response): Promise<string> => {
  const body = (await answer.json().catch(() => null)) as { code?: unknown } | null;
  return typeof body?.code === 'string' ? body.code : '';
};

export interface AuthRequest {
  request: Request;
  client: Client;
  auth: Auth;
}

export type ServeAuth = (authRequest: AuthRequest) => Promise<Response>;
