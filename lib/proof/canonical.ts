/** What a document is made of: no fractions, so that every program writes a number alike. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const LONE_SURROGATE = /\p{Surrogate}/u;

const writeText = (text: string): string => {
  if (LONE_SURROGATE.test(text)) throw new TypeError('A text has half of a surrogate pair.');
  return JSON.stringify(text);
};

/** UTF-16 code units, as RFC 8785, 3.2.3 sorts names. */
const byUnits = (a: string, b: string): number => (a < b ? -1 : 1);

/** Documents have six levels; a text of a stranger may have more than a program can follow. */
const MOST_LEVELS = 64;

const write = (value: unknown, level: number): string => {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a whole number.`);
    return String(value);
  }
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}.`);
  if (level === MOST_LEVELS) throw new TypeError('It is nested too deep.');
  if (Array.isArray(value)) return `[${value.map((each) => write(each, level + 1)).join(',')}]`;
  const fields = Object.entries(value).sort(([a], [b]) => byUnits(a, b));
  return `{${fields.map(([name, each]) => `${writeText(name)}:${write(each, level + 1)}`).join(',')}}`;
};

/**
 * The canonical form of a value by RFC 8785, for values without fractions.
 *
 * @throws TypeError for anything that is no JSON, a fraction, a number that is not safe, and what is nested too deep
 */
export const toCanonical = (value: unknown): string => write(value, 0);
