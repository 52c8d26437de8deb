import { describe, expect, it } from 'vitest';
import { MOUSE_REACH_PX, TOUCH_REACH_PX, findGlyphAt } from './hit-test';
import type { Glyphs } from './glyphs';

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
