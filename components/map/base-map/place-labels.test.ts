import { describe, expect, it } from 'vitest';
import { createBasemap } from '@/testing/map/create-basemap';
import { createRandom } from '@/testing/map/random-units';
import { WORLD_SIZE } from './basemap-file';
import { LABEL_HEIGHT, placeBasemapLabels } from './place-labels';

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
