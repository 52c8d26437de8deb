import { middleOf } from '../box-index';
import { strokePath } from '../canvas';
import type { Palette, Theme } from '../palette';
import type { View } from '../unit-layer/scene/glyphs';
import { LEAST_PX, shapesWithin, toShare, widthOf, type DrawnSite, type SiteShapes } from './site-shapes';

/** One mark for each square of this side: more would be a blot. */
const MARK_CELL_PX = 9;
/** From the middle of a mark to its corners. */
const MARK_REACH_PX = 5;
const LINE_PX = 2;
const STRONG_LINE_PX = 4;
const FILL_ALPHA = 0.14;
/** The outline of an area that no truck may enter. */
const NO_GO_DASH = [7, 5];
/** A larger outline is not dashed: a browser computes all dashes, also those out of view. */
const MOST_DASHED_PX = 4000;

/** Adds a shape to a path, pixels of the view. */
const trace = (path: Path2D, { box, ring }: DrawnSite, { worldSizePx, left, top }: View): void => {
  if (ring === null) {
    const { x, y } = middleOf(box);
    const [atX, atY] = [x * worldSizePx - left, y * worldSizePx - top];
    const radius = ((box.right - box.left) / 2) * worldSizePx;
    path.moveTo(atX + radius, atY);
    path.arc(atX, atY, radius, 0, 2 * Math.PI);
    return;
  }
  ring.forEach(([x, y], i) => {
    const [atX, atY] = [x * worldSizePx - left, y * worldSizePx - top];
    if (i === 0) path.moveTo(atX, atY);
    else path.lineTo(atX, atY);
  });
  path.closePath();
};

/** A diamond, which is the symbol of no unit. */
const mark = (path: Path2D, x: number, y: number): void => {
  path.moveTo(x, y - MARK_REACH_PX);
  path.lineTo(x + MARK_REACH_PX, y);
  path.lineTo(x, y + MARK_REACH_PX);
  path.lineTo(x - MARK_REACH_PX, y);
  path.closePath();
};

interface Paths {
  color: string;
  isDashed: boolean;
  shapes: Path2D;
  marks: Path2D;
}

/** Sorts shapes into one path for each color, so that thousands are a few strokes. */
const toPaths = (shapes: readonly DrawnSite[], view: View): Paths[] => {
  const paths = new Map<string, Paths>();
  const marked = new Set<string>();
  for (const shape of shapes) {
    const { site, box } = shape;
    const widthPx = widthOf(shape) * view.worldSizePx;
    const isDashed = site.kind === 'noGo' && widthPx <= MOST_DASHED_PX;
    const key = `${site.color} ${isDashed}`;
    const own = paths.get(key) ?? {
      color: site.color,
      isDashed,
      shapes: new Path2D(),
      marks: new Path2D(),
    };
    paths.set(key, own);
    if (widthPx >= LEAST_PX) {
      trace(own.shapes, shape, view);
      continue;
    }
    const middle = middleOf(box);
    const [x, y] = [middle.x * view.worldSizePx - view.left, middle.y * view.worldSizePx - view.top];
    const cell = `${Math.floor(x / MARK_CELL_PX)} ${Math.floor(y / MARK_CELL_PX)}`;
    if (!marked.has(cell)) mark(own.marks, x, y);
    marked.add(cell);
  }
  return [...paths.values()];
};

const paint = (
  context: CanvasRenderingContext2D,
  { color, isDashed, shapes, marks }: Paths,
  palette: Palette,
  linePx: number,
): void => {
  context.fillStyle = color;
  context.globalAlpha = FILL_ALPHA;
  context.fill(shapes);
  context.globalAlpha = 1;
  strokePath(context, shapes, palette.land, linePx + 2);
  strokePath(context, shapes, color, linePx, isDashed ? NO_GO_DASH : []);
  context.fill(marks);
  strokePath(context, marks, palette.land, 1);
};

interface SitesInput {
  shapes: SiteShapes;
  /** The site with a strong outline; null: none. */
  highlightedId: number | null;
  /** A site that is not drawn; null: all are. */
  hiddenId: number | null;
  theme: Theme;
}

/** Draws the outlines of the sites in a view, a mark where that would be a dot, and the highlighted one last. */
export const drawSites = (
  context: CanvasRenderingContext2D,
  { shapes, highlightedId, hiddenId }: SitesInput,
  view: View,
  palette: Palette,
) => {
  const { worldSizePx, left, top, width, height } = view;
  const box = toShare({ left, top, right: left + width, bottom: top + height }, worldSizePx);
  const shown = shapesWithin(shapes, box).filter(({ site }) => site.id !== hiddenId);
  context.lineJoin = 'round';
  for (const paths of toPaths(shown, view)) paint(context, paths, palette, LINE_PX);
  const highlighted = shown.filter(({ site }) => site.id === highlightedId);
  for (const paths of toPaths(highlighted, view)) paint(context, paths, palette, STRONG_LINE_PX);
  return { drawnSites: String(shown.length) };
};
