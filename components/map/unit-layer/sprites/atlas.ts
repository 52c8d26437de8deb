import { STATUSES, type Status } from '@/lib/motion/status';
import { FLAG_PATH, GLYPH_HALF_BOX, toGlyphShape, type GlyphPart } from '../../glyph-shapes';
import type { Palette } from '../../palette';

/** Headings that are drawn: every 5.6°. */
const HEADING_STEPS = 64;
/** Sprites of one status: its headings, then the one without. */
const PER_STATUS = HEADING_STEPS + 1;
export const SPRITE_COUNT = STATUSES.length * PER_STATUS * 2;

/** What a sprite of the atlas shows; `headingDeg` is null for the shape that points nowhere. */
interface SpriteKind {
  status: Status;
  headingDeg: number | null;
  flagged: boolean;
}

const UNKNOWN = STATUSES.indexOf('unknown');

/** The sprite for a row's columns; a negative heading was not derived, a status from a later version is unknown. */
export const spriteIndex = (status: number, headingDeg: number, flagged: boolean): number => {
  const known = status >= 0 && status < STATUSES.length ? status : UNKNOWN;
  const step =
    headingDeg < 0 ? HEADING_STEPS : Math.round((headingDeg / 360) * HEADING_STEPS) % HEADING_STEPS;
  return (known * PER_STATUS + step) * 2 + (flagged ? 1 : 0);
};

export const toSpriteKind = (index: number): SpriteKind => {
  const step = (index >> 1) % PER_STATUS;
  return {
    status: STATUSES[Math.floor((index >> 1) / PER_STATUS)]!,
    headingDeg: step === HEADING_STEPS ? null : (step * 360) / HEADING_STEPS,
    flagged: (index & 1) === 1,
  };
};

/** A ring of the land's color about every shape, so that it reads on roads and on tiles. */
const HALO_PX = 1.8;
const HALF_SPRITE_PX = GLYPH_HALF_BOX + HALO_PX + 1.2;
const COLUMNS = 26;

/** Glyphs in their headings for a palette and pixel density, each painted when a frame first needs it. */
export class Atlas {
  readonly image = document.createElement('canvas');
  /** Side of a sprite, device pixels. */
  readonly side: number;
  readonly columns = COLUMNS;
  #context: CanvasRenderingContext2D | null;
  #isPainted = new Uint8Array(SPRITE_COUNT);
  #paths = new Map<string, Path2D>();

  constructor(
    readonly palette: Palette,
    readonly ratio: number,
  ) {
    this.side = Math.ceil(2 * HALF_SPRITE_PX * ratio);
    this.image.width = COLUMNS * this.side;
    this.image.height = Math.ceil(SPRITE_COUNT / COLUMNS) * this.side;
    this.#context = this.image.getContext('2d');
  }

  /** Paints those of a frame's sprites that are not there yet, before any is used: a canvas that was painted on is copied when it is next read. */
  prepare(sprites: readonly number[]): void {
    const context = this.#context;
    if (!context) return;
    for (const index of sprites) {
      if (this.#isPainted[index] === 1) continue;
      this.#isPainted[index] = 1;
      const kind = toSpriteKind(index);
      const { parts } = toGlyphShape(kind.status, kind.headingDeg !== null);
      const [x, y] = [(index % COLUMNS) * this.side, Math.floor(index / COLUMNS) * this.side];
      context.setTransform(this.ratio, 0, 0, this.ratio, x + this.side / 2, y + this.side / 2);
      paintGlyph(context, kind, parts, this.#toPath, this.palette);
    }
  }

  readonly #toPath = (data: string): Path2D => {
    const path = this.#paths.get(data) ?? new Path2D(data);
    this.#paths.set(data, path);
    return path;
  };
}

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
