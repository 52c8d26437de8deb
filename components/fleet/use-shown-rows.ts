import type { Bounds } from '@/lib/geo/geodesy';
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { useSiteNames } from '@/components/fleet-state/sites';
import type { ChosenView } from '@/components/fleet-state/view-store';
import { bestFirst, prepareSearch, type SiteNames } from '@/lib/view/search';
import { filterRows, rowsInBounds } from '@/lib/view/filter';
import { holdOrder, sortRows } from '@/lib/view/sort';
import type { MapCamera } from '@/lib/view/view-state';
import type { Fleet } from '@/lib/wire/fleet';

const BUSY_MS = 4000;
/** A slice that no frame notices, and how long to wait for the next. */
const SLICE_MS = 4;
const PAUSE_MS = 16;

interface FleetRows {
  /** The rows that pass filter and search, ascending: those on the map. */
  matched: Int32Array;
  /** The rows of the list, in its order. */
  listed: Int32Array;
}

const NONE = new Int32Array(0);

/** What the list and the map show of the fleet; `kept`: the rows to which a panel limits them, null: all. */
export const useShownRows = (fleet: Fleet | null, kept: Int32Array | null) => {
  const view = useView();
  const actions = useViewActions();
  const [bounds, setBounds] = useState<Bounds | null>(null);
  usePreparedSearch(fleet);
  const rows = useFleetRows(fleet, view, bounds, useSiteNames(), kept);
  const [isBusy, touch] = useBusy();
  // Another search, filter or order applies at once, however busy the list is.
  const listKey = [
    fleet?.version.split('.')[0] ?? '',
    view.query,
    view.statuses.join(),
    view.reasons.join(),
    view.flagged,
    view.flags.join(),
    view.tags.join(),
    view.loads.join(),
    view.sites.join(),
    view.inView,
    view.sort,
    kept === null,
  ].join('|');
  const onMove = (camera: MapCamera, seen: Bounds): void => {
    actions.moveMap(camera);
    startTransition(() => setBounds(seen));
  };
  return {
    matched: rows.matched,
    shown: useHeldOrder(rows.listed, isBusy, listKey),
    listKey,
    bounds,
    touch,
    onMove,
  };
};

const useFleetRows = (
  fleet: Fleet | null,
  view: ChosenView,
  bounds: Bounds | null,
  siteNames: SiteNames | null,
  kept: Int32Array | null,
): FleetRows => {
  const { query, statuses, reasons, flagged, flags, tags, sites, loads, inView: onlyInView, sort } = view;
  const matched = useMemo(
    () =>
      fleet === null
        ? NONE
        : filterRows(fleet, { statuses, reasons, flagged, flags, tags, sites, loads, query }, siteNames),
    [fleet, statuses, reasons, flagged, flags, tags, sites, loads, query, siteNames],
  );
  const listed = useMemo(() => {
    if (fleet === null) return NONE;
    const shown = kept ?? matched;
    const chosen = onlyInView && bounds !== null ? rowsInBounds(fleet, shown, bounds) : shown;
    return bestFirst(fleet, sortRows(fleet, chosen, sort, siteNames), query);
  }, [fleet, kept, matched, onlyInView, bounds, sort, siteNames, query]);
  return { matched, listed };
};

/** Prepares the search of a fleet in the background, before the user types. */
const usePreparedSearch = (fleet: Fleet | null): void => {
  useEffect(() => {
    if (fleet === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const prepareSome = (): void => {
      const endMs = performance.now() + SLICE_MS;
      if (prepareSearch(fleet, () => performance.now() < endMs)) return;
      timer = setTimeout(prepareSome, PAUSE_MS);
    };
    timer = setTimeout(prepareSome, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [fleet]);
};

/** Whether the user uses the list: holds a button on it, or has just moved the pointer, scrolled or pressed a key. */
const useBusy = (): readonly [isBusy: boolean, touch: (isPressed: boolean) => void] => {
  const [isBusy, setBusy] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const touch = useCallback((isPressed: boolean) => {
    setBusy(true);
    clearTimeout(timer.current);
    if (!isPressed) timer.current = setTimeout(() => setBusy(false), BUSY_MS);
  }, []);
  return [isBusy, touch];
};

/** Rows in order; while `isHeld` none moves from under the pointer, and another `listKey` applies at once. */
const useHeldOrder = (rows: Int32Array, isHeld: boolean, listKey: string): Int32Array => {
  const [held, setHeld] = useState({ rows, listKey, shown: rows });
  const isOld = held.rows !== rows || held.listKey !== listKey || (!isHeld && held.shown !== rows);
  if (!isOld) return held.shown;
  const shown = isHeld && held.listKey === listKey ? holdOrder(held.shown, rows) : rows;
  setHeld({ rows, listKey, shown });
  return shown;
};
