import { toDwell, type VisitTimes } from '@/lib/arrivals/interval';
import { flag, integer, list, nullable, number, object, text, type ShapeOf } from '@/lib/base/shape';
import { toCsvFile } from '@/lib/base/text/csv';
import { HOUR_MS } from '@/lib/base/time';
import { formatCount } from '@/lib/view/format';
import { toWallClock } from '@/lib/trips/days';

/** GET /api/fleets/:usdot/history/site-visits?from=&to=: visits to all sites that touch a range, by arrival. */
export const visitReportShape = object({
  nowMs: number,
  visits: list(
    object({
      unit: text,
      name: text,
      siteId: integer(1),
      siteName: text,
      arrivedAfterMs: nullable(number),
      arrivedMs: number,
      leftMs: nullable(number),
      leftByMs: nullable(number),
      /** How long it was away between arrival and departure, ms. */
      awayMs: integer(0),
      isLearnedLater: flag,
    }),
  ),
  /** There are more than are listed. */
  hasMore: flag,
});
export type VisitReport = ShapeOf<typeof visitReportShape>;
export type ReportedVisit = VisitReport['visits'][number];

/** How long a visit lasted at least, by its fixes, ms; null while it is open. */
export const stayedMs = (visit: VisitTimes): number | null =>
  visit.leftMs === null ? null : toDwell(visit).leastMs;

/** Whether a visit has ended of which no fix shows when it began or ended: it lasted at least as long as its fixes say. */
export const isAtLeast = (visit: VisitTimes): boolean =>
  visit.leftMs !== null && toDwell(visit).mostMs === null;

/** How long visits lasted that are known from their beginning to their end, ms together. */
export const sumStays = (visits: readonly ReportedVisit[]): number =>
  visits.reduce((sum, visit) => sum + (isAtLeast(visit) ? 0 : (stayedMs(visit) ?? 0)), 0);

/** Why the stay of some visits is not counted; null: each is. */
export const atLeastText = (visits: readonly ReportedVisit[]): string | null => {
  const count = visits.filter(isAtLeast).length;
  return count === 0
    ? null
    : `${formatCount(count, 'visit')} with an arrival or a departure that no fix shows: ${count === 1 ? 'its stay is' : 'their stays are'} not in the total.`;
};

/** Visits as CSV: times by the clock of a zone, the stay in hours where it is known from its beginning to its end. */
export const toVisitReportCsv = (visits: readonly ReportedVisit[], zone: string): string => {
  const clock = (atMs: number | null): string | null => (atMs === null ? null : toWallClock(atMs, zone));
  return toCsvFile([
    [
      'truck',
      'key',
      'site',
      'arrived_after',
      'arrived',
      'left',
      'left_by',
      'stayed_h',
      'at_most_h',
      'learned_later',
    ],
    ...visits.map((visit) => {
      const { name, unit, siteName, arrivedAfterMs, arrivedMs, leftMs, leftByMs, isLearnedLater } = visit;
      const stayed = isAtLeast(visit) ? null : stayedMs(visit);
      const { mostMs } = toDwell(visit);
      return [
        ...[name, unit, siteName],
        ...[arrivedAfterMs, arrivedMs, leftMs, leftByMs].map(clock),
        ...[stayed, mostMs].map((ms) => (ms === null ? null : (ms / HOUR_MS).toFixed(2))),
        isLearnedLater ? 'yes' : 'no',
      ];
    }),
  ]);
};
