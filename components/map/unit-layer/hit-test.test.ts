import { describe, expect, it } from 'vitest';
import { HoverWatch, MOUSE_REACH_PX, TOUCH_REACH_PX, findGlyphAt, toPick } from './hit-test';
import { createGlyphs, type Glyphs } from './scene/glyphs';

const glyphs: Glyphs = {
  count: 3,
  row: Int32Array.of(0, 1, 2),
  x: Float64Array.of(100, 130, 400),
  y: Float64Array.of(100, 100, 100),
  stands: Int32Array.of(1, 1, 12),
  flagged: new Uint8Array(3),
  unitsInView: 14,
};

describe('findGlyphAt', () => {
  it('finds the nearest glyph in reach', () => {
    expect(findGlyphAt(glyphs, 108, 100, MOUSE_REACH_PX)).toBe(0);
    expect(findGlyphAt(glyphs, 118, 100, TOUCH_REACH_PX)).toBe(1);
  });

  it('finds nothing on open ground', () => {
    expect(findGlyphAt(glyphs, 250, 100, TOUCH_REACH_PX)).toBe(-1);
  });

  it('takes a count for its glyph', () => {
    expect(findGlyphAt(glyphs, 418, 88, MOUSE_REACH_PX)).toBe(2);
  });
});

const glyphsAt = (x: number, stands = 1): Glyphs => {
  const glyphs = createGlyphs();
  glyphs.count = 1;
  glyphs.row[0] = 7;
  glyphs.x[0] = x;
  glyphs.y[0] = 100;
  glyphs.stands[0] = stands;
  return glyphs;
};

describe('HoverWatch', () => {
  it('reports a glyph once while the pointer stays on it', () => {
    const watch = new HoverWatch();
    expect(watch.find(glyphsAt(100), { x: 102, y: 100 })).toBe(0);
    expect(watch.find(glyphsAt(100), { x: 98, y: 101 })).toBe('same');
  });

  it('reports it again when the glyph has moved or stands for more', () => {
    const watch = new HoverWatch();
    watch.find(glyphsAt(100), { x: 100, y: 100 });
    expect(watch.find(glyphsAt(101), { x: 100, y: 100 })).toBe(0);
    expect(watch.find(glyphsAt(101, 3), { x: 100, y: 100 })).toBe(0);
  });

  it('reports once that the pointer has left, or the glyph', () => {
    const watch = new HoverWatch();
    expect(watch.find(glyphsAt(100), null)).toBe('same');
    watch.find(glyphsAt(100), { x: 100, y: 100 });
    expect(watch.find(glyphsAt(400), { x: 100, y: 100 })).toBeNull();
    expect(watch.find(glyphsAt(400), null)).toBe('same');
  });
});

const hit = (rows: number[]) => ({ rows, x: 10, y: 10 });

describe('toPick', () => {
  it('selects a unit that stands alone', () => {
    expect(toPick(hit([7]), [35, -101, 35, -101])).toEqual({ kind: 'unit', row: 7 });
  });

  it('zooms to units that zooming can show apart', () => {
    const bounds: [number, number, number, number] = [35, -101, 35.01, -100.99];
    expect(toPick(hit([7, 8]), bounds)).toEqual({ kind: 'zoom', bounds });
  });

  it('lists units that stand in one yard', () => {
    expect(toPick(hit([7, 8]), [35, -101, 35.0003, -101]).kind).toBe('list');
    expect(toPick(hit([7, 8]), [35, -101, 35, -101]).kind).toBe('list');
  });

  it('takes a click on nothing for the ground', () => {
    expect(toPick(null, null)).toEqual({ kind: 'ground' });
  });
});
