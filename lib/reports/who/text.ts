import { formatCount, formatDuration, formatWhole } from '@/lib/view/format';
import { toCsvFile } from '@/lib/base/text/csv';
import { unitName } from '@/lib/view/unit-name';
import type { MissingReason } from '@/lib/trips/segments';
import { reasonText } from '@/lib/past/text';
import type { CoverageInterval } from '@/lib/trips/coverage';
import type { VisitsAnswer } from './schema';
import { MOST_LINE_MS, type Visit } from './visits';
import { type TimeRange, DAY_MS, HOUR_MS } from '@/lib/base/time';

/** The time that a query is about, Unix ms, and the server's clock. */
interface QueryRange extends TimeRange {
  nowMs: number;
}

/** A moment as text, with its day where that is not the day of another moment beside it. */
type TimeOf = (atMs: number, besideMs?: number | null) => string;

export interface VisitText {
  /** "Arrived 10:02 AM, left 11:38 AM–11:41 AM". */
  when: string;
  /** "1 h 36 m", "at least 40 min". */
  duration: string;
  certainty: string;
}

/** When it came or went, by the fixes about that moment: "10:02 AM", "10:02 AM–10:04 AM", "Nov 20, 11:58 PM–Nov 21, 12:03 AM". */
const between = (fromMs: number, toMs: number, timeOf: TimeOf, besideMs?: number | null): string => {
  const from = timeOf(fromMs, besideMs);
  return from === timeOf(toMs, besideMs) ? from : `${from}–${timeOf(toMs, fromMs)}`;
};

/** Whether a unit was inside when the range began, and when it ended or now. */
const isInsideAt = (
  { firstMs, lastMs, beforeMs }: Visit,
  { fromMs, toMs, nowMs }: QueryRange,
): { start: boolean; end: boolean } => ({
  start: firstMs !== null && firstMs < fromMs,
  end:
    lastMs !== null &&
    (lastMs >= toMs || (beforeMs === null && Math.min(toMs, nowMs) - lastMs <= MOST_LINE_MS)),
});

const toWhen = (visit: Visit, range: QueryRange, timeOf: TimeOf): string => {
  const { afterMs, firstMs, lastMs, beforeMs } = visit;
  if (firstMs === null || lastMs === null) return `Passed ${between(afterMs!, beforeMs!, timeOf)}`;
  const inside = isInsideAt(visit, range);
  if (inside.start && inside.end) return 'Inside all the time';
  // The day of the arrival is not repeated.
  const besideMs = inside.start ? undefined : firstMs;
  const arrived = inside.start
    ? 'Inside at the start'
    : afterMs === null
      ? `Inside since ${timeOf(firstMs)} or before`
      : `Arrived ${between(afterMs, firstMs, timeOf)}`;
  const left = inside.end
    ? 'inside at the end'
    : beforeMs === null
      ? `inside until ${timeOf(lastMs, besideMs)} or later`
      : `left ${between(lastMs, beforeMs, timeOf, besideMs)}`;
  return `${arrived}, ${left}`;
};

/** How long it was inside within the range: by its fixes inside at the least, ms, and at the most. */
const toDurations = (visit: Visit, { fromMs, toMs, nowMs }: QueryRange) => {
  const { afterMs, firstMs, lastMs, beforeMs, awayMs } = visit;
  const span = (start: number, end: number): number =>
    Math.max(0, Math.min(end, toMs, nowMs) - Math.max(start, fromMs));
  return {
    leastMs: firstMs === null ? 0 : Math.max(0, span(firstMs, lastMs!) - awayMs),
    mostMs: afterMs === null || beforeMs === null ? null : span(afterMs, beforeMs),
  };
};

const toDuration = (visit: Visit, range: QueryRange): string => {
  const { leastMs, mostMs } = toDurations(visit, range);
  if (mostMs === null) return `at least ${formatDuration(leastMs)}`;
  if (leastMs === 0) return `at most ${formatDuration(mostMs)}`;
  const [least, most] = [leastMs, mostMs].map(formatDuration);
  return least === most ? least! : `${least} to ${most}`;
};

const toCertainty = ({ certainty, fixes }: Visit): string => {
  const inside =
    fixes === 0 ? 'Fixes inside before and after' : `${formatCount(fixes, 'fix', 'fixes')} inside`;
  switch (certainty) {
    case 'fixes':
      return inside;
    case 'late':
      return `${inside}, all sent late`;
    case 'line':
      return 'No fix inside: only a straight line between two fixes crosses it';
  }
};

export const toVisitText = (visit: Visit, range: QueryRange, timeOf: TimeOf): VisitText => ({
  when: toWhen(visit, range, timeOf),
  duration: toDuration(visit, range),
  certainty: toCertainty(visit),
});

/** When a visit begins in a list: at its first fix inside, or the fix before the line. */
export const beginOf = ({ firstMs, afterMs }: Visit): number => firstMs ?? afterMs!;

/** The longest range that the server answers: 31 days, one of which may have 25 hours. */
export const LONGEST_MS = 31 * DAY_MS + HOUR_MS;
/** The trail of a visit shows how it came and went. */
const ABOUT_MS = 20 * 60_000;

/** The range of the trail of a visit, Unix ms, which the server answers. */
export const toTrailRange = (visit: Visit, range: TimeRange): TimeRange => {
  const fromMs = Math.max(visit.afterMs ?? visit.firstMs!, range.fromMs) - ABOUT_MS;
  const toMs = Math.min(visit.beforeMs ?? visit.lastMs!, range.toMs) + ABOUT_MS;
  return { fromMs, toMs: Math.min(toMs, fromMs + LONGEST_MS) };
};

/** The times of a range in which nothing was recorded: "2:02 PM to 2:40 PM: Linehaul was not running". */
export const gapsOf = (
  coverage: readonly CoverageInterval[],
  { fromMs, toMs, nowMs }: QueryRange,
  timeOf: TimeOf,
): { fromMs: number; text: string }[] => {
  const beganMs = coverage[0]?.fromMs ?? Math.min(toMs, nowMs);
  const gaps: (MissingReason & TimeRange)[] = coverage.flatMap((interval) =>
    interval.state === 'answered' ? [] : [{ ...interval, state: interval.state }],
  );
  if (beganMs > fromMs) gaps.unshift({ fromMs, toMs: beganMs, state: 'before', problem: null });
  return gaps.map((gap) => {
    const isWhole = gap.fromMs <= fromMs && gap.toMs >= Math.min(toMs, nowMs);
    const span = isWhole ? 'All the time' : `${timeOf(gap.fromMs)} to ${timeOf(gap.toMs, gap.fromMs)}`;
    return { fromMs: gap.fromMs, text: `${span}: ${reasonText(gap)}` };
  });
};

/** How many visits were found: "2 trucks, 3 visits, 1 of them without a fix inside"; where none was, whether anything was recorded at all. */
export const foundText = ({ units, visits, coverage }: VisitsAnswer): string => {
  const lines = visits.filter(({ certainty }) => certainty === 'line').length;
  const without = lines === 0 ? '' : `, ${formatWhole(lines)} of them without a fix inside`;
  if (visits.length > 0)
    return `${formatCount(units.length, 'truck')}, ${formatCount(visits.length, 'visit')}${without}`;
  return coverage.some(({ state }) => state === 'answered')
    ? 'No truck was seen here.'
    : 'Nothing was recorded at this time.';
};

const COLUMNS = [
  'unit',
  'vin',
  'last_fix_before_outside',
  'first_fix_inside',
  'last_fix_inside',
  'first_fix_after_outside',
  'fixes_inside',
  'certainty',
];

const CERTAINTY_NAMES: Readonly<Record<Visit['certainty'], string>> = {
  fixes: 'fixes inside',
  late: 'only late fixes inside',
  line: 'only a straight line between two fixes',
};

/** The visits as CSV; times are UTC. */
export const toVisitsCsv = ({ units, visits }: Pick<VisitsAnswer, 'units' | 'visits'>): string => {
  const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  return toCsvFile([
    COLUMNS,
    ...visits.map(({ unit, afterMs, firstMs, lastMs, beforeMs, fixes, certainty }) => {
      const identity = units[unit]!;
      return [
        ...[unitName(identity), identity.vin],
        ...[afterMs, firstMs, lastMs, beforeMs].map(timeOf),
        ...[fixes, CERTAINTY_NAMES[certainty]],
      ];
    }),
  ]);
};
