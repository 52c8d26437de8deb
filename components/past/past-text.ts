import { formatDayAndTime, formatMinute } from '@/lib/view/format';
import type { Gap } from '@/lib/view/past-day';

/** Why a time has no recording, as part of a sentence. */
const GAP_REASONS: Record<Gap['state'], string> = {
  failing: 'the provider did not answer',
  notRunning: 'Linehaul was not running',
  lost: 'the database was away, and what came could not be stored',
  none: 'this fleet was not recorded',
};

/** "13:10 to 14:02: Linehaul was not running". */
export const gapText = ({ fromMs, toMs, state }: Gap): string =>
  `${formatMinute(fromMs)} to ${formatMinute(toMs)}: ${GAP_REASONS[state]}`;

/** Why nothing is shown of a moment: "Nothing was recorded at Tue, Nov 17, 13:36 CST: Linehaul was not running." */
export const notRecordedText = (atMs: number, gap: Gap | null): string =>
  `Nothing was recorded at ${formatDayAndTime(atMs)}${gap === null ? '' : `: ${GAP_REASONS[gap.state]}`}.`;

/** "Past · Tue, Nov 17, 13:36 CST". */
export const pastLabel = (atMs: number): string => `Past · ${formatDayAndTime(atMs)}`;
