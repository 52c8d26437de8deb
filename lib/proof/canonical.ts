/** What a document is made of: no fractions, so that every program writes a number alike. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const LONE_SURROGATE = /\p{Surrogate}/u;

const writeText = (text: string): string => {
  if (LONE_SURROGATE.test(text)) throw new TypeError('A text has half of a surrogate pair.');
  return JSON.stringify(text);
};

/** UTF-16 code units, as RFC 8785, 3.2.3 sorts names. */
const byUnits = (a: string, b: string): number => (a < b ? -1 : 1);

/** No document has more levels, and what anyone pastes may have more than a stack holds. */
const MOST_LEVELS = 100;

/**
 * The canonical form of a value by RFC 8785, for values without fractions.
 *
 * @throws TypeError for anything that is no JSON, a fraction, a number that is not safe, and more than 100 levels
 */
export const toCanonical = (value: unknown, levels = MOST_LEVELS): string => {
  if (levels === 0) throw new TypeError(`It has more than ${MOST_LEVELS} levels.`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a whole number.`);
    return String(value);
  }
  if (Array.isArray(value)) return `[${value.map((each) => toCanonical(each, levels - 1)).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}.`);
  const fields = Object.entries(value).sort(([a], [b]) => byUnits(a, b));
  return `{${fields.map(([name, each]) => `${writeText(name)}:${toCanonical(each, levels - 1)}`).join(',')}}`;
};
