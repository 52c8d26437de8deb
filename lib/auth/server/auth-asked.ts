import 'server-only';
import type { Client } from './client';
import type { Auth } from './auth';

/** A request to better-auth with its client. */
export interface AuthAsked {
  request: Request;
  client: Client;
  auth: Auth;
}

export type ServeAuth = (asked: AuthAsked) => Promise<Response>;
