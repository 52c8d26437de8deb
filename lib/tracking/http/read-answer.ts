import 'server-only';
import { TrackingError } from '../errors';
import { createListReader, createTextReader } from './list-reader';
import { createJsonRedactor, createSecretRedactor, redactSecrets } from './redact-secrets';
import type { AnswerRepair } from '../units-parser';

/** The character that a decoder writes for bytes that are not UTF-8. */
const BAD_CHARACTER = '\uFFFD';
const TYPE_CHARACTERS = 60;

/** Receives the records of a long list as they arrive; the list is the root, or the root's value under `key`. */
export interface RecordTaker {
  key: string;
  take: (records: readonly unknown[]) => void;
}

export interface ReadAnswer {
  json: unknown;
  /** Repairs before the answer could be read as JSON. */
  repairs: readonly AnswerRepair[];
}

export type AnswerReader = (
  call: string,
  response: Response,
  records: RecordTaker | undefined,
) => Promise<ReadAnswer>;

interface AnswerReaderOptions {
  secrets: readonly string[];
  /** The limit after decompression. */
  maxAnswerBytes: number;
  /** An error in a form that is safe to log. */
  toCause: (error: unknown) => unknown;
}

const toRepairs = (type: string | null, hasBadBytes: boolean): AnswerRepair[] => {
  const repairs: AnswerRepair[] = [];
  if (type !== null && !/json/i.test(type)) {
    repairs.push({ where: 'content type', got: type, readAs: 'application/json' });
  }
  if (hasBadBytes) repairs.push({ where: 'text', got: 'bytes that are not UTF-8', readAs: BAD_CHARACTER });
  return repairs;
};

/** Reads a successful body as JSON, up to a limit, with secrets redacted. `call` names the request in errors. */
export const createAnswerReader = ({
  secrets,
  maxAnswerBytes,
  toCause,
}: AnswerReaderOptions): AnswerReader => {
  const redactJson = createJsonRedactor(secrets);
  return async (call, response, records) => {
    let characters = 0;
    let hasBadBytes = false;
    // Without an escape the parsed text is what the raw text was, which is redacted already: at 100,000
    // units a walk over all fields would cost a tenth of a second for every poll.
    let hasEscapes = false;
    const toRedacted = (json: unknown): unknown => (hasEscapes ? redactJson(json) : json);
    const reader = records
      ? createListReader(records.key, (list) => records.take(toRedacted(list) as typeof list))
      : createTextReader();
    const redactor = createSecretRedactor(secrets);
    const header = response.headers.get('content-type');
    const type = header === null ? null : redactSecrets(header, secrets).slice(0, TYPE_CHARACTERS);

    const toError = (error: unknown): TrackingError => {
      const cause = toCause(error);
      if (error instanceof BodyTooLongError) {
        const message = `${call}: got more than the ${maxAnswerBytes} bytes that are read.`;
        return new TrackingError('tooLong', message, { cause });
      }
      if (error instanceof SyntaxError) {
        const got = `${characters} characters (${type ?? 'no content type'})`;
        return new TrackingError('shape', `${call}: got ${got} when JSON is expected.`, { cause });
      }
      const message = `${call}: the answer broke off after ${characters} characters.`;
      return new TrackingError('brokenOff', message, { cause });
    };

    try {
      await readPieces(response, maxAnswerBytes, (text) => {
        characters += text.length;
        hasBadBytes ||= text.includes(BAD_CHARACTER);
        hasEscapes ||= text.includes('\\');
        reader.push(redactor.push(text));
      });
      reader.push(redactor.end());
      if (characters > 0) return { json: toRedacted(reader.end()), repairs: toRepairs(type, hasBadBytes) };
    } catch (error) {
      throw toError(error);
    }
    throw new TrackingError('empty', `${call}: got an empty body when JSON is expected.`);
  };
};

/** The body was longer than the caller's limit. */
export class BodyTooLongError extends Error {
  override name = 'BodyTooLongError';
}

/** About a millisecond of decoding, so that a body that comes in one piece does not block the event loop. */
const PIECE_BYTES = 64 * 1024;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Passes a response's body to `take` as text, piece by piece, up to `maxBytes` (after decompression).
 *
 * @throws BodyTooLongError beyond that; otherwise whatever `take` throws or the stream fails with.
 */
export const readPieces = async (
  response: Response,
  maxBytes: number,
  take: (text: string) => void,
): Promise<void> => {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new BodyTooLongError(`The body is longer than ${maxBytes} bytes.`);
      for (let from = 0; from < value.byteLength; from += PIECE_BYTES) {
        if (from > 0) await nextTurn();
        take(decoder.decode(value.subarray(from, from + PIECE_BYTES), { stream: true }));
      }
    }
    take(decoder.decode());
  } finally {
    // Cancels a body that was not read to its end, which frees the connection; one that broke off needs no cancel.
    reader.cancel().catch(() => undefined);
  }
};

/** A response's body as text. Fails as readPieces does. */
export const readBody = async (response: Response, maxBytes: number): Promise<string> => {
  let text = '';
  await readPieces(response, maxBytes, (piece) => (text += piece));
  return text;
};
