import { describe, expect, it } from 'vitest';
import { FREE_FOR_MS, ShownNames, toMarkBoxes } from './shown-names';
import type { NameSheet } from './name-sheet';

const VIEW = { left: 1000, top: 1000, width: 800, height: 600, worldSizePx: 256 * 2 ** 6 };
let closed = 0;

/** A sheet of names 60 pixels wide, at x of the view. */
const sheetOf = (xs: Record<string, number>, zoom = 6): NameSheet => ({
  zoom,
  ratio: 1,
  box: { left: 0, top: 0, right: 4000, bottom: 4000 },
  names: Object.entries(xs).map(([key, x]) => ({
    key,
    covers: { left: 1000 + x, top: 1100, right: 1060 + x, bottom: 1114 },
    sprite: { left: 0, top: 0, width: 66, height: 20 },
  })),
  picture: { width: 1, height: 1, close: () => void closed++ },
});

const covering = (...xs: number[]) => {
  return (left: number, _top: number, right: number) => xs.some((x) => x > left && x < right);
};
const shownBy = (names: ShownNames, at: number[], nowMs: number): string[] =>
  [...names.run(VIEW, covering(...at), nowMs)].map((i) => names.sheet!.names[i]!.key);

describe('ShownNames', () => {
  it('draws the names in view that nothing covers', () => {
    const names = new ShownNames();
    names.take(sheetOf({ Denver: 100, Boulder: 300, Reno: -200 }));
    expect(shownBy(names, [130], 0)).toEqual(['Boulder']);
  });

  it('draws no name below a mark', () => {
    const names = new ShownNames();
    names.take(sheetOf({ Denver: 100, Boulder: 300 }));
    const boxes = toMarkBoxes([{ x: 1165 / VIEW.worldSizePx, y: 1107 / VIEW.worldSizePx }], VIEW);
    const shown = names.run(VIEW, (...box) => boxes.hits(...box), 0);
    expect([...shown].map((i) => names.sheet!.names[i]!.key)).toEqual(['Boulder']);
  });

  it('has no name after its sheet was taken away', () => {
    const names = new ShownNames();
    names.take(sheetOf({ Denver: 100 }));
    const before = closed;
    names.take(null);
    expect(closed).toBe(before + 1);
    expect([...names.run(VIEW, covering(), 0)]).toEqual([]);
  });

  it('hides a name at once, and draws it again only after it has been free for a while', () => {
    const names = new ShownNames();
    names.take(sheetOf({ Denver: 100 }));
    expect(shownBy(names, [], 0)).toEqual(['Denver']);
    expect(shownBy(names, [130], 1000)).toEqual([]);
    expect(names.nextAtMs).toBe(Infinity);
    expect(shownBy(names, [], 90_000)).toEqual([]);
    expect(names.nextAtMs).toBe(90_000 + FREE_FOR_MS);
    expect(shownBy(names, [130], 95_000)).toEqual([]);
    expect(shownBy(names, [], 96_000)).toEqual([]);
    expect(shownBy(names, [], 96_000 + FREE_FOR_MS)).toEqual(['Denver']);
  });

  it('keeps what is hidden when the next sheet of the same zoom comes', () => {
    const before = closed;
    const names = new ShownNames();
    names.take(sheetOf({ Denver: 100 }));
    shownBy(names, [130], 0);
    names.take(sheetOf({ Boulder: 300, Denver: 100 }));
    expect(closed).toBe(before + 1);
    expect(shownBy(names, [], 1000)).toEqual(['Boulder']);
  });

  it('draws none at another zoom, and starts over at the next', () => {
    const names = new ShownNames();
    names.take(sheetOf({ Denver: 100 }));
    shownBy(names, [130], 0);
    names.take(sheetOf({ Denver: 100 }, 7));
    expect(shownBy(names, [], 1000)).toEqual([]);
    expect([...names.run({ ...VIEW, worldSizePx: 256 * 2 ** 7 }, covering(), 1000)]).toEqual([0]);
  });
});
