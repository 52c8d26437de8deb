import 'server-only';
import { AppError } from '@/lib/http/problems';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { daysWithin } from '../days';
import { LEAD_MS, MOST_FIXES, encodeFixes } from '../schema';
import type { RecordedDays, TrailAnswer } from '../schema';
import type { HistoryReader } from './history-reader';

interface Range {
  fromMs: number;
  toMs: number;
}

/** Whether a silence at the end of a range lasts is known only after it. */
const TAIL_MS = DEFAULT_MOTION_SETTINGS.silentAfterMs;
/** The first recorded day may be this long ago. */
const OLDEST_MS = 3 * 366 * 86_400_000;

/** The fixes and the coverage of a range. @throws AppError 'range-too-long' */
export const readTrailAnswer = async (
  history: Pick<HistoryReader, 'readTrail' | 'readCoverage'>,
  usdot: string,
  unit: string,
  range: Range,
  nowMs: number,
): Promise<TrailAnswer> => {
  const [fromMs, toMs] = [range.fromMs - LEAD_MS, range.toMs + TAIL_MS];
  const [fixes, coverage] = await Promise.all([
    history.readTrail(usdot, unit, fromMs, toMs),
    history.readCoverage(usdot, fromMs, toMs),
  ]);
  if (fixes.length > MOST_FIXES)
    throw new AppError('range-too-long', {
      detail: `The range has more than ${MOST_FIXES.toLocaleString('en-US')} fixes. Choose a shorter range.`,
    });
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
