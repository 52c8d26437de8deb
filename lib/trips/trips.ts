import { distanceM, toKph } from '@/lib/geo/geodesy';
import type { MotionSettings } from '@/lib/motion/settings';
import type { LatLng } from '@/lib/geo/units';
import { replayRange, type DayInput, type MissingReason, type Replay, type Segment } from './segments';
import { findLast, findPoint, positionAt } from './trail';

/** A shorter stop is part of its trip, and a shorter silence part of what it interrupts. */
const SHORT_MS = 5 * 60_000;

interface Entry {
  fromMs: number;
  toMs: number;
  /** Straight lines over gaps and jumps, m. */
  bridgedM: number;
}

/** A silence or a time without recording that is too short for an entry of its own; `reason` as of a gap. */
export interface Interruption {
  fromMs: number;
  toMs: number;
  reason: MissingReason | null;
}

interface Trip extends Entry {
  kind: 'trip';
  interruptions: readonly Interruption[];
  /** It has not ended when the range is read. */
  isUnderWay: boolean;
  /** Straight lines between fixes while it moved, m. */
  drivenM: number;
  /** The time without the short stops on the way, ms. */
  movingMs: number;
  /** Null where it is too short to say. */
  averageKph: number | null;
  fixes: number;
  to: LatLng | null;
}

export interface Stop extends Entry {
  kind: 'stop';
  interruptions: readonly Interruption[];
  /** The number from 1; a stop that goes on after a gap keeps its number. */
  number: number;
  isContinued: boolean;
  at: LatLng | null;
  /** False where it stood there before the range began, or since a gap. */
  hasArrival: boolean;
  /** False where it stands there when the range ends, or until a gap. */
  hasDeparture: boolean;
}

interface Gap extends Entry {
  kind: 'silent' | 'notRecorded';
  /** Null where the truck was silent. */
  reason: MissingReason | null;
  from: LatLng | null;
  to: LatLng | null;
}

export type DayEntry = Trip | Stop | Gap;

/** Sums over a range: the times add up to it, with the part of it that is ahead. */
export interface Totals {
  drivenM: number;
  bridgedM: number;
  movingMs: number;
  stoppedMs: number;
  silentMs: number;
  notRecordedMs: number;
  aheadMs: number;
  stops: number;
  fixes: number;
}

export interface Day extends Replay {
  fromMs: number;
  toMs: number;
  /** The end of what has come of it. */
  endMs: number;
  entries: readonly DayEntry[];
  totals: Totals;
}

/** The segment of a moment; for the end, the one just before it. */
export const segmentAt = (
  { segments, endMs }: Pick<Day, 'segments' | 'endMs'>,
  atMs: number,
): Segment | undefined => segments[findLast(segments, Math.min(atMs, endMs - 1), ({ fromMs }) => fromMs)];

/** Segments that are one entry of the list: the first gives the kind. */
interface Group {
  first: Segment;
  parts: Segment[];
}

const fromOf = ({ first }: Group): number => first.fromMs;
const toOf = ({ parts }: Group): number => parts[parts.length - 1]!.toMs;
const isShort = (group: Group): boolean => toOf(group) - fromOf(group) < SHORT_MS;

/** Joins what a short stop or silence interrupts: a trip, or a stop at one place. */
const group = ({ segments, distances }: Replay): Group[] => {
  const groups: Group[] = [];
  const bridgedOf = (each: Group): number => distances.bridged({ fromMs: fromOf(each), toMs: toOf(each) });
  for (const segment of segments) {
    if (segment.kind === 'ahead') continue;
    const [before, between] = [groups[groups.length - 2], groups[groups.length - 1]];
    const isJoined =
      before !== undefined &&
      between !== undefined &&
      before.first.kind === segment.kind &&
      isShort(between) &&
      (segment.kind === 'moving' ||
        (segment.kind === 'stopped' && between.first.kind !== 'moving' && bridgedOf(between) === 0));
    if (!isJoined) groups.push({ first: segment, parts: [segment] });
    else {
      before.parts.push(...between.parts, segment);
      groups.pop();
    }
  }
  return groups;
};

/** The mean of the fixes of a stop; where it has none, where it was when it began. */
const toStopPlace = ({ trail }: Replay, fromMs: number, toMs: number): LatLng | null => {
  const points = trail.points.slice(findPoint(trail, fromMs - 1) + 1, findPoint(trail, toMs) + 1);
  if (points.length === 0) return positionAt(trail, fromMs);
  const mean = (of: (point: LatLng) => number) =>
    points.reduce((sum, each) => sum + of(each), 0) / points.length;
  return { lat: mean(({ lat }) => lat), lng: mean(({ lng }) => lng) };
};

const sumOf = (parts: readonly Segment[], kind: Segment['kind']): number =>
  parts.reduce((sum, part) => (part.kind === kind ? sum + part.toMs - part.fromMs : sum), 0);

const countPoints = ({ trail }: Replay, fromMs: number, toMs: number): number =>
  findPoint(trail, toMs) - findPoint(trail, fromMs - 1);

/** Why there are no fixes in a segment; null where the truck was silent, undefined where there are. */
export const reasonOf = (segment: Segment): MissingReason | null | undefined =>
  segment.kind === 'notRecorded' ? segment.reason : segment.kind === 'silent' ? null : undefined;

const toInterruptions = (parts: readonly Segment[]): Interruption[] =>
  parts.flatMap((part) => {
    const reason = reasonOf(part);
    return reason === undefined ? [] : [{ fromMs: part.fromMs, toMs: part.toMs, reason }];
  });

const toTrip = (replay: Replay, { parts }: Group, entry: Entry): Trip => {
  const after = replay.segments[replay.segments.indexOf(parts[parts.length - 1]!) + 1];
  const drivenM = parts.reduce((sum, part) => sum + replay.distances.driven(part), 0);
  const movingMs = sumOf(parts, 'moving');
  return {
    ...entry,
    kind: 'trip',
    interruptions: toInterruptions(parts),
    isUnderWay: after?.kind === 'ahead',
    drivenM,
    movingMs,
    averageKph: movingMs >= 60_000 ? toKph(drivenM, movingMs) : null,
    fixes: countPoints(replay, entry.fromMs, entry.toMs),
    to: positionAt(replay.trail, entry.toMs),
  };
};

/** The number of a stop: that of the last one if only gaps lie between them and it did not move. */
const toStop = (
  replay: Replay,
  { parts }: Group,
  entry: Entry,
  before: readonly DayEntry[],
  isLast: boolean,
  settings: MotionSettings,
): Stop => {
  const at = toStopPlace(replay, entry.fromMs, entry.toMs);
  const last = before.findLast((each) => each.kind === 'stop' || each.kind === 'trip');
  const previous = before.findLast((each) => each.kind === 'stop');
  const isContinued =
    last?.kind === 'stop' && at !== null && last.at !== null && distanceM(at, last.at) <= settings.placeM;
  return {
    ...entry,
    kind: 'stop',
    interruptions: toInterruptions(parts),
    at,
    number: (previous?.number ?? 0) + (isContinued ? 0 : 1),
    isContinued,
    hasArrival: before[before.length - 1]?.kind === 'trip',
    hasDeparture: !isLast,
  };
};

const toEntries = (replay: Replay, settings: MotionSettings): DayEntry[] => {
  const entries: DayEntry[] = [];
  const groups = group(replay);
  for (const [index, each] of groups.entries()) {
    const span = { fromMs: fromOf(each), toMs: toOf(each) };
    const entry = { ...span, bridgedM: replay.distances.bridged(span) };
    const { first } = each;
    if (first.kind === 'moving') entries.push(toTrip(replay, each, entry));
    else if (first.kind === 'stopped') {
      const isLast = groups[index + 1]?.first.kind !== 'moving';
      entries.push(toStop(replay, each, entry, entries, isLast, settings));
    } else if (first.kind !== 'ahead') {
      const reason = first.kind === 'notRecorded' ? first.reason : null;
      const from = positionAt(replay.trail, span.fromMs);
      const to = replay.trail.points[findPoint(replay.trail, span.toMs - 1) + 1] ?? null;
      entries.push({ ...entry, kind: first.kind, reason, from, to });
    }
  }
  return entries;
};

/** A range of a unit's past as trips, stops and gaps, with its sums. */
export const toDay = (input: DayInput, settings: MotionSettings): Day => {
  const { fromMs, toMs, nowMs } = input;
  const replay = replayRange(input, settings);
  const { segments, distances } = replay;
  const entries = toEntries(replay, settings);
  const endMs = Math.max(fromMs, Math.min(toMs, nowMs));
  return {
    ...replay,
    fromMs,
    toMs,
    endMs,
    entries,
    totals: {
      drivenM: segments.reduce((sum, each) => sum + (each.kind === 'moving' ? distances.driven(each) : 0), 0),
      bridgedM: distances.bridged({ fromMs, toMs: endMs }),
      movingMs: sumOf(segments, 'moving'),
      stoppedMs: sumOf(segments, 'stopped'),
      silentMs: sumOf(segments, 'silent'),
      notRecordedMs: sumOf(segments, 'notRecorded'),
      aheadMs: sumOf(segments, 'ahead'),
      stops: entries.reduce((most, each) => (each.kind === 'stop' ? Math.max(most, each.number) : most), 0),
      fixes: countPoints(replay, fromMs, endMs - 1),
    },
  };
};

/** The index of the entry at a moment; -1 where there is none. */
export const findEntry = ({ entries }: Day, atMs: number): number => {
  const index = entries.findIndex(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
  const last = entries.length - 1;
  return index < 0 && entries[last]?.toMs === atMs ? last : index;
};
