/** Where a request may carry its ingest token, in order of precedence. */
export interface TokenPlaces {
  /** the part of the address between /ingest/ and the protocol */
  path: string | undefined;
  /** the Authorization header: `Bearer TOKEN`, or Basic with the token as password */
  authorization: string | undefined;
  /** ?token= */
  query: string | undefined;
}

/** The ingest token that a request carries, unchecked; null when it carries none. */
export const readToken = ({ path, authorization, query }: TokenPlaces): string | null =>
  path || readBearer(authorization) || readBasic(authorization)?.password || query || null;

/** The user name and password of Basic authentication (RFC 7617); null where there is none or it is broken. */
export const readBasic = (authorization: string | undefined): { user: string; password: string } | null => {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
};

const readBearer = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
