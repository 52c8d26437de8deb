import { describe, expect, it } from 'vitest';
import { BoxIndex } from '../box-index';
import { createBasemap } from '@/testing/map/create-basemap';
import { createRandom } from '@/testing/map/random-units';
import { WORLD_SIZE } from '@/lib/geo/base-map/basemap-file';
import { LABEL_HEIGHT, placeBasemapLabels, placeRoadNames } from './place-names';

const measure = (text: string): number => 7 * text.length;
const at = (name: string, x: number, y: number, people = 1_000_000) => ({ name, x, y, people });
const textsOf = (map: ReturnType<typeof createBasemap>, zoom: number): string[] =>
  placeBasemapLabels(map, zoom, measure).labels.map(({ text }) => text);

describe('placeBasemapLabels', () => {
  it('lets no two names overlap, at any zoom', () => {
    const random = createRandom(2);
    const cities = Array.from({ length: 1500 }, (_, i) =>
      at(
        `City ${i}`,
        Math.round(100_000 + 60_000 * random()),
        Math.round(180_000 + 30_000 * random()),
        3_000_000 - i,
      ),
    );
    const map = createBasemap([], cities);
    for (const zoom of [4, 4.75, 6, 9]) {
      const boxes = placeBasemapLabels(map, zoom, measure).labels.map((label) => ({
        ...label,
        top: label.y - LABEL_HEIGHT[label.kind] / 2,
        bottom: label.y + LABEL_HEIGHT[label.kind] / 2,
      }));
      expect(boxes.length).toBeGreaterThan(10);
      const touching = boxes.filter((a) =>
        boxes.some((b) => {
          if (a === b || a.top >= b.bottom || b.top >= a.bottom) return false;
          return a.x < b.x + b.width && b.x < a.x + a.width;
        }),
      );
      expect(touching).toEqual([]);
    }
  });

  it('names the larger of two places that are too near, and both when nearer', () => {
    const map = createBasemap(
      [],
      [at('Dallas', 120_000, 200_000, 1_300_000), at('Plano', 120_300, 199_800, 1_280_000)],
    );
    expect(textsOf(map, 4)).toEqual(['Dallas']);
    expect(textsOf(map, 9)).toEqual(['Dallas', 'Plano']);
  });

  it('leaves small places for deeper zooms', () => {
    const map = createBasemap(
      [],
      [at('Dallas', 120_000, 200_000)],
      [at('Amarillo', 90_000, 195_000, 190_000)],
    );
    expect(textsOf(map, 5)).toEqual(['Dallas']);
    expect(textsOf(map, 6)).toEqual(['Dallas', 'Amarillo']);
  });

  it('writes a name on the other side of its dot where there is no room on the first', () => {
    const map = createBasemap([], [at('East', 120_060, 200_000), at('West', 120_000, 200_000, 900_000)]);
    const [east, west] = placeBasemapLabels(map, 9, measure).labels;
    expect(east!.x).toBeGreaterThan(east!.dot!.x);
    expect(west!.x + west!.width).toBeLessThan(west!.dot!.x);
    expect(west!.dot!.x).toBeCloseTo((120_000 * 256 * 2 ** 9) / WORLD_SIZE, 6);
  });
});

const roadWidth = (): number => 30;
/** A road due east, 20,000 units long: 10,000 pixels at zoom 10. */
const roadMap = createBasemap([{ name: 'I-40', lines: [[100_000, 200_000, 20_000, 0]] }], []);
/** A box as large as a tile, at its column and row. */
const box = (column: number, row: number) => ({
  left: column * 512,
  top: row * 512,
  right: (column + 1) * 512,
  bottom: (row + 1) * 512,
});
const namesIn = (column: number, taken = new BoxIndex()) =>
  placeRoadNames(roadMap, 10, box(column, 195), taken, roadWidth);

describe('placeRoadNames', () => {
  it('names a road along its length, at the same places for neighboring boxes', () => {
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

  it('writes no name where there is no road, or at a low zoom', () => {
    expect(placeRoadNames(roadMap, 10, box(98, 10), new BoxIndex(), roadWidth)).toEqual([]);
    expect(placeRoadNames(roadMap, 5, box(3, 6), new BoxIndex(), roadWidth)).toEqual([]);
  });
});
