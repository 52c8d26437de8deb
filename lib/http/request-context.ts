import 'server-only';

/** What the server knows of a request before authentication; the client cannot set any of it. */
export interface RequestContext {
  requestId: string;
  /** The client's network address, from the socket and the trusted proxies; null if unknown. */
  address: string | null;
  /** The request came from this machine, to a name of this machine, and through no proxy. */
  isLocal: boolean;
  /** The browser uses TLS. */
  isTls: boolean;
  /** The target as the client wrote it. */
  target: string;
  /** Nonce of the page's content security policy; null for an answer that is not a page. */
  nonce: string | null;
}

/** The context of a handler that is called without a server, as in a unit test: the client is unknown. */
export const UNKNOWN_CONTEXT: RequestContext = {
  requestId: 'none',
  address: null,
  isLocal: false,
  isTls: false,
  target: '/',
  nonce: null,
};
