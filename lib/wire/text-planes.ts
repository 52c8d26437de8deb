import { integer, list, object, text as anyText, type ShapeOf } from '@/lib/base/shape';

/*
 * A column of texts as lists of numbers: the first character of every text, then the second, and so on. The
 * names of one fleet have similar characters in each position, so the lists compress well.
 */

/** Longer texts are sent one by one, so that a single one does not widen the column. */
const MOST_CHARACTERS = 24;
const END = 0;
/** Replaces the first character. */
const IS_NULL = -1;
const IS_LONG = -2;

/** The part of a column that is sent as JSON. */
export const textColumnSchema = object({
  /** How many lists of numbers it has. */
  width: integer(1, MOST_CHARACTERS),
  /** Its long texts in order, and those with a character that has the code of END. */
  long: list(anyText),
});
export type TextColumn = ShapeOf<typeof textColumnSchema>;

const isLong = (text: string): boolean => text.length > MOST_CHARACTERS || text.includes('\0');

export const toTextColumn = (
  texts: readonly (string | null)[],
): { column: TextColumn; numbers: Int32Array[] } => {
  const long = texts.filter((text): text is string => text !== null && isLong(text));
  const width = texts.reduce(
    (most, text) => (text === null || isLong(text) ? most : Math.max(most, text.length)),
    1,
  );
  const numbers = Array.from({ length: width }, () => new Int32Array(texts.length).fill(END));
  texts.forEach((text, i) => {
    if (text === null) numbers[0]![i] = IS_NULL;
    else if (isLong(text)) numbers[0]![i] = IS_LONG;
    else for (let place = 0; place < text.length; place++) numbers[place]![i] = text.charCodeAt(place);
  });
  return { column: { width, long }, numbers };
};

/** The inverse of toTextColumn. @throws RangeError when the numbers do not match the column. */
export const fromTextColumn = (
  { width, long }: TextColumn,
  numbers: readonly ArrayLike<number>[],
): (string | null)[] => {
  const [first = []] = numbers;
  if (numbers.length !== width || numbers.some(({ length }) => length !== first.length))
    throw new RangeError(`Got ${numbers.length} lists of numbers when ${width} of one length are expected.`);
  let longs = 0;
  return Array.from(first, (code, i) => {
    if (code === IS_NULL) return null;
    if (code === IS_LONG) {
      const text = long[longs++];
      if (text === undefined) throw new RangeError(`Got ${long.length} long texts when more are expected.`);
      return text;
    }
    let text = '';
    for (let place = 0; place < width && numbers[place]![i] !== END; place++)
      text += String.fromCharCode(numbers[place]![i]!);
    return text;
  });
};
