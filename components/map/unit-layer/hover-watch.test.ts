import { describe, expect, it } from 'vitest';
import { createGlyphs } from './glyphs';
import { HoverWatch } from './hover-watch';
import type { Glyphs } from './glyphs';

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
  it('tells a glyph once while the pointer stays on it', () => {
    const watch = new HoverWatch();
    expect(watch.find(glyphsAt(100), { x: 102, y: 100 })).toBe(0);
    expect(watch.find(glyphsAt(100), { x: 98, y: 101 })).toBe('same');
  });

  it('tells again when the glyph has moved or stands for more', () => {
    const watch = new HoverWatch();
    watch.find(glyphsAt(100), { x: 100, y: 100 });
    expect(watch.find(glyphsAt(101), { x: 100, y: 100 })).toBe(0);
    expect(watch.find(glyphsAt(101, 3), { x: 100, y: 100 })).toBe(0);
  });

  it('tells once that the pointer has left, or the glyph', () => {
    const watch = new HoverWatch();
    expect(watch.find(glyphsAt(100), null)).toBe('same');
    watch.find(glyphsAt(100), { x: 100, y: 100 });
    expect(watch.find(glyphsAt(400), { x: 100, y: 100 })).toBeNull();
    expect(watch.find(glyphsAt(400), null)).toBe('same');
  });
});
