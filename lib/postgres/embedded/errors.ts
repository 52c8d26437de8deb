/** The embedded PostgreSQL cannot start; the message explains the reason and the remedy to a person. */
export class PostgresStartError extends Error {
  override name = 'PostgresStartError';
}

/** Another process owns the data folder. */
export class PostgresInUseError extends PostgresStartError {
  override name = 'PostgresInUseError';
}
