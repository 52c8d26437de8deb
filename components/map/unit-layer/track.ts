import { toMercatorX, toMercatorY } from '@/lib/geo/projection';
import type { LatLng } from '@/lib/geo/units';
import type { View } from './scene/glyphs';
import type { Palette } from '../palette';

/** Between two fixes further apart than this nothing is known: the line has a gap there. */
const GAP_MS = 10 * 60_000;
const LINE_PX = 3;

/** One fix of the past: what the wire calls a track point. */
export interface TrackFix extends LatLng {
  fixAtMs: number;
}

/** A unit's recent fixes, oldest first, in Web Mercator 0…1; `isGap[i]` when none are known before fix i. */
export interface DrawnTrack {
  x: Float64Array;
  y: Float64Array;
  fixAtMs: Float64Array;
  isGap: boolean[];
}

export const createTrack = (fixes: readonly TrackFix[]): DrawnTrack => ({
  x: Float64Array.from(fixes, ({ lng }) => toMercatorX(lng)),
  y: Float64Array.from(fixes, ({ lat }) => toMercatorY(lat)),
  fixAtMs: Float64Array.from(fixes, ({ fixAtMs }) => fixAtMs),
  isGap: fixes.map(({ fixAtMs }, i) => i > 0 && fixAtMs - fixes[i - 1]!.fixAtMs > GAP_MS),
});

/** How many fixes of a track lie behind a gliding unit, so that its line ends at the glyph. */
export const fixesBehind = (track: DrawnTrack, newestFixAtMs: number): number => {
  let count = track.fixAtMs.length;
  while (count > 0 && track.fixAtMs[count - 1]! >= newestFixAtMs) count--;
  return count;
};

/** Draws where a unit came from, up to where its glyph is (pixels of the view); gaps are dashed. */
export const drawTrack = (
  context: CanvasRenderingContext2D,
  track: DrawnTrack,
  newestFixAtMs: number,
  glyph: { x: number; y: number },
  view: View,
  palette: Palette,
): void => {
  const count = fixesBehind(track, newestFixAtMs);
  if (count === 0) return;
  const seen = new Path2D();
  const gaps = new Path2D();
  const toPx = (i: number): [number, number] =>
    i === count
      ? [glyph.x, glyph.y]
      : [track.x[i]! * view.worldSizePx - view.left, track.y[i]! * view.worldSizePx - view.top];
  for (let i = 1; i <= count; i++) {
    const lastGapMs = newestFixAtMs - track.fixAtMs[count - 1]!;
    const path = (i < count ? track.isGap[i] : lastGapMs > GAP_MS) ? gaps : seen;
    path.moveTo(...toPx(i - 1));
    path.lineTo(...toPx(i));
  }
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = palette.land;
  context.lineWidth = LINE_PX + 3;
  context.stroke(seen);
  context.strokeStyle = palette.accent;
  context.lineWidth = LINE_PX;
  context.stroke(seen);
  context.setLineDash([2, 7]);
  context.stroke(gaps);
  context.setLineDash([]);
};
