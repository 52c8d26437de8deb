/** The part of pino's logger that the service uses. */
export interface ServiceLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => undefined;

export const silentLog: ServiceLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A credential of the service by its prefix, complete or truncated; in a URL the underscores may be percent-encoded. */
const SECRET = /lh(?:_|%5f)[a-z]+(?:_|%5f)[\w%-]+/gi;
/** The same in base64 or base64url, where the encoded text begins with it: `bGhf` is `lh_`. */
const ENCODED_SECRET = /bGhf[\w+/-]{16,}={0,2}/g;

/** A log line without the service's credentials. */
export const redactSecrets = (line: string): string =>
  line.replace(SECRET, '[hidden]').replace(ENCODED_SECRET, '[hidden]');
