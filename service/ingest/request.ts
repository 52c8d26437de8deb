import type { z } from 'zod';
import { ServiceProblem } from '../problem';
import { IngestInputError } from './fields';

/** The largest body in bytes: 2,000 Overland locations of a kilobyte each. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * The body of a request as text, read no further than it may be long.
 * @throws ServiceProblem `compressed_body`, `body_too_large`, `incomplete_body`
 */
export const readBody = async (request: Request): Promise<string> => {
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new ServiceProblem('compressed_body', `Got the content encoding ${JSON.stringify(encoding)}.`, {
      'accept-encoding': 'identity',
    });
  const length = request.headers.get('content-length');
  if (Number(length) > MAX_BODY_BYTES) throw toTooLarge();
  if (length !== null && Number(length) === 0) return '';
  try {
    // HTTP limits a body to its announced length, and request.text() is cheaper than the stream.
    return await (length === null ? readUpToLimit(request) : request.text());
  } catch (error) {
    if (error instanceof ServiceProblem) throw error;
    // Its code, such as ECONNRESET, would otherwise be taken for one of the database's connection.
    throw new ServiceProblem('incomplete_body', undefined, {}, { cause: error });
  }
};

/** A body of unknown length. */
const readUpToLimit = async (request: Request): Promise<string> => {
  if (request.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      await reader.cancel();
      throw toTooLarge();
    }
    chunks.push(read.value);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const toTooLarge = () =>
  new ServiceProblem('body_too_large', `A body may hold at most ${MAX_BODY_BYTES} bytes.`);

/**
 * How many values and fields a body of JSON may have. Parsing time grows with the parts, not with their
 * bytes: 2 MiB of `{},` block the process for 80 ms. 2,000 locations of Overland with every field have 110,000 parts.
 */
const MAX_JSON_PARTS = 120_000;

/**
 * A body of JSON.
 * @throws IngestInputError for what is no JSON, or has more than 120,000 parts
 */
export const parseJson = (text: string): unknown => {
  const parts = countParts(text);
  if (parts > MAX_JSON_PARTS)
    throw new IngestInputError('body', `JSON of at most ${MAX_JSON_PARTS} fields and values`, parts);
  try {
    return JSON.parse(toStrictJson(text));
  } catch (error) {
    throw new IngestInputError('body', 'JSON', text, 'invalid_input', { cause: error });
  }
};

/** A text, closed or not, or a number that Python and C print and JSON does not have. */
const TEXT_OR_NO_NUMBER = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|[+-]?\b(?:nan|inf(?:inity)?)\b/gi;

/** JSON with null for each NaN and Infinity. */
const toStrictJson = (text: string): string =>
  /nan|inf/i.test(text)
    ? text.replace(TEXT_OR_NO_NUMBER, (part) => (part.startsWith('"') ? part : 'null'))
    : text;

/** Every part but the first follows one of these, which may also stand in a text and are then counted as well. */
const [BRACE, BRACKET, COMMA, COLON] = [...'{[,:'].map((character) => character.charCodeAt(0));

const countParts = (text: string): number => {
  let parts = 1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BRACE || code === BRACKET || code === COMMA || code === COLON) parts++;
  }
  return parts;
};

type Path = readonly PropertyKey[];

/**
 * A JSON value in the form that a schema describes.
 * @param at where the value is in the request, for the message
 * @throws IngestInputError naming the first field that is not as it should be
 */
export const requireShape = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at = '',
): z.infer<Schema> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new IngestInputError(toField(at, issue.path), toExpected(issue), readAt(value, issue.path));
};

const toField = (at: string, path: Path): string => {
  const field = path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    at,
  );
  return field.replace(/^\./, '') || 'body';
};

const toExpected = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type')
    return `${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
  if (issue.code === 'invalid_union') return 'text or a number';
  if (issue.code === 'invalid_value') return issue.values.map((each) => JSON.stringify(each)).join(' or ');
  return issue.message;
};

const readAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (inner === null || inner === undefined ? inner : Reflect.get(Object(inner), key)),
    value,
  );

/**
 * The ingest token that a request carries, unchecked; null when it carries none. In order of precedence it is the part of
 * the address between /ingest/ and the protocol, in the Authorization header (`Bearer TOKEN`, or Basic with the token as
 * password), or `?token=`.
 */
export const readToken = ({
  path,
  authorization,
  query,
}: Record<'path' | 'authorization' | 'query', string | undefined>): string | null =>
  path || readBearer(authorization) || readBasic(authorization)?.password || query || null;

/**
 * The user name and password of Basic authentication (RFC 7617); null where there is none or it is broken. Overland sends
 * its access token in the clear in its OwnTracks mode, followed by a colon.
 */
export const readBasic = (authorization: string | undefined): { user: string; password: string } | null => {
  const clear = /^basic +([^\s:]+): *$/i.exec(authorization ?? '')?.[1];
  if (clear !== undefined) return { user: '', password: clear };
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
};

const readBearer = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
