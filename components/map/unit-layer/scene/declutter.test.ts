import { describe, expect, it } from 'vitest';
import { createRandom, createRandomUnits, createView } from '@/testing/map/random-units';
import { Declutter } from './declutter';
import {
  BADGE_HEIGHT_PX,
  FLAGGED_RANK,
  HIDDEN,
  MAX_GLYPHS,
  SELECTED_RANK,
  badgeWidthPx,
  toCountText,
  type Glyphs,
  type PlottedUnits,
  type View,
} from './glyphs';

const ZOOMS = Array.from({ length: 14 }, (_, i) => i + 3);

const toPx = ({ x, y }: PlottedUnits, row: number, view: View) => ({
  px: x[row]! * view.worldSizePx - view.left,
  py: y[row]! * view.worldSizePx - view.top,
});

const rowsInView = (units: PlottedUnits, view: View): number[] =>
  Array.from({ length: units.rows }, (_, row) => row).filter((row) => {
    const { px, py } = toPx(units, row, view);
    return units.rank[row] !== HIDDEN && px >= 0 && py >= 0 && px < view.width && py < view.height;
  });

const drawnRows = (glyphs: Glyphs): number[] =>
  [...glyphs.row.subarray(0, glyphs.count)].sort((a, b) => a - b);

const unitsAt = (view: View, points: { px: number; py: number; rank?: number }[]): PlottedUnits => ({
  rows: points.length,
  x: Float64Array.from(points, ({ px }) => (view.left + px) / view.worldSizePx),
  y: Float64Array.from(points, ({ py }) => (view.top + py) / view.worldSizePx),
  rank: Uint8Array.from(points, ({ rank }) => rank ?? 3),
  plotted: points.length,
});

describe('Declutter with 100,000 units', () => {
  const units = createRandomUnits(100_000);
  const selected = 4711;
  units.rank[selected] = SELECTED_RANK;
  units.x[selected] = units.x[17]!;
  units.y[selected] = units.y[17]!;
  const at = { lat: 32.78, lng: -96.8 };

  it.each(ZOOMS)('stands for every unit in view, once, within the cap, at zoom %i', (zoom) => {
    const view = createView(zoom, at);
    const declutter = new Declutter();
    const glyphs = declutter.run(units, view);
    const expected = rowsInView(units, view);
    expect(glyphs.unitsInView).toBe(expected.length);
    expect(glyphs.count).toBeLessThanOrEqual(MAX_GLYPHS);

    const held = new Int32Array(glyphs.count);
    for (let row = 0; row < units.rows; row++) {
      const glyph = declutter.glyphOf(row);
      if (glyph >= 0) held[glyph]!++;
    }
    expect(held).toEqual(glyphs.stands.subarray(0, glyphs.count));
    expect(expected.filter((row) => declutter.glyphOf(row) < 0)).toEqual([]);
  });

  it.each(ZOOMS)('never lets two counts touch at zoom %i', (zoom) => {
    const declutter = new Declutter();
    const view = createView(zoom, at);
    declutter.run(units, view);
    // A second time, since glyphs that are drawn already may come nearer to each other.
    const glyphs = declutter.run(units, { ...view, left: view.left + 5, top: view.top + 5 });
    const badges = Array.from({ length: glyphs.count }, (_, glyph) => glyph)
      .filter((glyph) => glyphs.stands[glyph]! > 1)
      .map((glyph) => ({
        left: glyphs.x[glyph]!,
        top: glyphs.y[glyph]!,
        width: badgeWidthPx(toCountText(glyphs.stands[glyph]!)),
      }))
      .sort((a, b) => a.left - b.left);
    const touching = badges.filter((badge, i) =>
      badges
        .slice(i + 1)
        .some(
          (other) =>
            other.left < badge.left + badge.width && Math.abs(other.top - badge.top) < BADGE_HEIGHT_PX,
        ),
    );
    expect(touching).toEqual([]);
  });

  it.each(ZOOMS)('hides no flagged unit behind one without a flag at zoom %i', (zoom) => {
    const view = createView(zoom, at);
    const declutter = new Declutter();
    const glyphs = declutter.run(units, view);
    const holdsFlagged = new Uint8Array(glyphs.count);
    for (let row = 0; row < units.rows; row++) {
      if (units.rank[row] === FLAGGED_RANK && declutter.glyphOf(row) >= 0)
        holdsFlagged[declutter.glyphOf(row)] = 1;
    }
    expect(glyphs.flagged.subarray(0, glyphs.count)).toEqual(holdsFlagged);
    const behind = drawnRows(glyphs).filter(
      (row) => holdsFlagged[declutter.glyphOf(row)] === 1 && units.rank[row]! < FLAGGED_RANK,
    );
    expect(behind).toEqual([]);
  });

  it('draws the selected unit first wherever it is in view', () => {
    for (const zoom of ZOOMS) {
      const view = createView(zoom, at);
      if (!rowsInView(units, view).includes(selected)) continue;
      expect(new Declutter().run(units, view).row[0]).toBe(selected);
    }
  });

  it('keeps within the cap on the largest screens', () => {
    const glyphs = new Declutter().run(units, createView(4, at, 5120, 2880));
    expect(glyphs.count).toBeLessThanOrEqual(MAX_GLYPHS);
    expect(glyphs.unitsInView).toBe(units.plotted);
  });

  it('draws the same glyphs again when nothing changed', () => {
    const declutter = new Declutter();
    const view = createView(6, at);
    const first = drawnRows(declutter.run(units, view));
    expect(drawnRows(declutter.run(units, view))).toEqual(first);
  });

  it('keeps nearly every glyph from one poll to the next, while 60 % of the units move', () => {
    const random = createRandom(9);
    const moving = createRandomUnits(100_000);
    for (const [zoom, kept] of [
      [5, 0.99],
      [8, 0.98],
      [11, 0.9],
    ] as const) {
      const declutter = new Declutter();
      const view = createView(zoom, at);
      const before = new Set(drawnRows(declutter.run(moving, view)));
      // 300 m in any direction: ten seconds at 108 km/h.
      for (let row = 0; row < moving.rows; row++) {
        if (random() > 0.6) continue;
        const heading = 2 * Math.PI * random();
        moving.x[row]! += (Math.sin(heading) * 300) / 33_700_000;
        moving.y[row]! -= (Math.cos(heading) * 300) / 33_700_000;
      }
      const after = drawnRows(declutter.run(moving, view));
      expect(after.filter((row) => before.has(row)).length / before.size).toBeGreaterThan(kept);
    }
  });

  it('draws the same glyphs in the part that stays in view while panning', () => {
    const declutter = new Declutter();
    const view = createView(7, at);
    const before = declutter.run(units, view);
    const inner = new Set(
      drawnRows(before).filter((row) => {
        const { px, py } = toPx(units, row, view);
        return px > 100 && px < 1500 && py > 100 && py < 800;
      }),
    );
    const after = new Set(
      drawnRows(declutter.run(units, { ...view, left: view.left + 13, top: view.top - 29 })),
    );
    expect([...inner].filter((row) => !after.has(row))).toEqual([]);
  });
});

describe('Declutter', () => {
  const view = createView(8);

  it('draws the more important of two units that would touch, and counts both', () => {
    const glyphs = new Declutter().run(
      unitsAt(view, [
        { px: 100, py: 100, rank: 2 },
        { px: 104, py: 100, rank: 5 },
      ]),
      view,
    );
    expect([glyphs.count, glyphs.row[0], glyphs.stands[0]]).toEqual([1, 1, 2]);
  });

  it('joins two units on either side of a cell’s edge', () => {
    for (let px = 100; px < 130; px++) {
      const glyphs = new Declutter().run(
        unitsAt(view, [
          { px, py: 100 },
          { px: px + 6, py: 103 },
        ]),
        view,
      );
      expect(glyphs.count).toBe(1);
    }
  });

  it('keeps a drawn unit drawn when an equal one comes between', () => {
    const declutter = new Declutter();
    const units = unitsAt(view, [
      { px: 300, py: 100 },
      { px: 100, py: 100 },
    ]);
    declutter.run(units, view);
    units.x[0] = units.x[1]!;
    units.rank[0] = HIDDEN;
    declutter.run(units, view);
    units.rank[0] = 3;
    const glyphs = declutter.run(units, view);
    expect([glyphs.count, glyphs.row[0]]).toEqual([1, 1]);
  });

  it('gives way at once to a unit that has become late', () => {
    const declutter = new Declutter();
    const units = unitsAt(view, [
      { px: 100, py: 100 },
      { px: 101, py: 100 },
    ]);
    const drawn = declutter.run(units, view).row[0]!;
    units.rank[1 - drawn] = 5;
    expect(declutter.run(units, view).row[0]).toBe(1 - drawn);
  });

  it('does not swap two drawn units that creep over a cell’s edge and back', () => {
    const declutter = new Declutter();
    const units = unitsAt(view, [
      { px: 200, py: 200 },
      { px: 224, py: 200 },
    ]);
    expect(declutter.run(units, view).count).toBe(2);
    for (const step of [3, 5, 6, 4, 0, -3, 2]) {
      units.x[0] = (view.left + 200 + step) / view.worldSizePx;
      expect(declutter.run(units, view).count).toBe(2);
    }
  });

  it('leaves out units without a place', () => {
    const units = unitsAt(view, [
      { px: 100, py: 100 },
      { px: NaN, py: NaN },
    ]);
    expect(new Declutter().run(units, view).unitsInView).toBe(1);
  });

  it('counts only units within the view, though those beside it take part', () => {
    const glyphs = new Declutter().run(
      unitsAt(view, [
        { px: -3, py: 100 },
        { px: 3, py: 100 },
      ]),
      view,
    );
    expect([glyphs.stands[0], glyphs.unitsInView]).toEqual([2, 1]);
  });

  it('names the members of a glyph, its own unit first', () => {
    const declutter = new Declutter();
    declutter.run(
      unitsAt(view, [
        { px: 100, py: 100 },
        { px: 101, py: 100, rank: 4 },
        { px: 700, py: 100 },
      ]),
      view,
    );
    expect(declutter.members(0)).toEqual([1, 0]);
    expect(declutter.members(1)).toEqual([2]);
  });

  it('draws every unit of a small fleet that stands apart', () => {
    const points = Array.from({ length: 400 }, (_, i) => ({
      px: 30 + (i % 40) * 38,
      py: 30 + Math.floor(i / 40) * 80,
    }));
    expect(new Declutter().run(unitsAt(view, points), view).count).toBe(400);
  });
});
