import 'server-only';

/** What is known of a request before it is known who makes it; whoever made it has no word in the rest of it. */
export interface Asker {
  headers: Headers;
  /** The client's network address; an IPv6 one as its network. */
  address: string;
  /** It came from this very machine, to a name of this machine, and through no proxy. */
  isLocal: boolean;
  /** The browser asked over TLS. */
  isTls: boolean;
}
