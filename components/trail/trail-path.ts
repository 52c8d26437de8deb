import type { Point } from '@/components/map/box-index';
import { findPoint, positionAt } from '@/lib/trips/trail';
import { SEGMENT_LABELS, gapText } from '@/lib/past/text';
import type { SegmentKind } from '@/lib/trips/segments';
import { speedText } from '@/lib/view/text';
import { reasonOf, segmentAt, type Day, type Interruption, type Stop } from '@/lib/trips/trips';
import { toMapLng, toMercatorX, toMercatorY } from '@/lib/geo/projection';
import type { LatLng } from '@/lib/geo/units';
import { toBounds, type Bounds } from '@/lib/geo/geodesy';

/** A line of a trail, by the index of its first point; it ends at the next. */
export interface TrailPath {
  day: Day;
  x: Float64Array;
  y: Float64Array;
  /** 1 for a point to which the unit was seen to drive from the one before. */
  isDriven: Uint8Array;
  /** First and last point of what is in the range. */
  first: number;
  last: number;
  stops: (Point & { stop: Stop; entry: number })[];
  /** Lines over silences and times without recording, however short. */
  gaps: (Interruption & { from: Point; to: Point; text: string })[];
}

const toWorld = ({ lat, lng }: LatLng): Point => ({ x: toMercatorX(lng), y: toMercatorY(lat) });

const toGaps = ({ trail, segments }: Day): TrailPath['gaps'] =>
  segments.flatMap((segment) => {
    const { fromMs, toMs } = segment;
    const [reason, from, to] = [reasonOf(segment), positionAt(trail, fromMs), positionAt(trail, toMs)];
    // Nothing is known of where it went after its last fix.
    const isOpen = findPoint(trail, toMs - 1) === trail.points.length - 1;
    if (reason === undefined || from === null || to === null || isOpen) return [];
    const gap = { fromMs, toMs, reason };
    return [{ ...gap, from: toWorld(from), to: toWorld(to), text: gapText(gap) }];
  });

export const toTrailPath = (day: Day): TrailPath => {
  const { points } = day.trail;
  const indexed = day.entries.map((entry, index) => ({ entry, index }));
  return {
    day,
    x: Float64Array.from(points, ({ lng }) => toMercatorX(lng)),
    y: Float64Array.from(points, ({ lat }) => toMercatorY(lat)),
    isDriven: Uint8Array.from(points, ({ fixAtMs, link }, i) => {
      const beforeMs = points[i - 1]?.fixAtMs ?? fixAtMs;
      return Number(link === 'seen' && segmentAt(day, (beforeMs + fixAtMs) / 2)?.kind === 'moving');
    }),
    first: Math.max(0, findPoint(day.trail, day.fromMs)),
    last: Math.min(points.length - 1, findPoint(day.trail, day.endMs)),
    stops: indexed.flatMap(({ entry, index }) =>
      entry.kind === 'stop' && entry.at !== null && !entry.isContinued
        ? [{ ...toWorld(entry.at), stop: entry, entry: index }]
        : [],
    ),
    gaps: toGaps(day),
  };
};

/** The room around a day, as shares of its extent: the player covers the foot of the map, and the newest moment has its label above it. */
const ROOM = { south: 0.22, north: 0.1 };

/** The bounds of days' positions, with room for what is drawn over the map; null where there is none. */
export const boundsOfDays = (days: readonly Day[]): Bounds | null => {
  const shown = days.flatMap(({ trail, fromMs, endMs }) => [
    positionAt(trail, fromMs) ?? [],
    ...trail.points.slice(findPoint(trail, fromMs) + 1, findPoint(trail, endMs) + 1),
  ]);
  const bounds = toBounds(shown.flat().map(({ lat, lng }) => [lat, toMapLng(lng)]));
  if (bounds === null) return null;
  const [south, west, north, east] = bounds;
  const extent = north - south;
  return [south - ROOM.south * extent, west, north + ROOM.north * extent, east];
};

/** The moment of a trail nearest to a point of the world, and how far off; null without a trail. */
export const findMoment = (
  { day, x, y, first, last }: TrailPath,
  at: Point,
): { atMs: number; apart: number } | null => {
  const { points } = day.trail;
  let best: { atMs: number; apart: number } | null = null;
  for (let i = first; i <= last; i++) {
    const next = Math.min(i + 1, last);
    const [dx, dy] = [x[next]! - x[i]!, y[next]! - y[i]!];
    const length2 = dx * dx + dy * dy;
    const along = length2 === 0 ? 0 : ((at.x - x[i]!) * dx + (at.y - y[i]!) * dy) / length2;
    const t = Math.min(1, Math.max(0, along));
    const apart = Math.hypot(x[i]! + dx * t - at.x, y[i]! + dy * t - at.y);
    if (best !== null && apart >= best.apart) continue;
    const [fromMs, toMs] = [points[i]!.fixAtMs, points[next]!.fixAtMs];
    best = { atMs: Math.min(day.endMs, Math.max(day.fromMs, fromMs + (toMs - fromMs) * t)), apart };
  }
  return best;
};

/** What a truck does at a moment: "61 mph W", or the kind of the time. */
export const motionText = (kind: SegmentKind, at: ReturnType<typeof positionAt>): string => {
  const isMeasured = at !== null && at.speedKph !== null && at.headingDeg !== null;
  return (kind === 'moving' && isMeasured ? speedText(at) : null) ?? SEGMENT_LABELS[kind];
};
