import { flag, integer, list, nullable, number, object, text, type ShapeOf } from '@/lib/base/shape';
import { toCsvFile } from '@/lib/base/text/csv';
import { HOUR_MS } from '@/lib/base/time';
import { toWallClock } from '@/lib/trips/days';

/** GET /api/fleets/:usdot/history/site-visits?from=&to=: visits to all sites that began or ended in a range, by arrival. */
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
      isLearnedLater: flag,
    }),
  ),
  /** There are more than are listed. */
  hasMore: flag,
});
export type VisitReport = ShapeOf<typeof visitReportShape>;
export type ReportedVisit = VisitReport['visits'][number];

/** How long a visit lasted, ms; null while it is open. */
export const stayedMs = ({ arrivedMs, leftMs }: Pick<ReportedVisit, 'arrivedMs' | 'leftMs'>): number | null =>
  leftMs === null ? null : leftMs - arrivedMs;

/** Visits as CSV: times by the clock of a zone, the stay in hours. */
export const toVisitReportCsv = (visits: readonly ReportedVisit[], zone: string): string => {
  const clock = (atMs: number | null): string | null => (atMs === null ? null : toWallClock(atMs, zone));
  return toCsvFile([
    ['truck', 'key', 'site', 'arrived_after', 'arrived', 'left', 'left_by', 'stayed_h', 'learned_later'],
    ...visits.map((visit) => {
      const { name, unit, siteName, arrivedAfterMs, arrivedMs, leftMs, leftByMs, isLearnedLater } = visit;
      const stayed = stayedMs(visit);
      return [
        ...[name, unit, siteName],
        ...[arrivedAfterMs, arrivedMs, leftMs, leftByMs].map(clock),
        ...[stayed === null ? null : (stayed / HOUR_MS).toFixed(2), isLearnedLater ? 'yes' : 'no'],
      ];
    }),
  ]);
};
