import { describe, expect, it } from 'vitest';
import { packPlanes, unpackPlanes } from './number-planes';

const MOST = 2 ** 31 - 1;
const LEAST = -(2 ** 31);

describe('packPlanes', () => {
  it('round-trips every 32-bit integer, with any neighbors', () => {
    const lists = [
      [0, 1, -1, 127, -128, 128, 255, 256, -256],
      [],
      [MOST, LEAST, 0, MOST - 1, LEAST + 1],
      [0, 0, 0],
      [70_000, -70_000],
    ];
    expect(unpackPlanes(packPlanes(lists)).map((list) => [...list])).toEqual(lists);
  });

  it('takes one byte for each number where all are small, and none where all are zero', () => {
    expect(packPlanes([[1, -2, 100], [0, 0], [200]]).layout).toEqual([
      [3, 1],
      [2, 0],
      [1, 2],
    ]);
  });

  it('wraps numbers beyond 32 bits, as the addition to a column does', () => {
    const from = -12_000_000;
    const [list] = unpackPlanes(packPlanes([[MOST - from]]));
    const column = Int32Array.of(from);
    column[0]! += list![0]!;
    expect(column[0]).toBe(MOST);
  });
});

describe('unpackPlanes', () => {
  it('refuses bytes that are too few, too many, or in an impossible layout', () => {
    const { layout, bytes } = packPlanes([[1, 2, 3]]);
    expect(() => unpackPlanes({ layout, bytes: bytes.subarray(1) })).toThrow('Got 2 bytes of numbers when 3');
    expect(() => unpackPlanes({ layout: [[1, 1]], bytes })).toThrow(RangeError);
    expect(() => unpackPlanes({ layout: [[1, 5]], bytes: new Uint8Array(5) })).toThrow(RangeError);
    expect(() => unpackPlanes({ layout: [[-3, -1]], bytes })).toThrow(RangeError);
  });
});
