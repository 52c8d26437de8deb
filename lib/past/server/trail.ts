import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { formatWhole } from '@/lib/view/format';
import { daysWithin } from '@/lib/trips/days';
import {
  LEAD_MS,
  MOST_FIXES,
  encodeFixes,
  type RecordedDays,
  type TrailAnswer,
  type TrailFix,
} from '../schema';
import type { HistoryReader } from './history-reader';
import { DAY_MS, type TimeRange } from '@/lib/base/time';

/** Whether a silence at the end of a range lasts is known only after it. */
const TAIL_MS = DEFAULT_MOTION_SETTINGS.silentAfterMs;
/** Only a unit with more than a fix a second has too many in a shorter range. */
const COUNTED_FROM_MS = MOST_FIXES * 1000;
/** The first recorded day may be this long ago. */
const OLDEST_MS = 3 * 366 * DAY_MS;

/** What is read for a range: its beginning and end are known by what is around them. */
export const toReadRange = ({ fromMs, toMs }: TimeRange): [fromMs: number, toMs: number] => [
  fromMs - LEAD_MS,
  toMs + TAIL_MS,
];

/** The fixes of a range and those about it, day by day. */
export async function* readTrailPieces(
  readTrail: (fromMs: number, toMs: number) => Promise<TrailFix[]>,
  range: TimeRange,
): AsyncGenerator<TrailFix[]> {
  const [fromMs, toMs] = toReadRange(range);
  for (let atMs = fromMs; atMs < toMs; atMs += DAY_MS) yield readTrail(atMs, Math.min(toMs, atMs + DAY_MS));
}

const requireReadable = (count: number): void => {
  if (count > MOST_FIXES)
    throw new AppError('range-too-long', {
      detail: `The range has more than ${formatWhole(MOST_FIXES)} fixes. Choose a shorter range.`,
    });
};

/** The fixes and the coverage of a range. @throws AppError 'range-too-long' */
export const readTrailAnswer = async (
  history: Pick<HistoryReader, 'countTrail' | 'readTrail' | 'readCoverage'>,
  usdot: string,
  unit: string,
  range: TimeRange,
  nowMs: number,
): Promise<TrailAnswer> => {
  const [fromMs, toMs] = toReadRange(range);
  if (toMs - fromMs > COUNTED_FROM_MS) requireReadable(await history.countTrail(usdot, unit, fromMs, toMs));
  // Reading the fixes finds the files that are damaged, which the coverage has.
  const fixes = await history.readTrail(usdot, unit, fromMs, toMs);
  const coverage = await history.readCoverage(usdot, fromMs, toMs);
  requireReadable(fixes.length);
  return { nowMs, fixes: encodeFixes(fixes), coverage };
};

/** The days of a zone in which the provider's answers were recorded. */
export const readRecordedDays = async (
  history: Pick<HistoryReader, 'readCoverage'>,
  usdot: string,
  zone: string,
  nowMs: number,
): Promise<RecordedDays> => {
  const coverage = await history.readCoverage(usdot, nowMs - OLDEST_MS, nowMs + TAIL_MS);
  const days = new Set<string>();
  for (const { state, fromMs, toMs } of coverage)
    if (state === 'answered') for (const day of daysWithin(fromMs, toMs, zone)) days.add(day);
  return { days: [...days].sort() };
};
