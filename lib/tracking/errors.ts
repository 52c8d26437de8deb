import 'server-only';

/** The base of every error of the tracking API; the subclasses name the cause. */
export abstract class TrackingError extends Error {}

/** The provider could not be reached, or the connection broke off. */
export class TrackingNetworkError extends TrackingError {
  override name = 'TrackingNetworkError';
}

/** The connection broke off after the provider began to answer. */
export class TrackingBrokenOffError extends TrackingNetworkError {
  override name = 'TrackingBrokenOffError';
}

/** The provider did not answer in full within its time limit. */
export class TrackingTimeoutError extends TrackingError {
  override name = 'TrackingTimeoutError';
}

/** The provider refused the credentials (401) or their scope (403). */
export class TrackingAuthError extends TrackingError {
  override name = 'TrackingAuthError';

  constructor(
    message: string,
    readonly status: 401 | 403,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The provider answered with a status that the contract does not define, 429 and 5xx among them. */
export class TrackingStatusError extends TrackingError {
  override name = 'TrackingStatusError';

  constructor(
    message: string,
    readonly status: number,
    /** The Retry-After in ms; null where there is none. */
    readonly retryAfterMs: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The provider redirects to another address, which gets no request: the credentials are for this one alone.
 */
export class TrackingRedirectError extends TrackingStatusError {
  override name = 'TrackingRedirectError';
}

/** The provider's answer as a whole does not follow the contract. */
export class TrackingShapeError extends TrackingError {
  override name = 'TrackingShapeError';
}

/** The answer is longer than the limit. */
export class TrackingTooLongError extends TrackingShapeError {
  override name = 'TrackingTooLongError';
}

/** The answer has no body. */
export class TrackingEmptyError extends TrackingShapeError {
  override name = 'TrackingEmptyError';
}

/** The answer contains an error, although its status is a success. */
export class TrackingErrorInsideError extends TrackingShapeError {
  override name = 'TrackingErrorInsideError';
}

/** The answer lists records, and none of them can be read as a unit. */
export class TrackingUnusableError extends TrackingShapeError {
  override name = 'TrackingUnusableError';
}

/** The answer names another fleet or another unit than the one requested. */
export class TrackingMismatchError extends TrackingShapeError {
  override name = 'TrackingMismatchError';
}

/** The provider does not know the requested item; `code` is its own reason, where it gave one. */
export class TrackingNotFoundError extends TrackingError {
  override name = 'TrackingNotFoundError';

  constructor(
    message: string,
    readonly code: string | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
