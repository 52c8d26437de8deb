import { toCsvFile } from '@/lib/base/text/csv';
import { integer, list, nullable, number, object, text, type ShapeOf } from '@/lib/base/shape';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { FLAGS } from '@/lib/motion/status';
import type { ReportPeriod } from '@/lib/reports/periods';

/** What the figures are of: all trucks, or those of a provider, a type of device, a tag, or one truck. */
export const QUALITY_GROUPS = ['provider', 'device', 'tag', 'truck'] as const;
export type QualityGroup = (typeof QUALITY_GROUPS)[number];
/** The quality of the data of a group of units in a period: seconds, straight lines in m, numbers of fixes. */
const qualityRowSchema = object({
  /** The name of the group; `key` is its own in the group's kind. */
  key: text,
  name: text,
  /** The first day of the period. */
  period: text,
  units: integer(0),
  fixes: integer(0),
  late: integer(0),
  byReceipt: integer(0),
  unwatched: integer(0),
  /** From fix to sight; null where no fix has a known delay. */
  delay: nullable(object({ fixes: integer(1), leastS: number, p50S: number, p95S: number, p99S: number })),
  /** Fixes that came before their own time. */
  ahead: integer(0),
  /** Between fixes while driving. */
  interval: nullable(object({ fixes: integer(1), p50S: number, p95S: number, p99S: number })),
  drivenM: number,
  missedM: number,
  unwatchedM: number,
  judged: integer(0),
  coarse: integer(0),
  flagged: list(integer(0), FLAGS.length),
  raised: list(integer(0), FLAGS.length),
});
export type QualityRow = ShapeOf<typeof qualityRowSchema>;

/** A line of GET /api/fleets/:usdot/data-quality: `share` of the days that are read; the rows are in the last one, with 1. */
export const qualityLineSchema = object({ share: number, rows: list(qualityRowSchema) });
export type QualityLine = ShapeOf<typeof qualityLineSchema>;

/** A part as a share of 1; null where there is nothing that it could be a part of. */
export const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** The share of the driven miles that fixes covered. */
export const coveredOf = ({ drivenM, missedM }: Pick<QualityRow, 'drivenM' | 'missedM'>): number | null =>
  shareOf(drivenM, drivenM + missedM);

export const FROZEN_BIT = FLAGS.indexOf('frozenPosition');

const toMiles = (meters: number): string => (meters / METERS_PER_MILE).toFixed(1);

/** Seconds, numbers of fixes, and miles; a column of fixes and one of raises for each flag. */
export const toQualityCsv = (rows: readonly QualityRow[], each: ReportPeriod): string =>
  toCsvFile([
    [
      ...['group', 'key', each === 'range' ? 'from' : each, 'trucks', 'fixes', 'late_fixes'],
      ...['delay_fixes', 'delay_least_s', 'delay_p50_s', 'delay_p95_s', 'delay_p99_s', 'not_watched_fixes'],
      ...['ahead_fixes', 'by_receipt_fixes'],
      ...['interval_fixes', 'interval_p50_s', 'interval_p95_s', 'interval_p99_s'],
      ...['driven_miles', 'missed_miles', 'not_watched_miles', 'judged_fixes', 'coarse_fixes'],
      ...FLAGS.flatMap((flag) => [`${flag}_fixes`, `${flag}_raised`]),
    ],
    ...rows.map((row) => [
      ...[row.name, row.key, row.period, row.units, row.fixes, row.late],
      ...[row.delay?.fixes ?? 0, row.delay?.leastS ?? null],
      ...[row.delay?.p50S ?? null, row.delay?.p95S ?? null, row.delay?.p99S ?? null, row.unwatched],
      ...[row.ahead, row.byReceipt, row.interval?.fixes ?? 0],
      ...[row.interval?.p50S ?? null, row.interval?.p95S ?? null, row.interval?.p99S ?? null],
      ...[row.drivenM, row.missedM, row.unwatchedM].map(toMiles),
      ...[row.judged, row.coarse],
      ...FLAGS.flatMap((_, bit) => [row.flagged[bit]!, row.raised[bit]!]),
    ]),
  ]);
