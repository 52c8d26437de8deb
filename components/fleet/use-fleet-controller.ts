import { useElementSize } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import {
  useReading,
  useUsdot,
  useView,
  useViewActions,
  useViewStore,
} from '@/components/fleet-state/fleet-context';
import { useHoldReload } from '@/components/fleet-state/newer-build';
import { useIsWallScreen } from '@/components/layout/viewer-context';
import { UNIT_LIST_ID } from '@/components/list/unit-list';
import { useBusy, useHeldOrder } from '@/components/list/use-held-order';
import type { FleetMapHandle } from '@/components/map/fleet-map-props';
import { PANEL_HEADING_ID } from '@/components/panel/unit-panel';
import { useAnnounce } from '@/components/ui/announcer';
import { filterRows } from '@/lib/view/filter';
import type { Bounds } from '@/lib/view/filter';
import { sortRows } from '@/lib/view/sort';
import { unitTitle } from '@/lib/view/unit-name';
import { findRow, readUnitRow } from '@/lib/view/unit-row';
import type { UnitRow } from '@/lib/view/unit-row';
import type { MapPlace } from '@/lib/view/view-state';
import type { Fleet } from '@/lib/wire/fleet';
import type { Snap } from './sheet';
import { useFleetRows } from './use-fleet-rows';
import { useListKeys } from './use-list-keys';
import { useMapPadding } from './use-map-padding';
import { usePreparedSearch } from './use-prepared-search';

const focusOn = (id: string): void => document.getElementById(id)?.focus();

/** What the list and the map show of the fleet. */
const useShownRows = (fleet: Fleet | null) => {
  const view = useView();
  const actions = useViewActions();
  const [bounds, setBounds] = useState<Bounds | null>(null);
  usePreparedSearch(fleet);
  const rows = useFleetRows(fleet, view, bounds);
  const [isBusy, touch] = useBusy();
  // Another question is answered in its own order at once, however busy the list is.
  const question = [
    fleet?.version.split('.')[0] ?? '',
    view.query,
    view.statuses.join(),
    view.reasons.join(),
    view.flagged,
    view.flags.join(),
    view.inView,
    view.sort,
  ].join('|');
  const onMove = (place: MapPlace, seen: Bounds): void => {
    actions.moveMap(place);
    startTransition(() => setBounds(seen));
  };
  return {
    matched: rows.matched,
    shown: useHeldOrder(rows.listed, isBusy, question),
    question,
    bounds,
    touch,
    onMove,
  };
};

/** The selected unit, and the ways to select another. */
const useSelection = (fleet: Fleet | null, map: RefObject<FleetMapHandle | null>) => {
  const { unit: key } = useView();
  const actions = useViewActions();
  const store = useViewStore();
  const announce = useAnnounce();
  const [flight, setFlight] = useState<{ row: number } | null>(null);
  const [followedKey, setFollowedKey] = useState<string | null>(null);
  useHoldReload(followedKey !== null);
  // After the render in which the panel opened: the map's middle depends on it.
  useEffect(() => {
    if (flight !== null) map.current?.flyToRow(flight.row);
  }, [flight, map]);

  const row = useMemo(() => {
    const found = fleet === null || key === null ? -1 : findRow(fleet, key);
    return found < 0 ? null : found;
  }, [fleet, key]);
  const unit = fleet === null || row === null ? null : readUnitRow(fleet, row);
  const isMissing = key !== null && unit === null && fleet?.feed.fetchedAtMs != null;

  const select = (next: number | null, by: 'choice' | 'browsing' = 'choice'): void => {
    const chosen = fleet === null || next === null ? null : readUnitRow(fleet, next);
    actions.select(chosen?.identity.key ?? null, by);
    if (chosen !== null) announce(`${unitTitle(chosen.identity)} selected`);
  };
  return {
    key,
    row,
    unit,
    isMissing,
    isPanelOpen: unit !== null || isMissing,
    isFollowed: followedKey !== null && followedKey === key,
    follow: (isFollowed: boolean) => setFollowedKey(isFollowed ? key : null),
    select,
    goTo: (next: UnitRow) => (next.row === row ? map.current?.flyToRow(next.row) : select(next.row)),
    selectFirst: () => {
      if (fleet === null) return;
      // From the store: Enter may come before the typed query has been rendered.
      const now = store.read();
      const [first] = sortRows(fleet, filterRows(fleet, now), now.sort);
      if (first === undefined) return;
      select(first);
      setFlight({ row: first });
      focusOn(UNIT_LIST_ID);
    },
    close: () => {
      // On a phone the list is rendered only once the panel is gone.
      flushSync(() => actions.select(null));
      focusOn(UNIT_LIST_ID);
    },
  };
};
type Selection = ReturnType<typeof useSelection>;

/** The heights of the sheets on a phone, and what the notices and the panel cover of the map. */
const useSheets = (fleet: Fleet | null, { isPanelOpen }: Selection) => {
  const { failure } = useReading();
  const [chosenSnap, setListSnap] = useState<Snap | null>(null);
  const [panelSnap, setPanelSnap] = useState<Snap>('half');
  // On a phone the sheet gives the reason for an empty map.
  const isEmpty = fleet === null ? failure !== null : fleet.identities.every((identity) => identity === null);
  const listSnap = chosenSnap ?? (isEmpty ? 'half' : 'peek');
  const { ref: screenRef, height: heightPx } = useElementSize();
  const { ref: noticesRef, height: noticesPx } = useElementSize();
  const snap = isPanelOpen ? panelSnap : listSnap;
  const padding = useMapPadding({ isPanelOpen, snap, heightPx, noticesPx });
  return { screenRef, noticesRef, noticesPx, padding, listSnap, setListSnap, panelSnap, setPanelSnap };
};

/** The state of the live screen: the selection, the camera, the sheets and the keyboard. */
export const useFleetController = () => {
  const usdot = useUsdot();
  const { fleet } = useReading();
  const router = useRouter();
  const store = useViewStore();
  const actions = useViewActions();
  const isWallScreen = useIsWallScreen();
  const map = useRef<FleetMapHandle>(null);
  const list = useShownRows(fleet);
  const selection = useSelection(fleet, map);
  const { screenRef, noticesRef, ...sheets } = useSheets(fleet, selection);

  useListKeys({
    rows: list.shown,
    selectedRow: selection.row,
    onGo: (row) => {
      list.touch();
      selection.select(row, 'browsing');
    },
    onOpen: () => {
      const vin = selection.unit?.identity.vin;
      if (vin && !isWallScreen) {
        store.leave();
        router.push(`/fleets/${usdot}/units/${encodeURIComponent(vin)}`);
      } else if (selection.isPanelOpen) focusOn(PANEL_HEADING_ID);
    },
    onClose: () => {
      if (selection.isPanelOpen) selection.close();
      else if (store.read().query !== '') actions.search('');
    },
    onFound: selection.selectFirst,
    onFit: () => map.current?.fitFleet(),
    focusList: () => focusOn(UNIT_LIST_ID),
  });

  return { fleet, map, screenRef, noticesRef, list, selection, sheets };
};
