export const FONT_FAMILY =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif";

/** Strokes a path of so many pixels; `dash` is drawn and left out in turns. */
export const strokePath = (
  context: CanvasRenderingContext2D,
  path: Path2D,
  color: string,
  widthPx: number,
  dash: readonly number[] = [],
): void => {
  context.strokeStyle = color;
  context.lineWidth = widthPx;
  context.setLineDash([...dash]);
  context.stroke(path);
  context.setLineDash([]);
};
