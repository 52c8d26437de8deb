/** Most glyphs of a frame. A glyph draws at most two sprites (itself, and a count or a label). */
export const MAX_GLYPHS = 1000;

/** The part of the world on the screen, in pixels of the whole world at the zoom. */
export interface View {
  left: number;
  top: number;
  width: number;
  height: number;
  worldSizePx: number;
}

/** Units to draw: Web Mercator in 0…1, and how much each wants to be seen (`rankRows`). */
export interface PlottedUnits {
  rows: number;
  x: Float64Array;
  y: Float64Array;
  rank: Uint8Array;
  /** Rows whose rank is not HIDDEN. */
  plotted: number;
}

/** Glyphs of one frame, the most important first. Positions are pixels from the view's upper left corner. */
export interface Glyphs {
  count: number;
  /** The unit that the glyph draws. */
  row: Int32Array;
  x: Float64Array;
  y: Float64Array;
  /** Units that it stands for, its own among them. */
  stands: Int32Array;
  /** 1 where any of them is flagged. */
  flagged: Uint8Array;
  /** Units within the view that the glyphs stand for. */
  unitsInView: number;
}

/** Room for the glyphs of a frame. */
export const createGlyphs = (): Glyphs => ({
  count: 0,
  row: new Int32Array(MAX_GLYPHS),
  x: new Float64Array(MAX_GLYPHS),
  y: new Float64Array(MAX_GLYPHS),
  stands: new Int32Array(MAX_GLYPHS),
  flagged: new Uint8Array(MAX_GLYPHS),
  unitsInView: 0,
});
