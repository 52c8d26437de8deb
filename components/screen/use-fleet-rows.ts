import { useMemo } from 'react';
import { filterRows, rowsInBounds } from '@/lib/view/filter';
import type { Bounds } from '@/lib/view/filter';
import { sortRows } from '@/lib/view/sort';
import type { ViewState } from '@/lib/view/view-state';
import type { Fleet } from '@/lib/wire/fleet';

/** Row numbers of what is looked at. */
export interface FleetRows {
  /** Every row that the filter and the search let through, ascending: what the map shows. */
  matched: readonly number[];
  /** Those of them that stand on the part of the map in sight. */
  inView: readonly number[];
  /** What the list shows, in its order. */
  listed: readonly number[];
}

const NONE: readonly number[] = [];

/** What a view shows of a fleet; worked out anew only by what changes it. */
export const useFleetRows = (fleet: Fleet | null, view: ViewState, bounds: Bounds | null): FleetRows => {
  const { query, statuses, flagged, inView: onlyInView, sort } = view;
  const matched = useMemo(
    () => (fleet === null ? NONE : filterRows(fleet, { statuses, flagged, query })),
    [fleet, statuses, flagged, query],
  );
  const inView = useMemo(
    () => (fleet === null || bounds === null ? matched : rowsInBounds(fleet, matched, bounds)),
    [fleet, matched, bounds],
  );
  const chosen = onlyInView ? inView : matched;
  const listed = useMemo(
    () => (fleet === null ? NONE : sortRows(fleet, chosen, sort)),
    [fleet, chosen, sort],
  );
  return { matched, inView, listed };
};
