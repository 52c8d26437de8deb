import 'server-only';

/** What the server knows of a request before it is known who makes it; the client cannot set any of it. */
export interface RequestContext {
  requestId: string;
  /** The client's network address, by the socket and the trusted proxies; null where it is not known. */
  address: string | null;
  /** The request came from this machine, to a name of this machine, and through no proxy. */
  isLocal: boolean;
  /** The browser uses TLS. */
  isTls: boolean;
  /** The target as the client wrote it. */
  target: string;
  /** Of the page's content security policy; null where the answer is no page. */
  nonce: string | null;
}

/** Of a handler that is called without a server, as in a unit test: nothing is known of the client. */
export const UNKNOWN_CONTEXT: RequestContext = {
  requestId: 'none',
  address: null,
  isLocal: false,
  isTls: false,
  target: '/',
  nonce: null,
};
