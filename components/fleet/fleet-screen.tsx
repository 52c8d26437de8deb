'use client';

import { useElementSize } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import type { CSSProperties } from 'react';
import { flushSync } from 'react-dom';
import { useIsWallScreen } from '@/components/layout/viewer-context';
import { UNIT_LIST_ID } from '@/components/list/unit-list';
import { ListPane } from '@/components/list/list-pane';
import { useBusy, useHeldOrder } from '@/components/list/use-held-order';
import { MissingUnit } from '@/components/panel/missing-unit';
import { PANEL_HEADING_ID, UnitPanel } from '@/components/panel/unit-panel';
import type { FleetMapHandle, MapTiles } from '@/components/map/fleet-map-props';
import { filterRows } from '@/lib/view/filter';
import type { Bounds } from '@/lib/view/filter';
import { sortRows } from '@/lib/view/sort';
import { unitTitle } from '@/lib/view/unit-name';
import { findRow, readUnitRow } from '@/lib/view/unit-row';
import type { UnitRow } from '@/lib/view/unit-row';
import { useAnnounce } from '../ui/announcer';
import { CarrierHeading } from '../fleet-shell/carrier-heading';
import { useReading, useUsdot, useView, useViewActions, useViewStore } from '../fleet-state/fleet-context';
import styles from './fleet-screen.module.css';
import { MapPane } from './map-pane';
import { useHoldReload } from '../fleet-state/newer-build';
import { Notices } from '../fleet-shell/notices';
import { useOldCopy } from '../fleet-state/old-copy';
import { Sheet } from './sheet';
import type { Snap } from './sheet';
import { useFleetRows } from './use-fleet-rows';
import { useListKeys } from './use-list-keys';
import { useMapPadding } from './use-map-padding';
import { usePreparedSearch } from './use-prepared-search';
import { useViewAddress } from '../fleet-state/use-view-address';

/** Between the notices and a panel that has to stand under them. */
const NOTICES_GAP_PX = 8;

const focusOn = (id: string): void => document.getElementById(id)?.focus();

/** The map, its list and its panel: one fleet, one view of it. */
export const FleetScreen = ({ tiles }: { tiles: MapTiles | null }) => {
  const isAddressRead = useViewAddress();
  const usdot = useUsdot();
  const { fleet, failure } = useReading();
  const old = useOldCopy();
  const view = useView();
  const actions = useViewActions();
  const router = useRouter();
  const announce = useAnnounce();
  const isWallScreen = useIsWallScreen();
  const store = useViewStore();
  const map = useRef<FleetMapHandle>(null);

  const [bounds, setBounds] = useState<Bounds | null>(null);
  const [flight, setFlight] = useState<{ row: number } | null>(null);
  const [followedKey, setFollowedKey] = useState<string | null>(null);
  const [chosenListSnap, setListSnap] = useState<Snap | null>(null);
  const [panelSnap, setPanelSnap] = useState<Snap>('half');

  // On a phone the reason for an empty map stands in the sheet.
  const isNothingToShow =
    fleet === null ? failure !== null : fleet.identities.every((identity) => identity === null);
  const listSnap = chosenListSnap ?? (isNothingToShow ? 'half' : 'peek');

  // Only when the panel has made its room does the map know where the middle is.
  useEffect(() => {
    if (flight !== null) map.current?.flyToRow(flight.row);
  }, [flight]);

  usePreparedSearch(fleet);
  const rows = useFleetRows(fleet, view, bounds);
  const [isBusy, touch] = useBusy();
  const epoch = fleet?.version.split('.')[0] ?? '';
  const question = [
    epoch,
    view.query,
    view.statuses.join(),
    view.reasons.join(),
    view.flagged,
    view.flags.join(),
    view.inView,
    view.sort,
  ].join('|');
  const shown = useHeldOrder(rows.listed, isBusy, question);

  const selectedRow = useMemo(() => {
    const row = fleet === null || view.unit === null ? -1 : findRow(fleet, view.unit);
    return row < 0 ? null : row;
  }, [fleet, view.unit]);
  const selected = fleet === null || selectedRow === null ? null : readUnitRow(fleet, selectedRow);
  const isMissing = view.unit !== null && selected === null && fleet?.feed.fetchedAtMs != null;
  const isPanelOpen = selected !== null || isMissing;
  useHoldReload(followedKey !== null);

  const { ref: screen, height: heightPx } = useElementSize();
  const { ref: notices, height: noticesPx } = useElementSize();
  const padding = useMapPadding({
    isPanelOpen,
    snap: isPanelOpen ? panelSnap : listSnap,
    heightPx,
    noticesPx,
  });

  const selectRow = (row: number | null, by: 'choice' | 'browsing' = 'choice') => {
    const unit = fleet === null || row === null ? null : readUnitRow(fleet, row);
    actions.select(unit?.identity.key ?? null, by);
    if (unit !== null) announce(`${unitTitle(unit.identity)} selected`);
  };
  const goTo = (unit: UnitRow) => {
    if (unit.row === selectedRow) map.current?.flyToRow(unit.row);
    else selectRow(unit.row);
  };
  const findFirst = () => {
    if (fleet === null) return;
    // The key may come before what was typed is listed, and a list under the pointer is not in its order.
    const now = store.read();
    const [row] = sortRows(fleet, filterRows(fleet, now), now.sort);
    if (row === undefined) return;
    selectRow(row);
    setFlight({ row });
    focusOn(UNIT_LIST_ID);
  };
  const closePanel = () => {
    // On a phone the list is not there before the panel is gone.
    flushSync(() => actions.select(null));
    focusOn(UNIT_LIST_ID);
  };

  useListKeys({
    rows: shown,
    selectedRow,
    onGo: (row) => {
      touch();
      selectRow(row, 'browsing');
    },
    onOpen: () => {
      const vin = selected?.identity.vin;
      if (vin && !isWallScreen) {
        store.leave();
        router.push(`/fleets/${usdot}/units/${encodeURIComponent(vin)}`);
      } else if (isPanelOpen) focusOn(PANEL_HEADING_ID);
    },
    onClose: () => {
      if (isPanelOpen) closePanel();
      else if (view.query !== '') actions.search('');
    },
    onFound: findFirst,
    onFit: () => map.current?.fitFleet(),
    focusList: () => focusOn(UNIT_LIST_ID),
  });

  return (
    <div
      ref={screen}
      className={styles.screen}
      data-panel={isPanelOpen}
      data-old={old?.state}
      style={{ '--lh-notices': `${noticesPx === 0 ? 0 : noticesPx + NOTICES_GAP_PX}px` } as CSSProperties}
    >
      <h1 className="lh-unseen">Live map of USDOT {usdot}</h1>
      <Sheet
        className={styles.list}
        handle={<CarrierHeading />}
        name="the list"
        snap={listSnap}
        onSnap={setListSnap}
        isCovered={isPanelOpen}
      >
        <section className={styles.column} aria-label="List of units">
          <ListPane
            matched={rows.matched}
            bounds={bounds}
            shown={shown}
            question={question}
            selectedRow={selectedRow}
            onSelect={goTo}
            onTouch={touch}
          />
        </section>
      </Sheet>
      {isPanelOpen ? (
        <Sheet className={styles.panel} handle={null} name="the panel" snap={panelSnap} onSnap={setPanelSnap}>
          <aside className={styles.column} aria-labelledby={PANEL_HEADING_ID}>
            {selected === null || fleet === null ? (
              <MissingUnit unitKey={view.unit ?? ''} onClose={closePanel} />
            ) : (
              <UnitPanel
                key={selected.identity.key}
                unit={selected}
                version={fleet.version}
                isFollowed={followedKey === view.unit}
                onFollow={(isFollowed) => setFollowedKey(isFollowed ? view.unit : null)}
                onClose={closePanel}
              />
            )}
          </aside>
        </Sheet>
      ) : null}
      <section className={styles.map} aria-label="Map">
        {isAddressRead ? (
          <MapPane
            map={map}
            rows={rows.matched}
            selected={selected}
            isFollowing={followedKey !== null && selected !== null && followedKey === view.unit}
            padding={padding}
            tiles={tiles}
            onSelect={selectRow}
            onLetGo={() => setFollowedKey(null)}
            onMove={(place, seen) => {
              actions.moveMap(place);
              startTransition(() => setBounds(seen));
            }}
          />
        ) : null}
        <div className={styles.notices}>
          <div ref={notices}>
            <Notices />
          </div>
        </div>
      </section>
    </div>
  );
};
