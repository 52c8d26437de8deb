import { FLAG_PATH, GLYPH_HALF_BOX, toGlyphShape } from '../glyph-shapes';
import { SPRITE_COUNT, toSpriteKind } from './sprite-index';
import type { GlyphPart } from '../glyph-shapes';
import type { Palette } from '../palette';
import type { SpriteKind } from './sprite-index';

/** A ring of the land's colour about every shape, so that it reads on roads and on tiles. */
const HALO_PX = 1.8;
const HALF_SPRITE_PX = GLYPH_HALF_BOX + HALO_PX + 1.2;
const COLUMNS = 26;

/** Every glyph in every heading, drawn once for a palette and a density of pixels. */
export interface Atlas {
  image: HTMLCanvasElement;
  /** Side of a sprite, device pixels. */
  side: number;
  columns: number;
}

export const createAtlas = (palette: Palette, ratio: number): Atlas => {
  const side = Math.ceil(2 * HALF_SPRITE_PX * ratio);
  const image = document.createElement('canvas');
  image.width = COLUMNS * side;
  image.height = Math.ceil(SPRITE_COUNT / COLUMNS) * side;
  const context = image.getContext('2d');
  const paths = new Map<string, Path2D>();
  const toPath = (data: string): Path2D => {
    const path = paths.get(data) ?? new Path2D(data);
    paths.set(data, path);
    return path;
  };
  for (let index = 0; context && index < SPRITE_COUNT; index++) {
    const kind = toSpriteKind(index);
    const shape = toGlyphShape(kind.status, kind.headingDeg !== null);
    // A shape that does not turn looks alike in all headings: only the one without is ever asked for.
    if (!shape.turns && kind.headingDeg !== null) continue;
    context.setTransform(
      ratio,
      0,
      0,
      ratio,
      (index % COLUMNS) * side + side / 2,
      Math.floor(index / COLUMNS) * side + side / 2,
    );
    paintGlyph(context, kind, shape.parts, toPath, palette);
  }
  return { image, side, columns: COLUMNS };
};

const paintGlyph = (
  context: CanvasRenderingContext2D,
  { status, headingDeg, flagged }: SpriteKind,
  parts: readonly GlyphPart[],
  toPath: (data: string) => Path2D,
  palette: Palette,
): void => {
  const ink = palette.status[status];
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.save();
  context.rotate(((headingDeg ?? 0) * Math.PI) / 180);
  context.strokeStyle = palette.land;
  for (const { path, strokeWidth } of parts) {
    context.lineWidth = strokeWidth + 2 * HALO_PX;
    context.stroke(toPath(path));
  }
  context.strokeStyle = ink;
  for (const { path, fill, strokeWidth, dash } of parts) {
    if (fill) context.fillStyle = fill === 'ink' ? ink : palette.surface;
    if (fill) context.fill(toPath(path));
    if (strokeWidth === 0) continue;
    context.setLineDash(dash ? [...dash] : []);
    context.lineWidth = strokeWidth;
    context.stroke(toPath(path));
  }
  context.restore();
  if (!flagged) return;
  context.strokeStyle = palette.land;
  context.lineWidth = 2 * HALO_PX;
  context.stroke(toPath(FLAG_PATH));
  context.fillStyle = palette.flag;
  context.fill(toPath(FLAG_PATH));
};
