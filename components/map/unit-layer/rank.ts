import { NO_POSITION } from '@/lib/wire/fleet';
import { STATUSES } from '@/lib/wire/status';
import type { Fleet } from '@/lib/wire/fleet';
import type { Status } from '@/lib/wire/status';

/** How much a unit wants to be seen. 0: it is not on the map. */
export const HIDDEN = 0;
export const FLAGGED_RANK = 6;
export const SELECTED_RANK = 7;
const RANK_OF_STATUS: Record<Status, number> = { unknown: 1, stopped: 2, moving: 3, silent: 4, late: 5 };
const RANKS = STATUSES.map((status) => RANK_OF_STATUS[status]);

/**
 * Ranks every row of a fleet for the map, into `ranks`; those not in `visible` (null: all are) are hidden,
 * but for the selected one. Returns how many rows are on the map.
 */
export const rankRows = (
  fleet: Fleet,
  visible: Uint8Array | null,
  selectedRow: number | null,
  ranks: Uint8Array,
): number => {
  const { latE5, status, flags } = fleet.columns;
  let plotted = 0;
  for (let row = 0; row < fleet.rows; row++) {
    ranks[row] = HIDDEN;
    // So is a row without a unit.
    if (latE5[row] === NO_POSITION) continue;
    if (row === selectedRow) ranks[row] = SELECTED_RANK;
    else if (visible !== null && visible[row] !== 1) continue;
    else ranks[row] = flags[row] === 0 ? (RANKS[status[row]!] ?? 1) : FLAGGED_RANK;
    plotted++;
  }
  ranks.fill(HIDDEN, fleet.rows);
  return plotted;
};
