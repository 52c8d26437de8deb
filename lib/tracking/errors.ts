import 'server-only';

/**
 * Why a call of the tracking API failed.
 *
 * - `network`: the provider could not be reached, or the connection was lost before its answer
 * - `brokenOff`: the connection was lost within the answer
 * - `timeout`: no complete answer within the time limits
 * - `unauthorized` (401), `forbidden` (403), `notFound` (404), `rateLimit` (429)
 * - `redirect`: another address, which gets no request because the credentials are for this one alone
 * - `status`: any other status that the contract does not define
 * - `shape`: a successful answer that does not follow the contract
 * - `tooLong`, `empty`, `errorInside`, `unusable`, `mismatch`: the same, each a cause of its own: longer than
 *   the limit; without a body; an error in it; records of which none is a unit; another fleet or unit than
 *   the requested one
 */
export type TrackingErrorKind =
  | 'network'
  | 'brokenOff'
  | 'timeout'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'rateLimit'
  | 'redirect'
  | 'status'
  | 'shape'
  | 'tooLong'
  | 'empty'
  | 'errorInside'
  | 'unusable'
  | 'mismatch';

/** Marks a TrackingError for every copy of this module: Next.js bundles routes separately from the server. */
const BRAND = Symbol.for('linehaul.TrackingError');

interface TrackingErrorDetails extends ErrorOptions {
  /** The HTTP status, where the provider answered with another than a success. */
  status?: number | null;
  /** The provider's Retry-After in ms. */
  retryAfterMs?: number | null;
  /** The provider's own reason for a 404. */
  code?: string | null;
}

/** A failed call of the tracking API. Its message is for an engineer and never holds a secret. */
export class TrackingError extends Error {
  override readonly name = 'TrackingError';
  readonly [BRAND] = true;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly code: string | null;

  constructor(
    readonly kind: TrackingErrorKind,
    message: string,
    { status = null, retryAfterMs = null, code = null, ...options }: TrackingErrorDetails = {},
  ) {
    super(message, options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.code = code;
  }
}

/** Whether an error is a TrackingError, made by any copy of this module, and of one of the kinds if some are given. */
export const isTrackingError = (error: unknown, ...kinds: TrackingErrorKind[]): error is TrackingError =>
  error instanceof Error &&
  BRAND in error &&
  (kinds.length === 0 || kinds.includes((error as TrackingError).kind));
