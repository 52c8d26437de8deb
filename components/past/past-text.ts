import { reasonPhrase } from '@/lib/past/text';
import { formatDayAndTime, formatMinute } from '@/lib/view/format';
import type { CoverageGap } from '@/lib/view/past-day';

const toReason = ({ state, problem }: CoverageGap): string =>
  state === 'none' ? 'this fleet was not recorded' : reasonPhrase({ state, problem });

/** "1:10 PM to 2:02 PM: Linehaul was not running". */
export const gapText = (gap: CoverageGap): string =>
  `${formatMinute(gap.fromMs)} to ${formatMinute(gap.toMs)}: ${toReason(gap)}`;

/** Why nothing is shown of a moment: "Nothing was recorded at Tue, Nov 17, 1:36 PM CST: Linehaul was not running." */
export const notRecordedText = (atMs: number, gap: CoverageGap | null, nowMs: number): string =>
  `Nothing was recorded at ${formatDayAndTime(atMs, nowMs)}${gap === null ? '' : `: ${toReason(gap)}`}.`;
