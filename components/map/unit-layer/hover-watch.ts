import { MOUSE_REACH_PX, findGlyphAt } from './hit-test';
import type { Glyphs } from './glyphs';

/** Reports the glyph under the pointer only when it changes. */
export class HoverWatch {
  #row = -1;
  #stands = 0;
  #x = 0;
  #y = 0;

  /** The glyph under the pointer, null for none; 'same' when it and its position did not change. */
  find(glyphs: Glyphs, pointer: { x: number; y: number } | null): number | null | 'same' {
    const glyph = pointer ? findGlyphAt(glyphs, pointer.x, pointer.y, MOUSE_REACH_PX) : -1;
    if (glyph < 0) {
      if (this.#row < 0) return 'same';
      this.#row = -1;
      return null;
    }
    const [row, stands, x, y] = [
      glyphs.row[glyph]!,
      glyphs.stands[glyph]!,
      glyphs.x[glyph]!,
      glyphs.y[glyph]!,
    ];
    if (row === this.#row && stands === this.#stands && x === this.#x && y === this.#y) return 'same';
    [this.#row, this.#stands, this.#x, this.#y] = [row, stands, x, y];
    return glyph;
  }
}
