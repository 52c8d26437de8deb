import { useElementSize } from '@mantine/hooks';
import type { Bounds } from '@/lib/geo/geodesy';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import {
  useReading,
  useUsdot,
  useView,
  useViewActions,
  useViewStore,
} from '@/components/fleet-state/fleet-context';
import { isMapShown } from '@/components/fleet-state/map-link';
import { useIsPastNamed } from '@/components/fleet-state/past';
import { useSiteNames } from '@/components/fleet-state/sites';
import { useHoldReload } from '@/components/fleet-state/newer-build';
import { UNIT_LIST_ID } from '@/components/list/unit-list';
import type { FleetMapHandle } from '@/components/map/fleet-map-props';
import { PANEL_HEADING_ID } from '@/components/panel/panel-heading';
import { useAnnounce } from '@/components/ui/announcer';
import { bestFirst } from '@/lib/view/search';
import { useShortcuts } from '@/components/ui/shortcuts';
import { filterRows } from '@/lib/view/filter';
import { sortRows } from '@/lib/view/sort';
import { unitTitle } from '@/lib/view/unit-name';
import { findRow, readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { NearPlace, ViewState } from '@/lib/view/view-state';
import type { Fleet } from '@/lib/wire/fleet';
import { useSheets } from './use-sheets';
import { useShownRows } from './use-shown-rows';

const focusOn = (id: string): void => document.getElementById(id)?.focus();

const useSelection = (fleet: Fleet | null, map: RefObject<FleetMapHandle | null>) => {
  const siteNames = useSiteNames();
  const { unit: key } = useView();
  const actions = useViewActions();
  const store = useViewStore();
  const announce = useAnnounce();
  const [flight, setFlight] = useState<{ row: number } | null>(null);
  const [followedKey, setFollowedKey] = useState<string | null>(null);
  // A unit that is selected again later is not followed by itself.
  if (followedKey !== null && followedKey !== key) setFollowedKey(null);
  // After the render in which the panel opened: the map's middle depends on it.
  useEffect(() => {
    if (flight !== null) map.current?.flyToRow(flight.row);
  }, [flight, map]);

  const row = useMemo(() => {
    const found = fleet === null || key === null ? -1 : findRow(fleet, key);
    return found < 0 ? null : found;
  }, [fleet, key]);
  const unit = fleet === null || row === null ? null : readUnitRow(fleet, row);
  const isFollowed = unit !== null && followedKey === key;
  useHoldReload(isFollowed);
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
    isFollowed,
    follow: (isOn: boolean) => setFollowedKey(isOn ? key : null),
    select,
    goTo: (next: UnitRow) => (next.row === row ? map.current?.flyToRow(next.row) : select(next.row)),
    selectFirst: () => {
      if (fleet === null) return;
      // From the store: Enter may come before the typed query has been rendered.
      const now = store.read();
      const sorted = sortRows(fleet, filterRows(fleet, now, siteNames), now.sort, siteNames);
      const [first] = bestFirst(fleet, sorted, now.query);
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

const useNear = (map: RefObject<FleetMapHandle | null>) => {
  const { near: place } = useView();
  const { showNear } = useViewActions();
  const store = useViewStore();
  const showCenter = (): void => {
    const { camera } = store.read();
    if (camera !== null) showNear({ lat: camera.lat, lng: camera.lng, name: null });
  };
  useShortcuts({ d: showCenter }, isMapShown);
  const [rows, setRows] = useState<Int32Array | null>(null);
  return {
    place,
    /** The rows among which the nearest are listed; null: those of the list. */
    rows,
    setRows,
    show: showNear,
    showCenter,
    /** Lists the units about another place, and shows it with the nearest of them, within `bounds`, on the map. */
    goTo: (near: NearPlace, bounds: Parameters<FleetMapHandle['fit']>[0]): void => {
      showNear(near);
      map.current?.fit(bounds);
    },
    close: (): void => {
      // On a phone the list is rendered only once the panel is gone.
      flushSync(() => showNear(null));
      focusOn(UNIT_LIST_ID);
    },
  };
};

/** The bar that turns the screen back: open by the user's wish, and always while the past is shown. */
export const useTimeBar = (isOffered: boolean) => {
  const store = useViewStore();
  const { showPast } = useViewActions();
  const [isOpened, setOpened] = useState(false);
  const isNamed = useIsPastNamed(store);
  const isOpen = isNamed || (isOpened && isOffered);
  const { ref, height } = useElementSize();
  const close = (): void => {
    setOpened(false);
    if (store.read().past !== null) showPast(null, 'step');
  };
  const toggle = (): void => (isOpen ? close() : setOpened(true));
  useShortcuts(isOffered ? { p: toggle } : {}, isMapShown);
  return { isOffered, isOpen, ref, heightPx: isOpen ? height : 0, close, toggle };
};

export type TimeBarState = Omit<ReturnType<typeof useTimeBar>, 'ref'>;

/** The state of the live screen: the selection, the camera, the sheets and the keyboard. */
export const useFleetController = (timeBar: TimeBarState) => {
  const usdot = useUsdot();
  const { fleet } = useReading();
  const store = useViewStore();
  const actions = useViewActions();
  const map = useRef<FleetMapHandle>(null);
  const near = useNear(map);
  const list = useShownRows(fleet, near.rows);
  const selection = useSelection(fleet, map);
  const isPanelOpen = selection.isPanelOpen || near.place !== null;
  const { screenRef, noticesRef, ...sheets } = useSheets(fleet, isPanelOpen, timeBar.heightPx);
  // An address, as on "back" or when the user returns to the map, may hold another place than the one that was left.
  useEffect(
    () =>
      store.subscribe(({ camera }, change) => {
        if (change === 'address' && camera !== null) map.current?.goTo(camera);
      }),
    [store],
  );

  const [wanted, setWanted] = useState<{ bounds: Bounds } | null>(null);
  useEffect(() => store.onBounds((bounds) => setWanted({ bounds })), [store]);
  // After the render in which the panel opened: the map's middle depends on it.
  useEffect(() => {
    if (wanted === null) return;
    map.current?.fit(wanted.bounds);
    // As after a search: Enter opens the truck's page.
    if (store.read().unit !== null) focusOn(UNIT_LIST_ID);
  }, [wanted, store]);

  const keys = {
    rows: list.shown,
    selectedRow: selection.row,
    onMove: (row: number) => {
      list.touch(false);
      selection.select(row, 'browsing');
    },
    onOpen: (openPage: (href: string) => void) => {
      const vin = selection.unit?.identity.vin;
      if (vin) openPage(`/fleets/${usdot}/units/${encodeURIComponent(vin)}`);
      else if (selection.isPanelOpen) focusOn(PANEL_HEADING_ID);
    },
    onClose: () => {
      if (selection.isPanelOpen) selection.close();
      else if (near.place !== null) near.close();
      else if (store.read().query !== '') actions.search('');
      else timeBar.close();
    },
    onSearchEnter: selection.selectFirst,
    onFit: () => map.current?.fitFleet(),
    focusList: () => focusOn(UNIT_LIST_ID),
  };

  const openView = (view: ViewState): void => {
    actions.openView(view);
    if (view.camera !== null) map.current?.goTo(view.camera);
  };
  return { fleet, map, screenRef, noticesRef, list, selection, near, sheets, keys, openView };
};
