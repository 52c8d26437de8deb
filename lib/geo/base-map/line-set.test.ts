import { describe, expect, it } from 'vitest';
import { createRandom } from '@/testing/map/random-units';
import { fromDifferences, toWorld, WORLD_SIZE } from './basemap-file';
import { createLineSet, traceLines, type Pen, type Window } from './line-set';

type Stroke = { points: [number, number][]; closed: boolean };

const createPen = () => {
  const strokes: Stroke[] = [];
  const pen: Pen = {
    moveTo: (x, y) => void strokes.push({ points: [[x, y]], closed: false }),
    lineTo: (x, y) => void strokes.at(-1)!.points.push([x, y]),
    closePath: () => void (strokes.at(-1)!.closed = true),
  };
  return { pen, strokes };
};

const windowOf = (minX: number, minY: number, maxX: number, maxY: number, scale = 1): Window => ({
  minX,
  minY,
  maxX,
  maxY,
  originX: minX,
  originY: minY,
  scale,
});

const isInside = (x: number, y: number, strokes: Stroke[]): boolean => {
  let inside = false;
  for (const { points } of strokes) {
    points.forEach(([ax, ay], i) => {
      const [bx, by] = points[(i + points.length - 1) % points.length]!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    });
  }
  return inside;
};

/** A ragged ring about the middle of a square of 10,000, as differences. */
const createRing = (count: number): number[] => {
  const random = createRandom(3);
  const points = Array.from({ length: count }, (_, i) => {
    const [angle, radius] = [(2 * Math.PI * i) / count, 2000 + 2500 * random()];
    return [Math.round(5000 + radius * Math.cos(angle)), Math.round(5000 + radius * Math.sin(angle))];
  });
  return points.flatMap(([x, y], i) => [x! - (points[i - 1]?.[0] ?? 0), y! - (points[i - 1]?.[1] ?? 0)]);
};

describe('traceLines', () => {
  it('draws a line in view point by point, from the window’s corner and at its scale', () => {
    const { pen, strokes } = createPen();
    traceLines(pen, createLineSet([[10, 20, 5, 0, 0, 5]]), windowOf(10, 10, 30, 30, 2), false);
    expect(strokes).toEqual([{ points: [[0, 20], [10, 20], [10, 30]], closed: false }]); // oxfmt-ignore
  });

  it('leaves out lines that do not touch the window', () => {
    const { pen, strokes } = createPen();
    traceLines(pen, createLineSet([[100, 100, 5, 5]]), windowOf(0, 0, 50, 50), false);
    expect(strokes).toEqual([]);
  });

  it('leaves out points nearer than a pixel can show, but never the last', () => {
    const { pen, strokes } = createPen();
    const line = [0, 0, ...Array.from({ length: 100 }, () => [1, 0]).flat()];
    traceLines(pen, createLineSet([line]), windowOf(-10, -10, 200, 200, 0.1), false);
    expect(strokes[0]!.points.length).toBeLessThan(25);
    expect(strokes[0]!.points.at(-1)![0]).toBeCloseTo(11, 9);
  });

  it('fills a window just as the whole ring would, with fewer points', () => {
    const ring = createLineSet([createRing(4000)]);
    const whole = createPen();
    traceLines(whole.pen, ring, windowOf(0, 0, 10_000, 10_000), true);
    for (const [x, y] of [
      [1200, 4000],
      [4000, 1200],
      [6500, 6500],
      [4900, 4900],
      [8000, 5000],
    ] as const) {
      const cut = createPen();
      const window = { ...windowOf(x, y, x + 900, y + 900), originX: 0, originY: 0 };
      traceLines(cut.pen, ring, window, true);
      const random = createRandom(5);
      const points = Array.from({ length: 60 }, () => [x + 900 * random(), y + 900 * random()] as const);
      expect(points.map(([px, py]) => isInside(px, py, cut.strokes))).toEqual(
        points.map(([px, py]) => isInside(px, py, whole.strokes)),
      );
      const drawn = cut.strokes.reduce((sum, stroke) => sum + stroke.points.length, 0);
      expect(drawn).toBeLessThan(1600);
    }
  });
});

describe('the grid of the base map', () => {
  it('puts Greenwich on the equator in the middle of the world', () => {
    expect(toWorld(-180, 66.51326044311186)).toEqual([0, WORLD_SIZE / 4]);
    expect(toWorld(0, 0)).toEqual([WORLD_SIZE / 2, WORLD_SIZE / 2]);
  });

  it('undoes differences', () => {
    expect([...fromDifferences([5, 1, -2])]).toEqual([5, 6, 4]);
  });
});
