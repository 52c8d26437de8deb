/** A credential of the service by its prefix, complete or truncated; in a URL the underscores may be percent-encoded. */
const SECRET = /lh(?:_|%5f)[a-z]+(?:_|%5f)[\w%-]+/gi;
/** The same in base64 or base64url, where the encoded text begins with it: `bGhf` is `lh_`. */
const ENCODED_SECRET = /bGhf[\w+/-]{16,}={0,2}/g;

/** A log line without the service's credentials. */
export const redactSecrets = (line: string): string =>
  line.replace(SECRET, '[hidden]').replace(ENCODED_SECRET, '[hidden]');
