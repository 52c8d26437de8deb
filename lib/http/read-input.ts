import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { ZodType } from 'zod';
import { isStorable } from './guards';

/** Forms are short; a route that reads a file sets its own limit. */
const MAX_INPUT_BYTES = 64 * 1024;

const readText = async (request: Request, maxBytes: number): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes)
      throw new AppError('input-too-long', { detail: `At most ${maxBytes} bytes are read here.` });
    parts.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new AppError('bad-input', { detail: 'The input is not UTF-8.' });
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
    // The parser's message quotes the text, which may be a password.
    throw new AppError('bad-input', { detail: 'The input is not JSON.' });
  }
  if (hasUnstorable)
    throw new AppError('bad-input', { detail: 'The input has a character that no text has.' });
  return input;
};

/**
 * The validated JSON body of a request. The schema must refuse unknown fields (`z.strictObject`).
 *
 * @throws AppError 'bad-input', 'input-too-long'
 */
export const readInput = async <T>(
  request: Request,
  schema: ZodType<T>,
  { maxBytes = MAX_INPUT_BYTES }: { maxBytes?: number } = {},
): Promise<T> => {
  const [type] = (request.headers.get('content-type') ?? '').split(';', 1);
  if (type?.trim().toLowerCase() !== 'application/json')
    throw new AppError('bad-input', { detail: 'Send JSON.' });
  const parsed = schema.safeParse(parseJson(await readText(request, maxBytes)));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new AppError('bad-input', { detail: faults[0]?.message ?? 'The input cannot be used.', faults });
};
