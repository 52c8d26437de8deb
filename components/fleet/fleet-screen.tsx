'use client';

import { IconHistory, IconMapPinSearch } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { Suspense, useEffect, type CSSProperties, type Ref } from 'react';
import { useIsHeld, useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useSites } from '@/components/fleet-state/sites';
import { useIsAddressRead } from '@/components/fleet-state/use-view-address';
import { CarrierHeading } from '@/components/fleet-shell/fleet-switcher';
import { Notices } from '@/components/fleet-shell/notices';
import { MapPlaceholder } from '@/components/map/fleet-map';
import { ListPane } from '@/components/list/list-pane';
import type { MapTiles } from '@/lib/map/schema';
import { PANEL_HEADING_ID } from '@/components/panel/panel-heading';
import { onDemand, usePreloadAtFirstInput } from '@/components/ui/popup/on-demand';
import styles from './fleet-screen.module.css';
import { FirstUnits } from './first-units';
import { MapPane } from './map-pane';
import { Sheet } from './sheet';
import { TailsButton } from './tails-button';
import { useFleetController } from './use-fleet-controller';
import { useListKeys } from './use-list-keys';
import { useTimeBar, type TimeBarState } from './use-time-bar';

const checklist = onDemand(() =>
  import('@/components/getting-started/checklist').then(({ Checklist }) => Checklist),
);
const timeBarPart = onDemand(() => import('@/components/past/time-bar').then(({ TimeBar }) => TimeBar));
const sitesButton = onDemand(() => import('./sites-button').then(({ SitesButton }) => SitesButton));
const loadPanel = () => import('@/components/panel/unit-panel');
const unitPanel = onDemand(() => loadPanel().then(({ UnitPanel }) => UnitPanel));
const nearPanel = onDemand(() =>
  import('@/components/panel/near/near-panel').then(({ NearPanel }) => NearPanel),
);
const missingUnit = onDemand(() => loadPanel().then(({ MissingUnit }) => MissingUnit));

/** Between the notices and a panel below them. */
const NOTICES_GAP_PX = 8;

interface FleetScreenProps {
  tiles: MapTiles | null;
  /** A manager may still have to set own trucks up. */
  hasChecklist: boolean;
  /** The server records fleets: the screen can be turned back. */
  hasPast: boolean;
}

/** The live screen of a fleet: the map, its list and its panel. It stays as it was left while other pages cover it. */
export const FleetScreen = ({ tiles, hasChecklist, hasPast }: FleetScreenProps) => {
  const isShown = !useIsHeld();
  const isAddressRead = useIsAddressRead();
  const usdot = useUsdot();
  useMapTitle(isShown, `USDOT ${usdot} · Linehaul`);
  const old = useOldCopy();
  const { past } = useReading();
  const { ref: timeBarRef, ...timeBar } = useTimeBar(hasPast);
  const controller = useFleetController(timeBar);
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
      <List {...controller} hasChecklist={hasChecklist} />
      {sheets.isPanelOpen ? <Panel {...controller} /> : null}
      <section className={styles.map} aria-label="Map">
        {isAddressRead ? (
          <MapPane
            map={map}
            rows={list.matched}
            selected={selection.unit}
            isFollowing={selection.isFollowed}
            padding={sheets.padding}
            buttons={<MapButtons timeBar={timeBar} onNear={near.showCenter} />}
            tiles={tiles}
            hasPast={hasPast}
            onSelect={selection.select}
            onFollowEnd={() => selection.follow(false)}
            onMove={list.onMove}
            onNear={(at) => near.show({ ...at, name: null })}
          />
        ) : (
          <MapPlaceholder tiles={tiles} />
        )}
        <FirstUnits />
        {timeBar.isOpen ? (
          <div ref={timeBarRef} className={styles.timeBar} style={{ bottom: sheets.timeBarBottomPx }}>
            <Suspense>
              <timeBarPart.Part onClose={timeBar.close} />
            </Suspense>
          </div>
        ) : null}
        <NoticesArea ref={noticesRef} />
      </section>
    </div>
  );
};

/** The keys of the list, apart from the screen: whatever uses the router is rendered with each page that opens. */
const ListKeys = ({ onOpen, ...actions }: Controller['keys']) => {
  const { push } = useRouter();
  useListKeys({ ...actions, onOpen: () => onOpen(push) });
  return null;
};

/** Where notices stand over the map; `ref` is measured for what stands below them. */
const NoticesArea = ({ ref }: { ref: Ref<HTMLDivElement> }) => (
  <div className={styles.notices}>
    <div ref={ref}>
      <Notices />
    </div>
  </div>
);

interface MapButtonsProps {
  timeBar: TimeBarState;
  onNear: () => void;
}

/** The buttons of the nearest units, of what is recorded, and of the sites. */
const MapButtons = ({ timeBar, onNear }: MapButtonsProps) => {
  const hasSites = (useSites()?.length ?? 0) > 0;
  return (
    <>
      <button
        type="button"
        title="Nearest trucks to the middle of the map (d)"
        aria-label="Nearest trucks"
        onPointerEnter={nearPanel.preload}
        onClick={onNear}
      >
        <IconMapPinSearch size={18} stroke={1.8} aria-hidden />
      </button>
      {timeBar.isOffered ? <RecordedButtons timeBar={timeBar} /> : null}
      {hasSites ? (
        <Suspense>
          <sitesButton.Part />
        </Suspense>
      ) : null}
    </>
  );
};

const RecordedButtons = ({ timeBar }: Pick<MapButtonsProps, 'timeBar'>) => (
  <>
    <button
      type="button"
      title="Back in time (p)"
      aria-label="Back in time"
      aria-expanded={timeBar.isOpen}
      onPointerEnter={timeBarPart.preload}
      onClick={timeBar.toggle}
    >
      <IconHistory size={18} stroke={1.8} aria-hidden />
    </button>
    {useReading().past === null ? <TailsButton /> : null}
  </>
);

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

type Controller = ReturnType<typeof useFleetController>;
type ListProps = Controller & Pick<FleetScreenProps, 'hasChecklist'>;

const List = ({ list, selection, sheets, hasChecklist, openView }: ListProps) => (
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
        matched={list.matched}
        bounds={list.bounds}
        shown={list.shown}
        listKey={list.listKey}
        selectedRow={selection.row}
        onSelect={selection.goTo}
        onTouch={list.touch}
        onOpenView={openView}
      />
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

/** The selected unit, else the units that are nearest to a place. */
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
