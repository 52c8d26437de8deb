import { describe, expect, it } from 'vitest';
import { BoxIndex } from '../box-index';
import { createBasemap } from '@/testing/map/create-basemap';
import { placeRoadNames } from './place-road-names';

const measure = (): number => 30;
/** A road due east, 20,000 units long: 10,000 pixels at zoom 10. */
const map = createBasemap([{ name: 'I-40', lines: [[100_000, 200_000, 20_000, 0]] }], []);
const tile = (column: number) => ({ column, row: 195, zoom: 10, sizePx: 512 });
const namesIn = (column: number, taken = new BoxIndex()) => placeRoadNames(map, tile(column), taken, measure);

describe('placeRoadNames', () => {
  it('names a road along its length, at the same places for neighbouring tiles', () => {
    const xs = [98, 99, 100, 101].map((column) => namesIn(column).map(({ x }) => x));
    expect(xs.flat().length).toBeGreaterThan(3);
    for (const x of xs.flat()) expect((x + 15 - 50_000 - 210) % 420).toBeCloseTo(0, 6);
    const shared = xs[1]!.filter((x) => xs[2]!.includes(x));
    const inBoth = xs[1]!.filter((x) => x + 15 >= 100 * 512 - 96);
    expect(shared).toEqual(inBoth);
  });

  it('leaves room for the names of places', () => {
    const [first] = namesIn(98);
    const taken = new BoxIndex();
    taken.add(first!.x, first!.y - 5, first!.x + 40, first!.y + 5);
    expect(namesIn(98, taken).some(({ x }) => x === first!.x)).toBe(false);
  });

  it('says nothing where no road runs, or from too far away', () => {
    expect(placeRoadNames(map, { ...tile(98), row: 10 }, new BoxIndex(), measure)).toEqual([]);
    expect(placeRoadNames(map, { column: 3, row: 6, zoom: 5, sizePx: 512 }, new BoxIndex(), measure)).toEqual(
      [],
    );
  });
});
