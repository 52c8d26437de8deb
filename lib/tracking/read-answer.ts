import 'server-only';
import type { TrackingError } from './errors';
import {
  TrackingBrokenOffError,
  TrackingEmptyError,
  TrackingShapeError,
  TrackingTooLongError,
} from './errors';
import { createListReader, createTextReader } from './list-reader';
import { BodyTooLongError, readPieces } from './read-body';
import { createJsonRedactor, createSecretStrike, strikeSecrets } from './redact-secrets';
import type { Mended } from './units-parser';

/** The character that a decoder writes for bytes that are not UTF-8. */
const BAD_CHARACTER = '\uFFFD';
const TYPE_CHARACTERS = 60;

/**
 * Receives the records of a long list as they arrive; the list is the root, or the root's value under `key`.
 */
export interface RecordTaker {
  key: string;
  take: (records: readonly unknown[]) => void;
}

export interface ReadAnswer {
  json: unknown;
  /** What had to be repaired before the answer could be read as JSON. */
  mended: readonly Mended[];
}

interface AnswerReaderOptions {
  secrets: readonly string[];
  /** After decompression. */
  maxAnswerBytes: number;
  /** An error in a form that is safe to log. */
  toCause: (error: unknown) => unknown;
}

const toMended = (type: string | null, hasBadBytes: boolean): Mended[] => {
  const mended: Mended[] = [];
  if (type !== null && !/json/i.test(type)) {
    mended.push({ where: 'content type', got: type, readAs: 'application/json' });
  }
  if (hasBadBytes) mended.push({ where: 'text', got: 'bytes that are not UTF-8', readAs: BAD_CHARACTER });
  return mended;
};

/**
 * Reads the body of a successful answer as JSON, up to its size limit, and redacts the secrets that a
 * provider may repeat in it. `call` names the request in errors: those of errors.ts that concern an answer.
 */
export const createAnswerReader = ({ secrets, maxAnswerBytes, toCause }: AnswerReaderOptions) => {
  const redactJson = createJsonRedactor(secrets);
  return async (call: string, response: Response, records: RecordTaker | undefined): Promise<ReadAnswer> => {
    let characters = 0;
    let hasBadBytes = false;
    // Without an escape the parsed text is what the raw text was, which `strike` has redacted: at 100,000
    // units a walk over all fields would cost a tenth of a second for every poll.
    let hasEscapes = false;
    const toRedacted = (json: unknown): unknown => (hasEscapes ? redactJson(json) : json);
    const reader = records
      ? createListReader(records.key, (list) => records.take(toRedacted(list) as typeof list))
      : createTextReader();
    const strike = createSecretStrike(secrets);
    const header = response.headers.get('content-type');
    const type = header === null ? null : strikeSecrets(header, secrets).slice(0, TYPE_CHARACTERS);

    const toError = (error: unknown): TrackingError => {
      const cause = toCause(error);
      if (error instanceof BodyTooLongError) {
        const words = `${call}: got more than the ${maxAnswerBytes} bytes that are read.`;
        return new TrackingTooLongError(words, { cause });
      }
      if (error instanceof SyntaxError) {
        const got = `${characters} characters (${type ?? 'no content type'})`;
        return new TrackingShapeError(`${call}: got ${got} when JSON is expected.`, { cause });
      }
      const words = `${call}: the answer broke off after ${characters} characters.`;
      return new TrackingBrokenOffError(words, { cause });
    };

    try {
      await readPieces(response, maxAnswerBytes, (text) => {
        characters += text.length;
        hasBadBytes ||= text.includes(BAD_CHARACTER);
        hasEscapes ||= text.includes('\\');
        reader.push(strike.push(text));
      });
      reader.push(strike.end());
      if (characters > 0) return { json: toRedacted(reader.end()), mended: toMended(type, hasBadBytes) };
    } catch (error) {
      throw toError(error);
    }
    throw new TrackingEmptyError(`${call}: got an empty body when JSON is expected.`);
  };
};
