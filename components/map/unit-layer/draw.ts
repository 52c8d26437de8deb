import { STATUSES, flagBit } from '@/lib/wire/status';
import { BADGE_HEIGHT_PX, BADGE_LEFT_PX, BADGE_TOP_PX, toCountText } from './badge';
import { spriteIndex } from './sprite-index';
import { PILL_HEIGHT_PX } from './text-sprites';
import { drawTrack } from './track';
import type { Columns } from '@/lib/wire/fleet';
import type { Atlas } from './atlas';
import type { Glyphs, View } from './glyphs';
import type { Box, UnitLabels } from './place-labels';
import type { TextSprite, TextSprites } from './text-sprites';
import type { Track } from './track';

const MOVING = STATUSES.indexOf('moving');
const LATE = STATUSES.indexOf('late');
const UNKNOWN = STATUSES.indexOf('unknown');
const IMPLAUSIBLE = flagBit('implausiblePosition');
const RING_PX = 16;
/** From a glyph's middle to the middle of the selected unit's pill. */
const PILL_RISE_PX = 34;

/** The selected unit, and what only it has. */
export interface SelectedUnit {
  /** Its glyph, which draws no other unit; −1 while it is out of view. */
  glyph: number;
  /** Where it is drawn, pixels of the view. */
  x: number;
  y: number;
  text: string;
  newestFixAtMs: number;
  track: Track | null;
  /** A place it may have jumped to, pixels of the view. */
  doubtful: { x: number; y: number } | null;
}

export interface Scene {
  glyphs: Glyphs;
  columns: Columns;
  labels: UnitLabels;
  selected: SelectedUnit | null;
  view: View;
}

/** Where the selected unit's pill goes: above it, or below at the upper edge of the view. */
export const toPillBox = (x: number, y: number, widthPx: number): Box => {
  const middle = y < PILL_RISE_PX + PILL_HEIGHT_PX ? y + PILL_RISE_PX : y - PILL_RISE_PX;
  const [halfWidth, halfHeight] = [widthPx / 2, PILL_HEIGHT_PX / 2];
  return { left: x - halfWidth, right: x + halfWidth, top: middle - halfHeight, bottom: middle + halfHeight };
};

/** Draws a frame on a canvas of `texts.ratio` device pixels a CSS pixel; returns how many sprites it took. */
export const drawScene = (
  context: CanvasRenderingContext2D,
  scene: Scene,
  atlas: Atlas,
  texts: TextSprites,
): number => {
  const { glyphs, columns, labels, selected, view } = scene;
  const { ratio, palette } = texts;
  let sprites = 0;
  // All texts and shapes first: the browser copies a canvas again when it is used after a change.
  const badges = Array.from({ length: glyphs.count }, (_, glyph) =>
    glyphs.stands[glyph]! < 2 ? null : texts.badge(toCountText(glyphs.stands[glyph]!)),
  );
  const names = Array.from({ length: labels.count }, (_, i) => texts.label(labels.text[i]!));
  const pill = selected && selected.glyph >= 0 ? texts.pill(selected.text) : null;
  const shapes = Array.from({ length: glyphs.count }, (_, glyph) => toSpriteOf(glyphs, glyph, columns));
  atlas.prepare(shapes);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);

  const drawGlyph = (glyph: number): void => {
    const index = shapes[glyph]!;
    const left = Math.round(glyphs.x[glyph]! * ratio - atlas.side / 2);
    const top = Math.round(glyphs.y[glyph]! * ratio - atlas.side / 2);
    const [fromX, fromY] = [
      (index % atlas.columns) * atlas.side,
      Math.floor(index / atlas.columns) * atlas.side,
    ];
    context.drawImage(atlas.image, fromX, fromY, atlas.side, atlas.side, left, top, atlas.side, atlas.side);
    sprites++;
  };
  const drawText = (sprite: TextSprite | null, left: number, middle: number): void => {
    if (!sprite) return;
    const { image, width, height, originX, originY } = sprite;
    const [x, y] = [Math.round(left * ratio - originX), Math.round(middle * ratio - originY)];
    context.drawImage(image, sprite.left, sprite.top, width, height, x, y, width, height);
    sprites++;
  };
  const drawBadge = (glyph: number): void => {
    const middle = glyphs.y[glyph]! + BADGE_TOP_PX + BADGE_HEIGHT_PX / 2;
    drawText(badges[glyph]!, glyphs.x[glyph]! + BADGE_LEFT_PX, middle);
  };

  context.scale(ratio, ratio);
  if (selected) drawUnderSelected(context, view, selected, texts);
  context.setTransform(1, 0, 0, 1, 0, 0);
  // The important come first in the list and last on the canvas.
  for (let glyph = glyphs.count - 1; glyph >= 0; glyph--) if (glyph !== selected?.glyph) drawGlyph(glyph);
  for (let glyph = glyphs.count - 1; glyph >= 0; glyph--) if (glyph !== selected?.glyph) drawBadge(glyph);
  for (let i = 0; i < labels.count; i++) {
    if (labels.glyph[i] !== selected?.glyph) drawText(names[i]!, labels.x[i]!, labels.y[i]!);
  }
  if (!selected || selected.glyph < 0) return sprites;

  const { x, y } = selected;
  context.scale(ratio, ratio);
  context.beginPath();
  context.arc(x, y, RING_PX, 0, 2 * Math.PI);
  context.globalAlpha = 0.16;
  context.fillStyle = palette.accent;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 5;
  context.strokeStyle = palette.land;
  context.stroke();
  context.lineWidth = 2.4;
  context.strokeStyle = palette.accent;
  context.stroke();
  context.setTransform(1, 0, 0, 1, 0, 0);
  drawGlyph(selected.glyph);
  drawBadge(selected.glyph);
  const box = toPillBox(x, y, texts.pillWidth(selected.text));
  drawText(pill, box.left, (box.top + box.bottom) / 2);
  return sprites;
};

/** A unit at an implausible position has the symbol of one of which little is known. */
const toSpriteOf = ({ row: rows, flagged }: Glyphs, glyph: number, columns: Columns): number => {
  const row = rows[glyph]!;
  const isImplausible = (columns.flags[row]! & IMPLAUSIBLE) !== 0;
  return spriteIndex(
    isImplausible ? UNKNOWN : columns.status[row]!,
    isImplausible ? -1 : toSpriteHeading(columns, row),
    flagged[glyph] === 1 || columns.flags[row] !== 0,
  );
};

/** Shapes that point nowhere have one sprite, without a heading. */
const toSpriteHeading = (columns: Columns, row: number): number => {
  const status = columns.status[row]!;
  return status === MOVING || status === LATE ? columns.headingDeg[row]! : -1;
};

const drawUnderSelected = (
  context: CanvasRenderingContext2D,
  view: View,
  { track, newestFixAtMs, doubtful, ...at }: SelectedUnit,
  { palette }: TextSprites,
): void => {
  if (track) drawTrack(context, track, newestFixAtMs, at, view, palette);
  if (!doubtful) return;
  context.strokeStyle = palette.flag;
  context.lineWidth = 1.5;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(at.x, at.y);
  context.lineTo(doubtful.x, doubtful.y);
  context.stroke();
  context.beginPath();
  context.arc(doubtful.x, doubtful.y, 10, 0, 2 * Math.PI);
  context.lineWidth = 2.2;
  context.stroke();
  context.setLineDash([]);
};
