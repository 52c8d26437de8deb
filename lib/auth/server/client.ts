import 'server-only';

/** What the server knows about the client of a request before any sign-in. */
export interface Client {
  headers: Headers;
  /** The client's network address; an IPv6 address as its network prefix. */
  address: string;
  /** The request came from this machine, to a name of this machine, and through no proxy. */
  isLocal: boolean;
  /** The browser's connection is TLS. */
  isTls: boolean;
}
