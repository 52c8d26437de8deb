import 'server-only';
import { AppError, type AppErrorCode } from '@/lib/base/http/problems';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { parseVin } from '@/lib/identity/vin';
import type { ZodType } from 'zod';

const EXCERPT_CHARACTERS = 40;
/** Longer than any key: a kind and the longest text that a record keeps. */
const MAX_KEY_CHARACTERS = 140;
const VERSION_PATTERN = /^[\w.:-]{1,80}$/;

const quote = (text: string): string =>
  JSON.stringify(text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text);

/** Whether PostgreSQL can store a text as it is: it refuses U+0000, and half of a surrogate pair has no UTF-8. */
const isStorable = (value: unknown): boolean => typeof value !== 'string' || !/[\0\p{Cs}]/u.test(value);

/** The variable parts of an address. @throws AppError for a malformed part */
export const requireStorable = (params: unknown): void => {
  if (
    Object.values(params ?? {})
      .flat()
      .every(isStorable)
  )
    return;
  throw new AppError('malformed-address', { detail: 'The address has a character that no name has.' });
};

const requirePart = (part: string | null, code: AppErrorCode, detail: string): string => {
  if (part !== null) return part;
  throw new AppError(code, { detail });
};

/** @throws AppError */
export const requireUsdot = (text: string): string =>
  requirePart(
    parseUsdot(text),
    'malformed-usdot',
    `A USDOT number has 1 to 8 digits; the address has ${quote(text)}.`,
  );

/** @throws AppError */
export const requireVin = (text: string): string =>
  requirePart(
    parseVin(text),
    'malformed-vin',
    `A VIN has 17 letters and digits, never I, O or Q; the address has ${quote(text)}.`,
  );

/** The name of a unit within its fleet. @throws AppError */
export const requireKey = (text: string): string => {
  if (text.length > 0 && text.length <= MAX_KEY_CHARACTERS) return text;
  throw new AppError('malformed-key', { detail: `No truck is called ${quote(text)}.` });
};

/** The version that a browser holds; null without one. @throws AppError */
export const requireVersion = (text: string | null): string | null => {
  if (text === null || text === '') return null;
  if (VERSION_PATTERN.test(text)) return text;
  throw new AppError('malformed-version', { detail: `${quote(text)} is not a version of a fleet.` });
};

/** Forms are short; a route that reads a file sets its own limit. */
const MAX_INPUT_BYTES = 64 * 1024;

/** The body of a request as text. @throws AppError 'input-too-long', 'bad-input' */
export const readText = async (request: Request, maxBytes: number): Promise<string> => {
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

const parse = <T>(schema: ZodType<T>, given: unknown, name: 'input' | 'query'): T => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new AppError('bad-input', { detail: faults[0]?.message ?? `The ${name} cannot be used.`, faults });
};

/**
 * The validated JSON body of a request. The schema must refuse unknown fields (`z.strictObject`).
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
  return parse(schema, parseJson(await readText(request, maxBytes)), 'input');
};

/** The validated query of a request; a repeated name is refused. @throws AppError 'bad-input' */
export const readQuery = <T>(request: Pick<Request, 'url'>, schema: ZodType<T>): T => {
  const { searchParams } = new URL(request.url);
  const names = [...searchParams.keys()];
  if (new Set(names).size !== names.length)
    throw new AppError('bad-input', { detail: 'A name is given twice.' });
  if (![...searchParams.values()].every(isStorable))
    throw new AppError('bad-input', { detail: 'The query has a character that no text has.' });
  return parse(schema, Object.fromEntries(searchParams), 'query');
};
