import { DAY_MS, HOUR_MS } from '@/lib/base/time';
import type { RulePreview } from '@/lib/rules/alert-rule';

const WEEK_MS = 7 * DAY_MS;

/** "2 days", "3.8 days", "5 hours", and without a number where there is one. */
const spanText = (ms: number): string => {
  if (ms < DAY_MS) {
    const hours = Math.max(1, Math.round(ms / HOUR_MS));
    return hours === 1 ? 'hour' : `${hours} hours`;
  }
  const days = Math.round((ms / DAY_MS) * 10) / 10;
  return days === 1 ? 'day' : `${days} days`;
};

/** The time for which a rule was tried on the recording: "in the 2 days recorded since Nov 27, 2:15 AM". */
export const recordedText = (
  { fromMs, recordedMs }: Pick<RulePreview, 'fromMs' | 'recordedMs'>,
  moment: (ms: number) => string,
): string =>
  recordedMs > WEEK_MS - HOUR_MS
    ? 'in the last 7 days'
    : `in the ${spanText(recordedMs)} recorded since ${moment(fromMs)}`;
