import { IngestInputError } from './input-error';
import type { z } from 'zod';

/**
 * How many values and fields a body of JSON may have. Parsing takes as long as there are parts, however few bytes they
 * have: 2 MiB of `{},` block the process for 80 ms. 2,000 locations of Overland with all that it knows have 110,000 parts.
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
    return JSON.parse(text);
  } catch (error) {
    throw new IngestInputError('body', 'JSON', text, 'invalid_input', { cause: error });
  }
};

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
 * @param at where the value stands in the request, for the message
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
