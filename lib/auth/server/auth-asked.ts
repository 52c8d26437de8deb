import 'server-only';
import type { Asker } from './asker';
import type { Auth } from './auth';

/** One request to better-auth, and what is known of who makes it. */
export interface AuthAsked {
  request: Request;
  asker: Asker;
  auth: Auth;
}

export type ServeAuth = (asked: AuthAsked) => Promise<Response>;
