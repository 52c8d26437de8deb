import { IngestInputError } from './input-error';
import type { z } from 'zod';

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
