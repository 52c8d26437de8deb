import 'server-only';

/** What every failure of the tracking API has in common; the causes below tell them apart. */
export abstract class TrackingError extends Error {}

/** The provider could not be reached, or the connection broke off. */
export class TrackingNetworkError extends TrackingError {
  override name = 'TrackingNetworkError';
}

/** The provider began to answer, and then the connection broke off. */
export class TrackingBrokenOffError extends TrackingNetworkError {
  override name = 'TrackingBrokenOffError';
}

/** The provider did not answer in full within the time it was given. */
export class TrackingTimeoutError extends TrackingError {
  override name = 'TrackingTimeoutError';
}

/** The provider refused the credentials (401) or what they may see (403). */
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

/** The provider answered with a status that the contract gives no meaning, 429 and 5xx among them. */
export class TrackingStatusError extends TrackingError {
  override name = 'TrackingStatusError';

  constructor(
    message: string,
    readonly status: number,
    /** How long the provider asks to be left alone, from Retry-After; null where it did not say. */
    readonly retryAfterMs: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The provider points to another address, which is not asked: the credentials are for this one alone. */
export class TrackingRedirectError extends TrackingStatusError {
  override name = 'TrackingRedirectError';
}

/** The provider's answer as a whole is not what the contract describes. */
export class TrackingShapeError extends TrackingError {
  override name = 'TrackingShapeError';
}

/** The answer is longer than this server reads. */
export class TrackingTooLongError extends TrackingShapeError {
  override name = 'TrackingTooLongError';
}

/** The answer has no body. */
export class TrackingEmptyError extends TrackingShapeError {
  override name = 'TrackingEmptyError';
}

/** The answer tells of an error, although its status calls it a success. */
export class TrackingErrorInsideError extends TrackingShapeError {
  override name = 'TrackingErrorInsideError';
}

/** The answer lists records, and none of them can be read as a unit. */
export class TrackingUnusableError extends TrackingShapeError {
  override name = 'TrackingUnusableError';
}

/** The answer says of itself that it is about another fleet or another unit than was asked for. */
export class TrackingMismatchError extends TrackingShapeError {
  override name = 'TrackingMismatchError';
}

/** The provider does not know what was asked for; `code` is its own word for why, where it gave one. */
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
