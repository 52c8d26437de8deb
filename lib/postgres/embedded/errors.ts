/** The embedded PostgreSQL cannot be had; the message says why and what to do, for a person. */
export class PostgresStartError extends Error {
  override name = 'PostgresStartError';
}

/** Another process owns the data folder. */
export class PostgresInUseError extends PostgresStartError {
  override name = 'PostgresInUseError';
}
