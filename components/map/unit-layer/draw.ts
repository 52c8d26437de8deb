import { STATUSES, flagBit } from '@/lib/motion/status';
import { NAME_MARGIN_PX, type NameSheet } from '../names/name-sheet';
import {
  BADGE_HEIGHT_PX,
  BADGE_LEFT_PX,
  BADGE_TOP_PX,
  toCountText,
  type Glyphs,
  type View,
} from './scene/glyphs';
import { spriteIndex, type Atlas } from './sprites/atlas';
import { PILL_HEIGHT_PX, type TextSprite, type TextSprites } from './sprites/text-sprites';
import { drawTrack, type DrawnTrack } from './track';
import type { Columns } from '@/lib/wire/fleet';
import type { Box } from '../box-index';
import type { UnitLabels } from './scene/place-labels';
import type { Palette } from '../palette';

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
  track: DrawnTrack | null;
  /** A place it may have jumped to, pixels of the view. */
  unconfirmed: { x: number; y: number } | null;
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

/** Draws names of the map, by their indexes on a sheet. */
export const drawNames = (
  context: CanvasRenderingContext2D,
  { names, picture, ratio }: NameSheet,
  shown: readonly number[],
  view: View,
): void => {
  for (const index of shown) {
    const { covers, sprite } = names[index]!;
    const { width, height } = sprite;
    const x = Math.round((covers.left - NAME_MARGIN_PX - view.left) * ratio);
    const y = Math.round((covers.top - NAME_MARGIN_PX - view.top) * ratio);
    context.drawImage(picture, sprite.left, sprite.top, width, height, x, y, width, height);
  }
};

/** Draws a frame on a canvas of `texts.ratio` device pixels a CSS pixel; returns how many sprites it took. */
export const drawScene = (
  context: CanvasRenderingContext2D,
  scene: Scene,
  atlas: Atlas,
  texts: TextSprites,
): number => {
  const { glyphs, labels, selected, view } = scene;
  const { ratio } = texts;
  let sprites = 0;
  const { badges, names, pill, shapes } = prepareSprites(scene, atlas, texts);

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

  context.save();
  context.scale(ratio, ratio);
  if (selected) drawUnderSelected(context, view, selected, texts);
  context.restore();
  // The important come first in the list and last on the canvas.
  for (let glyph = glyphs.count - 1; glyph >= 0; glyph--) if (glyph !== selected?.glyph) drawGlyph(glyph);
  for (let glyph = glyphs.count - 1; glyph >= 0; glyph--) if (glyph !== selected?.glyph) drawBadge(glyph);
  for (let i = 0; i < labels.count; i++) {
    if (labels.glyph[i] !== selected?.glyph) drawText(names[i]!, labels.x[i]!, labels.y[i]!);
  }
  if (!selected || selected.glyph < 0) return sprites;

  context.save();
  context.scale(ratio, ratio);
  drawRing(context, selected, texts.palette);
  context.restore();
  drawGlyph(selected.glyph);
  drawBadge(selected.glyph);
  const box = toPillBox(selected.x, selected.y, texts.pillWidth(selected.text));
  drawText(pill, box.left, (box.top + box.bottom) / 2);
  return sprites;
};

/** Paints the texts and shapes of a frame before any is used: the browser copies a canvas again when it is used after a change. */
const prepareSprites = ({ glyphs, columns, labels, selected }: Scene, atlas: Atlas, texts: TextSprites) => {
  const badges = Array.from({ length: glyphs.count }, (_, glyph) =>
    glyphs.stands[glyph]! < 2 ? null : texts.badge(toCountText(glyphs.stands[glyph]!)),
  );
  const names = Array.from({ length: labels.count }, (_, i) => texts.label(labels.text[i]!));
  const pill = selected && selected.glyph >= 0 ? texts.pill(selected.text) : null;
  const shapes = Array.from({ length: glyphs.count }, (_, glyph) => toSpriteOf(glyphs, glyph, columns));
  atlas.prepare(shapes);
  return { badges, names, pill, shapes };
};

const drawRing = (context: CanvasRenderingContext2D, { x, y }: SelectedUnit, palette: Palette): void => {
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
  { track, newestFixAtMs, unconfirmed, ...at }: SelectedUnit,
  { palette }: TextSprites,
): void => {
  if (track) drawTrack(context, track, newestFixAtMs, at, view, palette);
  if (!unconfirmed) return;
  context.strokeStyle = palette.flag;
  context.lineWidth = 1.5;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(at.x, at.y);
  context.lineTo(unconfirmed.x, unconfirmed.y);
  context.stroke();
  context.beginPath();
  context.arc(unconfirmed.x, unconfirmed.y, 10, 0, 2 * Math.PI);
  context.lineWidth = 2.2;
  context.stroke();
  context.setLineDash([]);
};
