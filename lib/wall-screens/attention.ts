import { keepRows, readAllRows } from '@/lib/view/rows';
import { sortRows } from '@/lib/view/sort';
import { formatDuration, formatMoment } from '@/lib/view/format';
import { FLAG_LABELS, SILENT_LABELS, SILENT_REASONS, STATUS_LABELS } from '@/lib/view/text';
import { STATUSES } from '@/lib/motion/status';
import type { UnitRow } from '@/lib/view/unit-row';
import type { Fleet } from '@/lib/wire/fleet';

const [LATE, SILENT] = [STATUSES.indexOf('late'), STATUSES.indexOf('silent')];

/** The rows of the units that are late, silent or flagged, those that need a call first. */
export const listAttention = (fleet: Fleet): Int32Array => {
  const { status, flags } = fleet.columns;
  const rows = keepRows(
    readAllRows(fleet),
    (row) => status[row] === LATE || status[row] === SILENT || flags[row] !== 0,
  );
  return sortRows(fleet, rows, 'attention');
};

const stateText = ({ status, reason, flags }: UnitRow): string => {
  const silent = SILENT_REASONS.find((each) => each === reason);
  if (silent !== undefined) return SILENT_LABELS[silent];
  const [flag] = flags;
  return status === 'late' || flag === undefined ? STATUS_LABELS[status] : FLAG_LABELS[flag];
};

/** What is wrong with a unit, and for how long there was no fix of one that is late or silent: "late 12 min". */
export const problemText = (unit: UnitRow, nowMs: number): string => {
  const text = stateText(unit).toLowerCase();
  const isQuiet = unit.status === 'late' || unit.status === 'silent';
  return isQuiet && unit.fixAtMs !== null ? `${text} ${formatDuration(nowMs - unit.fixAtMs)}` : text;
};

/** Where and when a unit was seen last: "3 mi E of Newnan, GA · 1:26 PM". Times are of the browser's clock. */
export const seenText = ({ fixAtMs }: UnitRow, place: string | null, nowMs: number, skewMs: number): string =>
  fixAtMs === null
    ? 'No fix so far'
    : [place, formatMoment(fixAtMs - skewMs, nowMs - skewMs)].filter(Boolean).join(' · ');
