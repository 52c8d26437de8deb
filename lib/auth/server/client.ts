import 'server-only';

/** What the server itself knows of the client of a request, before any sign-in. */
export interface Client {
  headers: Headers;
  /** The client's network address; an IPv6 one as its network. */
  address: string;
  /** The request came from this machine, to a name of this machine, and through no proxy. */
  isLocal: boolean;
  /** The browser asked over TLS. */
  isTls: boolean;
}
