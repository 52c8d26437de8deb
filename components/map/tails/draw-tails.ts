import { strokePath } from '../canvas';
import type { Palette, Theme } from '../palette';
import type { View } from '../unit-layer/scene/glyphs';
import type { LiveTails } from './live-tails';

const LINE_PX = 2;
/** From the newest third of a tail to the oldest. */
const ALPHAS = [0.9, 0.6, 0.35];

interface TailsInput {
  tails: LiveTails;
  /** 1 for each row that passes the filter; null for all. */
  visible: Uint8Array | null;
  selectedRow: number | null;
  theme: Theme;
}

export const drawTails = (
  context: CanvasRenderingContext2D,
  input: TailsInput,
  view: View,
  palette: Palette,
) => {
  let count = 0;
  const lines = ALPHAS.map(() => new Path2D());
  const gaps = new Path2D();
  const { worldSizePx, left, top, width, height } = view;
  input.tails.forEachLine(input, (fromX, fromY, toX, toY, age, isGap) => {
    const [x0, y0] = [fromX * worldSizePx - left, fromY * worldSizePx - top];
    const [x1, y1] = [toX * worldSizePx - left, toY * worldSizePx - top];
    if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > width || Math.max(y0, y1) < 0 || Math.min(y0, y1) > height)
      return;
    const path = isGap ? gaps : lines[Math.min(ALPHAS.length - 1, Math.floor(age * ALPHAS.length))]!;
    count++;
    path.moveTo(x0, y0);
    path.lineTo(x1, y1);
  });
  for (const path of lines) strokePath(context, path, palette.land, LINE_PX + 2);
  for (const [i, path] of lines.entries()) {
    context.globalAlpha = ALPHAS[i]!;
    strokePath(context, path, palette.status.moving, LINE_PX);
  }
  strokePath(context, gaps, palette.status.moving, LINE_PX, [2, 5]);
  context.globalAlpha = 1;
  return { tailLines: String(count) };
};
