'use client';

import { Suspense, useEffect, useId, useState, type CSSProperties, type Ref } from 'react';
import { useFirstFleet, useIsHeld, useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useIsIdle } from '@/components/fleet-state/use-is-idle';
import { useIsAddressRead, useOpenPage } from '@/components/fleet-state/use-view-address';
import { CarrierHeading } from '@/components/fleet-shell/fleet-switcher';
import { Notices } from '@/components/fleet-shell/notices';
import { browserStore } from '@/lib/base/stored';
import { MapPlaceholder } from '@/components/map/fleet-map';
import { ListPane } from '@/components/list/list-pane';
import type { MapTiles } from '@/lib/map/schema';
import { PANEL_HEADING_ID } from '@/components/panel/panel-heading';
import { onDemand, usePreloadAtFirstInput } from '@/components/ui/popup/on-demand';
import { STATUSES } from '@/lib/motion/status';
import styles from './fleet-screen.module.css';
import { MapButtons, nearPanel, timeBarPart } from './map-buttons';
import { MapPane } from './map-pane';
import { Sheet } from './sheet';
import { useFleetController, useTimeBar } from './use-fleet-controller';
import { useListKeys } from './use-list-keys';

const checklist = onDemand(() =>
  import('@/components/getting-started/checklist').then(({ Checklist }) => Checklist),
);
const tour = onDemand(() => import('@/components/tour/tour').then(({ Tour }) => Tour));
const loadPanel = () => import('@/components/panel/unit-panel');
const unitPanel = onDemand(() => loadPanel().then(({ UnitPanel }) => UnitPanel));
const missingUnit = onDemand(() => loadPanel().then(({ MissingUnit }) => MissingUnit));

const TOUR_KEY = 'linehaul-tour';

/** Between the notices and a panel below them. */
const NOTICES_GAP_PX = 8;

interface FleetScreenProps {
  tiles: MapTiles | null;
  /** A manager may still have to set own trucks up. */
  hasChecklist: boolean;
  /** A first visit is offered a tour. */
  hasTour: boolean;
  /** The server records fleets: the screen can be turned back. */
  hasPast: boolean;
}

/** The live screen of a fleet: the map, its list and its panel. It stays as it was left while other pages cover it. */
export const FleetScreen = ({ tiles, hasChecklist, hasTour, hasPast }: FleetScreenProps) => {
  const isShown = !useIsHeld();
  const isAddressRead = useIsAddressRead();
  const usdot = useUsdot();
  useMapTitle(isShown, `USDOT ${usdot} · Linehaul`);
  const old = useOldCopy();
  const { past } = useReading();
  const { ref: timeBarRef, ...timeBar } = useTimeBar(hasPast);
  const controller = useFleetController(timeBar);
  const measuring = useMeasuring();
  const { map, screenRef, noticesRef, list, selection, sheets, near } = controller;
  usePreloadAtFirstInput(unitPanel.preload);
  const { noticesPx } = sheets;
  return (
    <div
      ref={screenRef}
      className={styles.screen}
      data-print="as-shown"
      data-panel={sheets.isPanelOpen}
      data-old={old?.state}
      data-past={past !== null}
      style={{ '--lh-notices': `${noticesPx === 0 ? 0 : noticesPx + NOTICES_GAP_PX}px` } as CSSProperties}
    >
      <h1 className="visually-hidden">
        {past === null ? 'Live map' : 'Past'} of USDOT {usdot}
      </h1>
      <ListKeys {...controller.keys} />
      <List {...controller} hasChecklist={hasChecklist} hasTour={hasTour} />
      {sheets.isPanelOpen ? <Panel {...controller} /> : null}
      <section className={styles.map} aria-label="Map">
        {isAddressRead ? (
          <MapPane
            map={map}
            rows={near.rows ?? list.matched}
            selected={selection.unit}
            isFollowing={selection.isFollowed}
            padding={sheets.padding}
            measuring={measuring.shown}
            buttons={<MapButtons timeBar={timeBar} measuring={measuring} onNear={near.showCenter} />}
            tiles={tiles}
            hasPast={hasPast}
            onSelectRow={selection.select}
            onFollowEnd={() => selection.follow(false)}
            onMove={list.onMove}
            onNear={(at) => near.show({ ...at, name: null })}
          />
        ) : (
          <MapPlaceholder tiles={tiles} />
        )}
        <FirstUnits />
        {timeBar.isOpen ? (
          <TimeBarArea ref={timeBarRef} bottomPx={sheets.timeBarBottomPx} onClose={timeBar.close} />
        ) : null}
        <NoticesArea ref={noticesRef} />
      </section>
    </div>
  );
};

/** The tool that measures on the map; the focus returns to its button. */
const useMeasuring = () => {
  const buttonId = useId();
  const [isOn, setOn] = useState(false);
  const end = (): void => {
    setOn(false);
    document.getElementById(buttonId)?.focus();
  };
  const toggle = (): void => (isOn ? end() : setOn(true));
  return { isOn, toggle, buttonId, shown: isOn ? { onEnd: end } : null };
};

/** The keys of the list, apart from the screen: whatever uses the router is rendered with each page that opens. */
const ListKeys = ({ onOpen, ...actions }: Controller['keys']) => {
  const openPage = useOpenPage();
  useListKeys({ ...actions, onOpen: () => onOpen(openPage) });
  return null;
};

interface TimeBarAreaProps {
  ref: Ref<HTMLDivElement>;
  bottomPx: number;
  onClose: () => void;
}

const TimeBarArea = ({ ref, bottomPx, onClose }: TimeBarAreaProps) => (
  <div ref={ref} className={styles.timeBar} style={{ bottom: bottomPx }}>
    <Suspense>
      <timeBarPart.Part onClose={onClose} />
    </Suspense>
  </div>
);

/** Where notices stand over the map; `ref` is measured for what stands below them. */
const NoticesArea = ({ ref }: { ref: Ref<HTMLDivElement> }) => (
  <div className={styles.notices}>
    <div ref={ref}>
      <Notices />
    </div>
  </div>
);

/** The units as of the HTML, as dots where the map is about to draw them; hidden once it has. */
const FirstUnits = () => {
  const [first] = useState(useFirstFleet()?.map ?? null);
  const { failure } = useReading();
  if (first === null || failure !== null) return null;
  const { size, paths } = first;
  return (
    <div className={styles.firstUnits} data-fitted={size !== null} aria-hidden="true">
      <svg viewBox={size === null ? undefined : `0 0 ${size.join(' ')}`}>
        {STATUSES.map((status) => (
          <path key={status} d={paths[status]} stroke={`var(--lh-${status})`} />
        ))}
      </svg>
    </div>
  );
};

/** Titles the page while the map is shown at an address that no request has titled. */
const useMapTitle = (isShown: boolean, title: string): void => {
  useEffect(() => {
    const before = document.title;
    if (!isShown || before === title) return;
    document.title = title;
    return () => {
      if (document.title === title) document.title = before;
    };
  }, [isShown, title]);
};

/** A tour for a browser that was not offered it before; it waits for the map. */
const FirstVisit = () => {
  const [isFirst] = useState(() => browserStore.get(TOUR_KEY) === null);
  const isIdle = useIsIdle();
  if (!isFirst || !isIdle) return null;
  return (
    <Suspense>
      <tour.Part onSeen={() => browserStore.set(TOUR_KEY, 'seen')} />
    </Suspense>
  );
};

type Controller = ReturnType<typeof useFleetController>;
type ListProps = Controller & Pick<FleetScreenProps, 'hasChecklist' | 'hasTour'>;

const List = ({ fleet, list, near, selection, sheets, hasChecklist, hasTour, openView }: ListProps) => (
  <Sheet
    className={styles.list}
    handle={<CarrierHeading />}
    name="the list"
    snap={sheets.listSnap}
    onSnap={sheets.setListSnap}
    isCovered={sheets.isPanelOpen}
  >
    <section className={styles.column} aria-label="List of trucks">
      {hasChecklist ? (
        <Suspense>
          <checklist.Part />
        </Suspense>
      ) : null}
      <ListPane
        isShown={sheets.isListShown}
        matched={near.rows ?? list.matched}
        bounds={list.bounds}
        shown={list.shown}
        listKey={list.listKey}
        selectedRow={selection.row}
        onSelect={selection.goTo}
        onTouch={list.touch}
        onOpenView={openView}
        // On a phone, what was chosen is seen.
        onFilter={() => sheets.listSnap === 'peek' && sheets.setListSnap('half')}
      />
      {hasTour && fleet?.feed.fetchedAtMs != null ? <FirstVisit /> : null}
    </section>
  </Sheet>
);

const Panel = (controller: Controller) => {
  const { sheets } = controller;
  return (
    <Sheet
      className={styles.panel}
      handle={null}
      name="the panel"
      snap={sheets.panelSnap}
      onSnap={sheets.setPanelSnap}
    >
      <aside className={styles.column} aria-labelledby={PANEL_HEADING_ID}>
        <Suspense>
          <PanelContent {...controller} />
        </Suspense>
      </aside>
    </Sheet>
  );
};

const PanelContent = ({ fleet, list, selection, near }: Controller) => {
  const { unit } = selection;
  if (!selection.isPanelOpen && near.place !== null)
    return (
      <nearPanel.Part
        near={near.place}
        fleet={fleet}
        rows={list.matched}
        onSelect={selection.select}
        onMove={near.goTo}
        onList={near.setRows}
        onClose={near.close}
      />
    );
  return unit === null || fleet === null ? (
    <missingUnit.Part unitKey={selection.key ?? ''} onClose={selection.close} />
  ) : (
    <unitPanel.Part
      key={unit.identity.key}
      unit={unit}
      isFollowed={selection.isFollowed}
      onFollow={selection.follow}
      onClose={selection.close}
    />
  );
};
