/** Why an ingest request was refused; stable, for programs. */
export type IngestInputCode = 'invalid_input' | 'no_position' | 'encrypted_payload' | 'batch_too_large';

/**
 * A device sent something that cannot be stored. The message names the field, what was expected and what came,
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

/** Long enough to recognise a value, short enough for a log line. */
const SHOWN_CHARACTERS = 60;

const toShown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
};
