import { positionAt } from '@/lib/trips/trail';
import { segmentAt } from '@/lib/trips/trips';
import { toMercatorX, toMercatorY } from '@/lib/geo/projection';
import { toGlyphShape } from '@/components/map/glyph-shapes';
import { MARK_HALF_PX } from '@/components/map/names/shown-names';
import { FONT_FAMILY, strokePath } from '@/components/map/canvas';
import type { Palette, Theme } from '@/components/map/palette';
import type { View } from '@/components/map/unit-layer/scene/glyphs';
import { motionText, type TrailPath } from './trail-path';

const LINE_PX = 4;
const ARROW_EVERY_PX = 90;
const ARROW = new Path2D('M7 0-5 5-2 0-5-5Z');
const SMALL_STOP_HALF_PX = 4;
/** A shorter line over a gap has no room for its reason. */
const LABELED_PX = 60;
/** A point this near to the last one that was drawn is left out. */
const SAME_PX = 0.7;

type Context = CanvasRenderingContext2D;

/** What is shown of a trail until another of its entries is. */
export interface TrailLines {
  path: TrailPath;
  view: View;
  palette: Palette;
  /** The entry that is emphasized; -1: none. */
  entry: number;
}

export interface TrailFrame extends TrailLines {
  shownMs: number;
  /** Names the truck at the moment; null where it is the only one. */
  name: string | null;
  /** Stops have their numbers. */
  isNumbered: boolean;
}

/** How the lines of the other trucks differ: each has a color and a dash of its own. */
const COLORS: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#7b3fb5', '#b8450d', '#0e7490', '#8a5a00', '#b3176b'],
  dark: ['#c4a1f2', '#fb923c', '#4fd0e6', '#e6b422', '#f58bbf'],
};
const DASHES: readonly (readonly number[])[] = [
  [14, 5],
  [3, 5],
  [14, 4, 3, 4],
  [7, 5],
  [22, 4, 3, 4, 3, 4],
];

export interface TruckStyle {
  color: string;
  dash: readonly number[];
}

/** The line of another truck, by its place among them. */
export const toTruckStyle = (index: number, theme: Theme): TruckStyle => ({
  color: COLORS[theme][index]!,
  dash: DASHES[index]!,
});

/** Another truck, with its name and its line. */
export interface OtherTrail extends TruckStyle {
  path: TrailPath;
  name: string;
}

interface Arrow {
  x: number;
  y: number;
  angle: number;
}

/** Fills an arrow, with a casing that sets it off from its line. */
const drawArrow = (context: Context, { x, y, angle }: Arrow, color: string, casing: string | null): void => {
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  if (casing !== null) strokePath(context, ARROW, casing, 3);
  context.fillStyle = color;
  context.fill(ARROW);
  context.restore();
};

const drawCentered = (context: Context, text: string, x: number, y: number): void => {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, x, y + 0.5);
};

/** Fills a circle of so many pixels about a point, and strokes it as the context says. */
const drawDisc = (context: Context, x: number, y: number, radiusPx: number): void => {
  context.beginPath();
  context.arc(x, y, radiusPx, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
};

/** The driven lines between two moments, and the direction of travel every so many pixels. */
const toLines = ({ path, view }: Pick<TrailLines, 'path' | 'view'>, fromMs: number, toMs: number) => {
  const { points } = path.day.trail;
  const lines = new Path2D();
  const arrows: Arrow[] = [];
  let [lastX, lastY, sinceArrow] = [NaN, NaN, ARROW_EVERY_PX / 2];
  for (let i = path.first + 1; i <= path.last; i++) {
    if (path.isDriven[i] === 0 || points[i]!.fixAtMs <= fromMs || points[i - 1]!.fixAtMs >= toMs) {
      lastX = NaN;
      continue;
    }
    const x = path.x[i]! * view.worldSizePx - view.left;
    const y = path.y[i]! * view.worldSizePx - view.top;
    if (Number.isNaN(lastX)) {
      lastX = path.x[i - 1]! * view.worldSizePx - view.left;
      lastY = path.y[i - 1]! * view.worldSizePx - view.top;
      lines.moveTo(lastX, lastY);
    }
    const length = Math.hypot(x - lastX, y - lastY);
    if (length < SAME_PX && i < path.last) continue;
    lines.lineTo(x, y);
    sinceArrow += length;
    if (sinceArrow >= ARROW_EVERY_PX && length > 0) {
      sinceArrow = 0;
      arrows.push({ x: (x + lastX) / 2, y: (y + lastY) / 2, angle: Math.atan2(y - lastY, x - lastX) });
    }
    [lastX, lastY] = [x, y];
  }
  return { lines, arrows };
};

/** A point of the world in pixels of the view. */
const toPx = (view: View, { x, y }: { x: number; y: number }): [number, number] => [
  x * view.worldSizePx - view.left,
  y * view.worldSizePx - view.top,
];

const isInView = ({ view }: Pick<TrailLines, 'view'>, x: number, y: number, marginPx = 40): boolean =>
  x > -marginPx && y > -marginPx && x < view.width + marginPx && y < view.height + marginPx;

const drawLines = (context: Context, frame: TrailLines): void => {
  const { path, palette } = frame;
  const { lines, arrows } = toLines(frame, path.day.fromMs, path.day.endMs);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  strokePath(context, lines, palette.land, LINE_PX + 4);
  const entry = path.day.entries[frame.entry];
  if (entry?.kind === 'trip') {
    const { lines: trip } = toLines(frame, entry.fromMs, entry.toMs);
    strokePath(context, trip, palette.accent, LINE_PX + 5);
  }
  strokePath(context, lines, palette.status.moving, LINE_PX);
  for (const arrow of arrows)
    if (isInView(frame, arrow.x, arrow.y)) drawArrow(context, arrow, palette.status.moving, palette.land);
};

interface Tag {
  text: string;
  x: number;
  y: number;
  fill: string;
  ink: string;
  rim: string;
  font?: string;
}

/** A text in a box about a point, kept within the view. */
const drawTag = (context: Context, { view }: TrailFrame, tag: Tag): void => {
  context.font = tag.font ?? `600 12px ${FONT_FAMILY}`;
  const width = context.measureText(tag.text).width + 16;
  const height = 24;
  const x = Math.min(view.width - width / 2 - 4, Math.max(width / 2 + 4, tag.x));
  const y = Math.min(view.height - height / 2 - 4, Math.max(height / 2 + 4, tag.y));
  context.beginPath();
  context.roundRect(x - width / 2, y - height / 2, width, height, 5);
  context.fillStyle = tag.fill;
  context.fill();
  context.strokeStyle = tag.rim;
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = tag.ink;
  drawCentered(context, tag.text, x, y);
};

const toGapInk = ({ reason }: TrailPath['gaps'][number], palette: Palette): string =>
  reason === null ? palette.status.silent : palette.dim;

const drawGaps = (context: Context, { path, view, palette }: TrailLines): void => {
  for (const gap of path.gaps) {
    const [[fromX, fromY], [toX, toY]] = [toPx(view, gap.from), toPx(view, gap.to)];
    const line = new Path2D();
    line.moveTo(fromX, fromY);
    line.lineTo(toX, toY);
    context.lineCap = 'butt';
    strokePath(context, line, palette.land, LINE_PX + 3);
    strokePath(context, line, toGapInk(gap, palette), LINE_PX, gap.reason === null ? [9, 6] : [2, 5]);
  }
};

/** The reasons of gaps, where there is room for them. */
const drawReasons = (context: Context, frame: TrailFrame): void => {
  const { path, view, palette, shownMs } = frame;
  for (const gap of path.gaps) {
    const [[fromX, fromY], [toX, toY]] = [toPx(view, gap.from), toPx(view, gap.to)];
    const [x, y] = [(fromX + toX) / 2, (fromY + toY) / 2];
    const isShown = shownMs >= gap.fromMs && shownMs < gap.toMs;
    const isLabeled = isShown || Math.hypot(toX - fromX, toY - fromY) >= LABELED_PX;
    const ink = toGapInk(gap, palette);
    if (isLabeled && isInView(frame, x, y))
      drawTag(context, frame, { text: gap.text, x, y: y + 22, fill: palette.surface, ink, rim: ink });
  }
};

const drawStops = (context: Context, frame: TrailFrame): void => {
  const { path, view, palette } = frame;
  const current = path.day.entries[frame.entry];
  // The first stops, which tell where the day began, and the current one lie over the others.
  const ordered = [...path.stops].reverse();
  const isCurrent = ({ stop }: (typeof ordered)[number]) =>
    current?.kind === 'stop' && stop.number === current.number;
  ordered.sort((a, b) => Number(isCurrent(a)) - Number(isCurrent(b)));
  for (const each of ordered) {
    const [x, y] = toPx(view, each);
    if (!isInView(frame, x, y)) continue;
    context.beginPath();
    context.roundRect(x - MARK_HALF_PX, y - MARK_HALF_PX, 2 * MARK_HALF_PX, 2 * MARK_HALF_PX, 5);
    context.fillStyle = isCurrent(each) ? palette.accent : palette.status.stopped;
    context.fill();
    context.strokeStyle = palette.surface;
    context.lineWidth = 2;
    context.stroke();
    context.fillStyle = palette.onAccent;
    context.font = `700 11px ${FONT_FAMILY}`;
    if (frame.isNumbered) drawCentered(context, String(each.stop.number), x, y);
  }
};

const GLYPH_OF = {
  moving: 'moving',
  stopped: 'stopped',
  silent: 'silent',
  notRecorded: 'unknown',
  ahead: 'unknown',
} as const;

const drawMoment = (context: Context, frame: TrailFrame): void => {
  const { path, view, palette, shownMs } = frame;
  const at = positionAt(path.day.trail, shownMs);
  if (at === null) return;
  const [x, y] = toPx(view, { x: toMercatorX(at.lng), y: toMercatorY(at.lat) });
  if (!isInView(frame, x, y)) return;
  const kind = segmentAt(path.day, shownMs)?.kind ?? 'stopped';
  const status = GLYPH_OF[kind];
  context.fillStyle = palette.surface;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2.5;
  drawDisc(context, x, y, 15);
  const shape = toGlyphShape(status, at.headingDeg !== null);
  context.save();
  context.translate(x, y);
  context.scale(0.9, 0.9);
  if (shape.turns && at.headingDeg !== null) context.rotate((at.headingDeg * Math.PI) / 180);
  for (const part of shape.parts) {
    const line = new Path2D(part.path);
    if (part.fill !== null) {
      context.fillStyle = part.fill === 'ink' ? palette.status[status] : palette.surface;
      context.fill(line);
    }
    context.lineCap = 'round';
    if (part.strokeWidth > 0)
      strokePath(context, line, palette.status[status], part.strokeWidth, part.dash ?? []);
  }
  context.restore();
  const speed = motionText(kind, at);
  drawTag(context, frame, {
    text: frame.name === null ? speed : `${frame.name} · ${speed}`,
    ...{ x, y: y - 32 },
    ...{ fill: palette.accent, ink: palette.onAccent, rim: palette.accent },
    font: `700 13px ${FONT_FAMILY}`,
  });
};

const drawOtherLines = (context: Context, { view, palette }: TrailLines, other: OtherTrail): void => {
  const { path, color, dash } = other;
  const { lines, arrows } = toLines({ path, view }, path.day.fromMs, path.day.endMs);
  const gaps = new Path2D();
  for (const { from, to } of path.gaps) {
    gaps.moveTo(...toPx(view, from));
    gaps.lineTo(...toPx(view, to));
  }
  context.lineCap = 'butt';
  strokePath(context, lines, palette.land, LINE_PX + 3);
  strokePath(context, gaps, color, 1);
  strokePath(context, lines, color, LINE_PX, dash);
  for (const arrow of arrows) drawArrow(context, arrow, color, null);
};

/** Small stops of another truck, and its name where it was at the shown moment. */
const drawOtherMarks = (context: Context, frame: TrailFrame, { path, name, color }: OtherTrail): void => {
  const { view, palette } = frame;
  context.fillStyle = color;
  context.strokeStyle = palette.surface;
  context.lineWidth = 2;
  const half = SMALL_STOP_HALF_PX;
  for (const stop of path.stops) {
    const [x, y] = toPx(view, stop);
    context.beginPath();
    context.rect(x - half, y - half, 2 * half, 2 * half);
    context.fill();
    context.stroke();
  }
  const at = positionAt(path.day.trail, frame.shownMs);
  if (at === null) return;
  const [x, y] = toPx(view, { x: toMercatorX(at.lng), y: toMercatorY(at.lat) });
  drawDisc(context, x, y, 7);
  if (isInView(frame, x, y))
    drawTag(context, frame, { text: name, x, y: y - 24, fill: palette.surface, ink: color, rim: color });
};

/** Draws the lines of a day's trail over those of other trucks; the names of towns lie over them. */
export const drawTrailLines = (context: Context, lines: TrailLines, others: readonly OtherTrail[]): void => {
  for (const other of others) drawOtherLines(context, lines, other);
  drawLines(context, lines);
  drawGaps(context, lines);
};

/** Draws what lies over the names of towns: the reasons of gaps, the numbered stops, and the shown moment. */
export const drawTrailMarks = (context: Context, frame: TrailFrame, others: readonly OtherTrail[]): void => {
  for (const other of others) drawOtherMarks(context, frame, other);
  drawReasons(context, frame);
  drawStops(context, frame);
  drawMoment(context, frame);
};
