/** Why an ingest request was refused; stable, for programs. */
export type IngestInputCode = 'invalid_input' | 'clock_fault' | 'encrypted_payload' | 'batch_too_large';

/**
 * A device sent something that cannot be stored. The message names the field, what was expected and what was sent,
 * and is safe to answer: it never holds a credential.
 */
export class IngestInputError extends Error {
  override name = 'IngestInputError';

  constructor(
    readonly field: string,
    expected: string,
    got: unknown,
    readonly code: IngestInputCode = 'invalid_input',
    options?: ErrorOptions,
  ) {
    super(`${field}: expected ${expected}, got ${toShown(got)}`, options);
  }
}

/** Long enough to recognize a value, short enough for a log line. */
const SHOWN_CHARACTERS = 60;

/** Takes constant time: the value may be megabytes long or deeply nested. */
const toShown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return isEmpty(value) ? '{}' : 'an object';
  if (typeof value !== 'string') return String(value);
  const text = JSON.stringify(value.slice(0, SHOWN_CHARACTERS));
  return value.length > SHOWN_CHARACTERS || text.length > SHOWN_CHARACTERS
    ? `${text.slice(0, SHOWN_CHARACTERS)}…`
    : text;
};

const isEmpty = (value: object): boolean => {
  for (const key in value) return key === undefined;
  return true;
};
