import { HOUR_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';
import { distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import type { TrailFix } from '@/lib/past/schema';
import type { CoverageInterval } from '@/lib/trips/coverage';
import type { Segment } from '@/lib/trips/segments';
import { findLast, type TrailPoint } from '@/lib/trips/trail';
import { segmentAt, toDay, type Day } from '@/lib/trips/trips';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { CertificateInput } from './certificate';
import {
  MOST_FIXES,
  type CertifiedFix,
  type CertifiedState,
  type CertifiedVisit,
  type PositionCertificate,
} from './kinds/position-certificate';

/** Around a moment so much is looked at, and so many fixes on either side are listed. */
const [BEFORE_MS, AFTER_MS, AROUND] = [HOUR_MS, 30 * MINUTE_MS, 5];

/** The range whose trail a certificate is by, Unix ms: about a moment at least from the fix before to the one after it. */
export const toLookedAt = (
  { fromMs, toMs }: TimeRange,
  fixes: readonly { fixAtMs: number }[] = [],
): TimeRange => {
  if (fromMs !== toMs) return { fromMs, toMs };
  const before = fixes.findLast(({ fixAtMs }) => fixAtMs <= fromMs)?.fixAtMs ?? fromMs;
  const after = fixes.find(({ fixAtMs }) => fixAtMs > fromMs)?.fixAtMs ?? fromMs;
  return {
    fromMs: Math.max(0, Math.min(fromMs - BEFORE_MS, before)),
    toMs: Math.max(fromMs + AFTER_MS, after + 1),
  };
};

/** What was recorded of a truck. */
export interface CertificateSource {
  /** From some hours before the range that is looked at to half an hour after it, in order of time. */
  fixes: readonly TrailFix[];
  coverage: readonly CoverageInterval[];
  identity: UnitIdentity;
  /** Visits to sites that overlap the range. */
  visits: readonly CertifiedVisit[];
  nowMs: number;
  timeZone: string;
  /** A position in words. */
  placeOf: (at: LatLng) => string;
}

const toE5 = (degrees: number): number => Math.round(degrees * 1e5);

const toCertifiedFix = (fix: TrailFix, used: ReadonlySet<number>): CertifiedFix => ({
  ...{ madeMs: fix.fixAtMs, seenMs: fix.seenAtMs, isByReceipt: fix.isByReceipt },
  ...{ latE5: toE5(fix.lat), lngE5: toE5(fix.lng), isUsed: used.has(fix.fixAtMs) },
});

/** So many of some items, evenly, with the first and the last. */
const thin = <T>(items: readonly T[], most: number): T[] =>
  items.length <= most
    ? [...items]
    : Array.from({ length: most }, (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))]!);

const toState = (segment: Segment, points: readonly TrailPoint[]): CertifiedState | null => {
  const { kind, fromMs, toMs } = segment;
  if (kind === 'ahead') return null;
  const within = points.filter(({ fixAtMs }) => fixAtMs >= fromMs && fixAtMs <= toMs);
  const [first] = within;
  const reachM = within.reduce((most, each) => Math.max(most, distanceM(first!, each)), 0);
  return {
    ...{ fromMs: Math.ceil(fromMs), toMs: Math.floor(toMs), kind },
    reason: kind === 'notRecorded' ? segment.reason.state : null,
    ...{ fixes: within.length, reachM: Math.round(reachM) },
  };
};

const isGap = ({ kind }: CertifiedState): boolean => kind === 'silent' || kind === 'notRecorded';

const plateOf = ({ plateState, plateNumber }: UnitIdentity): string | null =>
  plateNumber === null ? null : [plateState, plateNumber].filter(Boolean).join(' ');

/** The fixes of a range, and the ones around a moment. */
const listFixes = (
  { fromMs, toMs }: TimeRange,
  fixes: readonly TrailFix[],
  [beforeMs, afterMs]: readonly [number | null, number | null],
): TrailFix[] => {
  if (fromMs === toMs) {
    const next = findLast(fixes, fromMs, ({ fixAtMs }) => fixAtMs) + 1;
    const around = fixes.slice(Math.max(0, next - AROUND), next + AROUND);
    const ends = fixes.filter(({ fixAtMs }) => fixAtMs === beforeMs || fixAtMs === afterMs);
    return [...new Set([...around, ...ends])].sort((a, b) => a.fixAtMs - b.fixAtMs);
  }
  const isEnd = ({ fixAtMs }: TrailFix): boolean => fixAtMs === beforeMs || fixAtMs === afterMs;
  const within = fixes.filter((fix) => fix.fixAtMs >= fromMs && fix.fixAtMs <= toMs);
  const chosen = thin(within, MOST_FIXES);
  const outside = fixes.filter((fix) => isEnd(fix) && !within.includes(fix));
  return [...chosen, ...outside].sort((a, b) => a.fixAtMs - b.fixAtMs);
};

const findStates = (day: Day, { fromMs, toMs }: TimeRange): CertifiedState[] => {
  const { points } = day.trail;
  const segment = fromMs === toMs ? segmentAt(day, fromMs) : undefined;
  const segments = fromMs === toMs ? (segment ? [segment] : []) : day.segments;
  return segments.flatMap((each) => toState(each, points) ?? []);
};

/** What a certificate says of a truck by what was recorded of it. */
export const toCertificate = (
  { fromMs, toMs, fields }: CertificateInput,
  source: CertificateSource,
): PositionCertificate => {
  const { fixes, coverage, identity, visits, nowMs, timeZone, placeOf } = source;
  const range = { fromMs, toMs };
  const day = toDay({ fixes, coverage, ...toLookedAt(range, fixes), nowMs }, DEFAULT_MOTION_SETTINGS);
  const { points } = day.trail;
  const before = points.findLast(({ fixAtMs }) => fixAtMs <= fromMs)?.fixAtMs ?? null;
  const after = points.find(({ fixAtMs }) => fixAtMs > toMs)?.fixAtMs ?? null;
  const used = new Set(points.map(({ fixAtMs }) => fixAtMs));
  const listed = listFixes(range, fixes, [before, after]).map((fix) => toCertifiedFix(fix, used));
  const states = findStates(day, range);
  const gaps =
    fromMs === toMs
      ? day.segments
          .flatMap((each) => toState(each, points) ?? [])
          .filter((each) => each.toMs > (before ?? -Infinity) && each.fromMs < (after ?? Infinity))
      : states;
  const within =
    fromMs === toMs
      ? points.filter(({ fixAtMs }) => fixAtMs === before)
      : points.filter(({ fixAtMs }) => fixAtMs >= fromMs && fixAtMs <= toMs);
  const ends = [...new Set([within[0], within.at(-1)])].flatMap((point) => point ?? []);
  const has = (field: CertificateInput['fields'][number]): boolean => fields.includes(field);
  return {
    truck: {
      number: has('truckNumber') ? identity.truckNumber : null,
      vin: has('vin') ? identity.vin : null,
      plate: has('plate') ? plateOf(identity) : null,
    },
    ...{ fields: [...new Set(fields)], fromMs, toMs, timeZone },
    made: fixes.filter(({ fixAtMs }) => fixAtMs >= fromMs && fixAtMs <= toMs).length,
    ...{ fixes: listed, beforeMs: before, afterMs: after },
    states: has('status') ? states : null,
    gaps: gaps.filter(isGap),
    places: has('place') ? ends.map((point) => ({ madeMs: point.fixAtMs, text: placeOf(point) })) : null,
    visits: has('sites') ? [...visits] : null,
  };
};
