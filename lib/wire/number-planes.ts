/**
 * Lists of 32-bit integers as bytes that compress well: zigzag, as in Protocol Buffers, makes small numbers of either
 * sign small, and planes of one byte each, the lowest first, give a compressor one distribution at a time.
 */

/** How many numbers a list has, and how many planes it takes. */
type PlaneLayout = [count: number, planes: number];

interface Planes {
  layout: PlaneLayout[];
  bytes: Uint8Array;
}

const PLANES_MOST = 4;
const PLANE_BITS = 8;

const fold = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0;
const unfold = (folded: number): number => (folded >>> 1) ^ -(folded & 1);

const foldAll = (list: ArrayLike<number>): Uint32Array => {
  const folded = new Uint32Array(list.length);
  for (let i = 0; i < list.length; i++) folded[i] = fold(list[i]!);
  return folded;
};

/** How many bytes its largest number needs. */
const toPlaneCount = (folded: Uint32Array): number => {
  let all = 0;
  for (let i = 0; i < folded.length; i++) all |= folded[i]!;
  return Math.ceil((32 - Math.clz32(all)) / PLANE_BITS);
};

/** Numbers beyond 32 bits wrap around, as they do when they are added to an Int32Array. */
export const packPlanes = (lists: readonly ArrayLike<number>[]): Planes => {
  const folded = lists.map(foldAll);
  const layout = folded.map((list): PlaneLayout => [list.length, toPlaneCount(list)]);
  const bytes = new Uint8Array(layout.reduce((sum, [count, planes]) => sum + count * planes, 0));
  let at = 0;
  folded.forEach((list, l) => {
    for (let plane = 0; plane < layout[l]![1]; plane++) {
      const shift = plane * PLANE_BITS;
      for (let i = 0; i < list.length; i++) bytes[at++] = list[i]! >>> shift;
    }
  });
  return { layout, bytes };
};

/** @throws RangeError when the bytes do not match the layout. */
export const unpackPlanes = ({ layout, bytes }: Planes): IntegerArray[] => {
  const expected = layout.reduce((sum, [count, planes]) => sum + count * planes, 0);
  const isSound = layout.every(([count, planes]) => count >= 0 && planes >= 0 && planes <= PLANES_MOST);
  if (!isSound || expected !== bytes.length) {
    throw new RangeError(`Got ${bytes.length} bytes of numbers when ${expected} are expected.`);
  }
  let at = 0;
  return layout.map(([count, planes]) => {
    const list = unpackList(bytes.subarray(at, at + count * planes), count, planes);
    at += count * planes;
    return list;
  });
};

/** A list no wider than its numbers, because most of a poll's cost is memory. */
type IntegerArray = Int8Array | Int16Array | Int32Array;

const unpackList = (bytes: Uint8Array, count: number, planes: number): IntegerArray => {
  if (planes === 0) return new Int8Array(count);
  if (planes === 1) return unpackBytes(bytes, count);
  if (planes === 2) return unpackPairs(bytes, count);
  const list = new Int32Array(count);
  for (let plane = 0; plane < planes; plane++) {
    const first = plane * count;
    const shift = plane * PLANE_BITS;
    for (let i = 0; i < count; i++) list[i] = list[i]! | (bytes[first + i]! << shift);
  }
  for (let i = 0; i < count; i++) list[i] = unfold(list[i]!);
  return list;
};

const unpackBytes = (bytes: Uint8Array, count: number): Int8Array => {
  const list = new Int8Array(count);
  for (let i = 0; i < count; i++) list[i] = unfold(bytes[i]!);
  return list;
};

const unpackPairs = (bytes: Uint8Array, count: number): Int16Array => {
  const list = new Int16Array(count);
  for (let i = 0; i < count; i++) list[i] = unfold(bytes[i]! | (bytes[count + i]! << PLANE_BITS));
  return list;
};

/** The difference of each number to the last one of its group; the first of a group to 0. */
export const toSteps = (list: ArrayLike<number>, groupOf: ArrayLike<number>): Int32Array => {
  const last = new Map<number, number>();
  return Int32Array.from(list, (value, i) => {
    const before = last.get(groupOf[i]!) ?? 0;
    last.set(groupOf[i]!, value);
    return value - before;
  });
};

/** The inverse of toSteps. */
export const fromSteps = (steps: ArrayLike<number>, groupOf: ArrayLike<number>): Int32Array => {
  const last = new Map<number, number>();
  return Int32Array.from(steps, (step, i) => {
    const value = (last.get(groupOf[i]!) ?? 0) + step;
    last.set(groupOf[i]!, value);
    return value;
  });
};
