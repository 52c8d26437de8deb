import 'server-only';
import type { Client } from './client';
import type { Auth } from './auth';

/** One request to better-auth, and what is known of who makes it. */
export interface AuthAsked {
  request: Request;
  client: Client;
  auth: Auth;
}

export type ServeAuth = (asked: AuthAsked) => Promise<Response>;
