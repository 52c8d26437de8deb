import { z } from 'zod';
import { fromSteps, toSteps } from './steps';

/*
 * A column of texts as numbers. Names that people give follow few shapes: "R48-2207" is the shape "A99-9999" and
 * a whole number, in which each letter or digit is a place with a radix of its own. So a plate costs what its
 * digits are worth, and units that are numbered in order differ by small steps.
 */

const RADIX: Record<string, number> = { '9': 10, A: 26, a: 26 };
/** The character that counts as 0 of each mark. */
const ZERO: Record<string, number> = { '9': 48, A: 65, a: 97 };
/** A number is full before the next place would take it beyond this; then the text goes on in another. */
const FULL = 2 ** 30;
/** With more shapes than one for so many texts, the texts themselves are shorter. */
const TEXTS_A_SHAPE = 8;

/** How a column travels beside its numbers: `texts` one by one where `steps` is null, else the shapes. */
export const textColumnSchema = z.object({
  texts: z.array(z.string().nullable()),
  /** Of each list of numbers: whether it tells them as differences to the last number of the same shape. */
  steps: z.array(z.boolean()).nullable(),
});
export type TextColumn = z.infer<typeof textColumnSchema>;

const markOf = (character: string): string => {
  if (character >= '0' && character <= '9') return '9';
  if (character >= 'A' && character <= 'Z') return 'A';
  return character >= 'a' && character <= 'z' ? 'a' : character;
};

const toMarks = (text: string): string => {
  let marks = '';
  for (let i = 0; i < text.length; i++) marks += markOf(text[i]!);
  return marks;
};

/** A shape's characters, and which of the numbers each is a place of; −1 for one that is always the same. */
interface Shape {
  marks: string;
  numberOf: number[];
  numbers: number;
}

const toShape = (marks: string): Shape => {
  let number = 0;
  let room = 1;
  const numberOf = Array.from({ length: marks.length }, (_, i) => {
    const radix = RADIX[marks[i]!];
    if (radix === undefined) return -1;
    if (room * radix > FULL) [number, room] = [number + 1, 1];
    room *= radix;
    return number;
  });
  return { marks, numberOf, numbers: numberOf.some((of) => of >= 0) ? number + 1 : 0 };
};

const readNumbers = (text: string, { marks, numberOf, numbers }: Shape): number[] => {
  const values = new Array<number>(numbers).fill(0);
  for (let i = 0; i < marks.length; i++) {
    const of = numberOf[i]!;
    if (of >= 0) values[of] = values[of]! * RADIX[marks[i]!]! + text.charCodeAt(i) - ZERO[marks[i]!]!;
  }
  return values;
};

const writeText = ({ marks, numberOf }: Shape, values: number[]): string => {
  const characters = new Array<string>(marks.length);
  for (let i = marks.length - 1; i >= 0; i--) {
    const [mark, of] = [marks[i]!, numberOf[i]!];
    if (of < 0) {
      characters[i] = mark;
      continue;
    }
    const radix = RADIX[mark]!;
    characters[i] = String.fromCharCode(ZERO[mark]! + (values[of]! % radix));
    values[of] = Math.floor(values[of]! / radix);
  }
  return characters.join('');
};

/** Which shape each text has, counted from 1, 0 for none, in steps; then the numbers, list by list. */
type Numbers = [shapeOf: ArrayLike<number>, ...values: ArrayLike<number>[]];

/** About how many bits a list needs; a sign is one more. */
const toBits = (list: Int32Array): number =>
  list.reduce(
    (sum, value) => sum + Math.log2(1 + Math.abs(value)),
    list.some((value) => value < 0) ? list.length : 0,
  );

/** `groupOf`: which texts are likely to have a shape in common. */
export const toTextColumn = (
  texts: readonly (string | null)[],
  groupOf: ArrayLike<number>,
): { column: TextColumn; numbers: Numbers } => {
  const shapes = new Map<string, { index: number; shape: Shape }>();
  const shapeOf = new Int32Array(texts.length);
  const values: Int32Array[] = [];
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i]!;
    if (text === null) continue;
    const marks = toMarks(text);
    const known = shapes.get(marks) ?? { index: shapes.size + 1, shape: toShape(marks) };
    shapes.set(marks, known);
    shapeOf[i] = known.index;
    while (values.length < known.shape.numbers) values.push(new Int32Array(texts.length));
    readNumbers(text, known.shape).forEach((value, number) => {
      values[number]![i] = value;
    });
  }
  if (shapes.size * TEXTS_A_SHAPE > texts.length)
    return { column: { texts: [...texts], steps: null }, numbers: [[]] };
  const stepped = values.map((list) => toSteps(list, shapeOf));
  const steps = values.map((list, number) => toBits(stepped[number]!) < toBits(list));
  const lists = values.map((list, number) => (steps[number] ? stepped[number]! : list));
  return { column: { texts: [...shapes.keys()], steps }, numbers: [toSteps(shapeOf, groupOf), ...lists] };
};

/** How many lists of numbers a column has. */
export const countLists = ({ steps }: TextColumn): number => 1 + (steps?.length ?? 0);

/** @throws RangeError when the numbers are not the column's. */
export const fromTextColumn = (
  { texts, steps }: TextColumn,
  numbers: readonly ArrayLike<number>[],
  groupOf: ArrayLike<number>,
): (string | null)[] => {
  if (steps === null) return texts;
  const [shapeSteps = [], ...lists] = numbers;
  const shapeOf = fromSteps(shapeSteps, groupOf);
  const shapes = texts.map((text) => toShape(text ?? ''));
  const most = shapes.reduce((sum, shape) => Math.max(sum, shape.numbers), 0);
  if (most > lists.length || lists.some((list) => list.length !== shapeOf.length))
    throw new RangeError(`Got ${lists.length} lists of numbers for shapes of ${most}.`);
  const values = lists.map((list, number) => (steps[number] ? fromSteps(list, shapeOf) : list));
  return Array.from(shapeOf, (index, i) => {
    if (index === 0) return null;
    const shape = shapes[index - 1];
    if (!shape) throw new RangeError(`Got the shape ${index} of ${shapes.length}.`);
    return writeText(
      shape,
      values.map((list) => list[i]!),
    );
  });
};
