import 'server-only';

/** What every failure of the tracking API has in common; the causes below tell them apart. */
export abstract class TrackingError extends Error {}

/** The provider could not be reached, or the connection broke off. */
export class TrackingNetworkError extends TrackingError {
  override name = 'TrackingNetworkError';
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

/** The provider's answer as a whole is not what the contract describes. */
export class TrackingShapeError extends TrackingError {
  override name = 'TrackingShapeError';
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
