import { useMemo } from 'react';
import { filterRows, rowsInBounds } from '@/lib/view/filter';
import type { Bounds } from '@/lib/view/filter';
import { sortRows } from '@/lib/view/sort';
import type { Fleet } from '@/lib/wire/fleet';
import type { ChosenView } from '../fleet-state/view-store';

/** Row numbers of the units in the view. */
export interface FleetRows {
  /** The rows that pass filter and search, ascending: those on the map. */
  matched: Int32Array;
  /** The rows of the list, in its order. */
  listed: Int32Array;
}

const NONE = new Int32Array(0);

/** The rows that a view shows of a fleet, memoized. */
export const useFleetRows = (fleet: Fleet | null, view: ChosenView, bounds: Bounds | null): FleetRows => {
  const { query, statuses, reasons, flagged, flags, inView: onlyInView, sort } = view;
  const matched = useMemo(
    () => (fleet === null ? NONE : filterRows(fleet, { statuses, reasons, flagged, flags, query })),
    [fleet, statuses, reasons, flagged, flags, query],
  );
  const listed = useMemo(() => {
    if (fleet === null) return NONE;
    const chosen = onlyInView && bounds !== null ? rowsInBounds(fleet, matched, bounds) : matched;
    return sortRows(fleet, chosen, sort);
  }, [fleet, matched, onlyInView, bounds, sort]);
  return { matched, listed };
};
