import type { Line } from './basemap-file';

/** Points that are skipped or drawn together. */
const CHUNK = 32;
/** Points nearer than this to the one drawn before are left out, pixels. */
const MIN_STEP_PX = 0.6;

/**
 * Lines of the base map, ready to be traced: points of all of them in one array (x, y, x, y …), `starts[i]`
 * the first point of line i, and for each chunk of CHUNK points a box that also holds the point before it.
 */
export interface LineSet {
  points: Int32Array;
  starts: Int32Array;
  /** minX, minY, maxX, maxY of a chunk. */
  chunkBoxes: Int32Array;
  /** First chunk of line i. */
  firstChunk: Int32Array;
}

/** A part of the world in the base map's grid, and how it lies on a canvas. */
export interface Window {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
  /** What lies at 0,0 of the canvas. */
  originX: number;
  originY: number;
  /** Pixels in one unit of the grid. */
  scale: number;
}

/** What tracing needs of a canvas context or a Path2D. */
export type Pen = Pick<CanvasPath, 'moveTo' | 'lineTo' | 'closePath'>;

export const createLineSet = (lines: readonly Line[]): LineSet => {
  const counts = lines.map((line) => line.length / 2);
  const points = new Int32Array(2 * counts.reduce((sum, count) => sum + count, 0));
  const starts = new Int32Array(lines.length + 1);
  const firstChunk = new Int32Array(lines.length + 1);
  lines.forEach((line, i) => {
    starts[i + 1] = starts[i]! + counts[i]!;
    firstChunk[i + 1] = firstChunk[i]! + Math.ceil(counts[i]! / CHUNK);
    let at = 2 * starts[i]!;
    let x = 0;
    let y = 0;
    for (let p = 0; p < line.length; p += 2) {
      points[at++] = x += line[p]!;
      points[at++] = y += line[p + 1]!;
    }
  });
  const chunkBoxes = new Int32Array(4 * firstChunk[lines.length]!);
  for (let i = 0; i < lines.length; i++) {
    for (let chunk = firstChunk[i]!; chunk < firstChunk[i + 1]!; chunk++) {
      const from = starts[i]! + (chunk - firstChunk[i]!) * CHUNK;
      const to = Math.min(from + CHUNK, starts[i + 1]!);
      let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let p = Math.max(from - 1, starts[i]!); p < to; p++) {
        const x = points[2 * p]!;
        const y = points[2 * p + 1]!;
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
      }
      chunkBoxes[4 * chunk] = minX;
      chunkBoxes[4 * chunk + 1] = minY;
      chunkBoxes[4 * chunk + 2] = maxX;
      chunkBoxes[4 * chunk + 3] = maxY;
    }
  }
  return { points, starts, chunkBoxes, firstChunk };
};

/**
 * Traces what a window shows of the lines, `closed` ones as rings.
 *
 * A chunk that lies wholly on one outer side is cut short to its last point: that side is a half-plane, so
 * neither a filled area nor a stroke within the window changes.
 */
export const traceLines = (pen: Pen, lines: LineSet, window: Window, closed: boolean): void => {
  for (let i = 0; i + 1 < lines.starts.length; i++) {
    if (isLineNear(lines, i, window)) traceLine(pen, lines, i, window, closed);
  }
};

const isChunkNear = ({ chunkBoxes }: LineSet, chunk: number, window: Window): boolean => {
  const at = 4 * chunk;
  return (
    chunkBoxes[at]! <= window.maxX &&
    chunkBoxes[at + 1]! <= window.maxY &&
    chunkBoxes[at + 2]! >= window.minX &&
    chunkBoxes[at + 3]! >= window.minY
  );
};

const isLineNear = (lines: LineSet, line: number, window: Window): boolean => {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 4 * lines.firstChunk[line]!; at < 4 * lines.firstChunk[line + 1]!; at += 4) {
    minX = Math.min(minX, lines.chunkBoxes[at]!);
    minY = Math.min(minY, lines.chunkBoxes[at + 1]!);
    maxX = Math.max(maxX, lines.chunkBoxes[at + 2]!);
    maxY = Math.max(maxY, lines.chunkBoxes[at + 3]!);
  }
  return minX <= window.maxX && minY <= window.maxY && maxX >= window.minX && maxY >= window.minY;
};

const traceLine = (pen: Pen, lines: LineSet, line: number, window: Window, closed: boolean): void => {
  const { points, starts, firstChunk } = lines;
  const last = starts[line + 1]! - 1;
  let [drawnX, drawnY] = [Infinity, Infinity];
  const draw = (point: number, always: boolean): void => {
    const x = (points[2 * point]! - window.originX) * window.scale;
    const y = (points[2 * point + 1]! - window.originY) * window.scale;
    if (drawnX === Infinity) pen.moveTo(x, y);
    else if (!always && Math.abs(x - drawnX) < MIN_STEP_PX && Math.abs(y - drawnY) < MIN_STEP_PX) return;
    else pen.lineTo(x, y);
    [drawnX, drawnY] = [x, y];
  };
  draw(starts[line]!, true);
  for (let chunk = firstChunk[line]!; chunk < firstChunk[line + 1]!; chunk++) {
    const from = starts[line]! + (chunk - firstChunk[line]!) * CHUNK;
    const to = Math.min(from + CHUNK - 1, last);
    if (isChunkNear(lines, chunk, window)) for (let point = from; point < to; point++) draw(point, false);
    draw(to, true);
  }
  if (closed) pen.closePath();
};
