import { keepRows, readAllRows } from '@/lib/view/rows';
import { sortRows } from '@/lib/view/sort';
import { formatAge, formatMoment } from '@/lib/view/format';
import { FLAG_LABELS, STATUS_LABELS } from '@/lib/view/text';
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

/** What is wrong with a unit in few words, and how old the fix is of one that is late or silent: "silent 3 h", "Clock fault". */
export const problemText = ({ status, flags, fixAtMs }: UnitRow, nowMs: number): string => {
  const [flag] = flags;
  if (status !== 'late' && status !== 'silent' && flag !== undefined) return FLAG_LABELS[flag];
  const text = STATUS_LABELS[status].toLowerCase();
  return fixAtMs === null ? text : `${text} ${formatAge(nowMs - fixAtMs)}`;
};

/** When and where a unit was seen last: "1:26 PM · 3 mi E of Newnan, GA". Times are of the browser's clock. */
export const seenText = ({ fixAtMs }: UnitRow, place: string | null, nowMs: number, skewMs: number): string =>
  fixAtMs === null
    ? 'No fix so far'
    : [formatMoment(fixAtMs - skewMs, nowMs - skewMs), place].filter(Boolean).join(' · ');
