import { keepRows, readAllRows } from '@/lib/view/rows';
import { sortRows } from '@/lib/view/sort';
import { formatAge, formatMinute, formatMoment } from '@/lib/view/format';
import { DAY_MS } from '@/lib/base/time';
import { FLAG_LABELS, STATUS_LABELS } from '@/lib/view/text';
import { STATUSES } from '@/lib/motion/status';
import type { UnitRow } from '@/lib/view/unit-row';
import type { Fleet } from '@/lib/wire/fleet';

const [LATE, SILENT] = [STATUSES.indexOf('late'), STATUSES.indexOf('silent')];

/** The rows of the units that are late, silent or flagged: those that do not report first, however grave the flag of another. */
export const listAttention = (fleet: Fleet): Int32Array => {
  const { status, flags } = fleet.columns;
  const rows = keepRows(
    readAllRows(fleet),
    (row) => status[row] === LATE || status[row] === SILENT || flags[row] !== 0,
  );
  const sorted = sortRows(fleet, rows, 'attention');
  const isMute = (row: number): boolean => status[row] === LATE || status[row] === SILENT;
  return Int32Array.from([...sorted.filter(isMute), ...sorted.filter((row) => !isMute(row))]);
};

/** What is wrong with a unit in few words, and how old the fix is of one that is late or silent: "silent 3 h", "Clock fault". */
export const problemText = ({ status, flags, fixAtMs }: UnitRow, nowMs: number): string => {
  const [flag] = flags;
  if (status !== 'late' && status !== 'silent' && flag !== undefined) return FLAG_LABELS[flag];
  const text = STATUS_LABELS[status].toLowerCase();
  return fixAtMs === null ? text : `${text} ${formatAge(nowMs - fixAtMs)}`;
};

/** A place by its town first, which locates it: "Newnan, GA · 3 mi E". */
export const townFirst = (place: string): string =>
  place.replace(/^(\d[\d.,]* \w+ [NSEW]{1,2}) of (.+)$/, '$2 · $1');

/** The time of the last 24 hours, without its day: "9:45 PM"; an older one with it. */
export const agoTime = (atMs: number, nowMs: number): string =>
  nowMs - atMs < DAY_MS ? formatMinute(atMs) : formatMoment(atMs, nowMs);

/** Where and when a unit was seen last. Times are of the browser's clock. */
export const seenTexts = (
  { fixAtMs }: UnitRow,
  place: string | null,
  nowMs: number,
  skewMs: number,
): { place: string | null; time: string } =>
  fixAtMs === null
    ? { place: 'No fix so far', time: '' }
    : { place, time: agoTime(fixAtMs - skewMs, nowMs - skewMs) };
