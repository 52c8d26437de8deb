import 'server-only';
import type { ZodType } from 'zod';
import { isStorable } from './guards';

/** What was sent does not fit what is expected: every fault with its field, without what was sent. */
export class BadInputError extends Error {
  override name = 'BadInputError';

  constructor(
    message: string,
    readonly faults: { field: string; message: string }[] = [],
  ) {
    super(message);
  }
}

/** More was sent than is read. */
export class InputTooLongError extends Error {
  override name = 'InputTooLongError';
}

/** Forms are short; who sends a file says so. */
const MAX_INPUT_BYTES = 64 * 1024;

const readText = async (request: Request, maxBytes: number): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new InputTooLongError(`At most ${maxBytes} bytes are read here.`);
    parts.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new BadInputError('The input is not UTF-8.');
  }
};

const parseJson = (text: string): unknown => {
  let hasUnstorable = false;
  const look = (_name: string, value: unknown): unknown => {
    hasUnstorable ||= !isStorable(value);
    return value;
  };
  let input: unknown;
  try {
    input = JSON.parse(text, look);
  } catch {
    // What the parser says quotes the text, which may be a password.
    throw new BadInputError('The input is not JSON.');
  }
  if (hasUnstorable) throw new BadInputError('The input has a character that no text has.');
  return input;
};

/**
 * The JSON body of a request, checked. What the schema does not name it must refuse (`z.strictObject`).
 *
 * @throws BadInputError, InputTooLongError
 */
export const readInput = async <T>(
  request: Request,
  schema: ZodType<T>,
  { maxBytes = MAX_INPUT_BYTES }: { maxBytes?: number } = {},
): Promise<T> => {
  const [type] = (request.headers.get('content-type') ?? '').split(';', 1);
  if (type?.trim().toLowerCase() !== 'application/json') throw new BadInputError('Send JSON.');
  const parsed = schema.safeParse(parseJson(await readText(request, maxBytes)));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new BadInputError(faults[0]?.message ?? 'The input cannot be used.', faults);
};
