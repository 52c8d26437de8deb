'use client';

import { IconHistory } from '@tabler/icons-react';
import { Suspense, useEffect } from 'react';
import type { CSSProperties } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { useIsMapShown } from '@/components/fleet-state/map-link';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useViewAddress } from '@/components/fleet-state/use-view-address';
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
import { useTimeBar } from './use-time-bar';
import type { TimeBarState } from './use-time-bar';

const checklist = onDemand(() =>
  import('@/components/getting-started/checklist').then(({ Checklist }) => Checklist),
);
const timeBarPart = onDemand(() => import('@/components/past/time-bar').then(({ TimeBar }) => TimeBar));
const loadPanel = () => import('@/components/panel/unit-panel');
const unitPanel = onDemand(() => loadPanel().then(({ UnitPanel }) => UnitPanel));
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
  const isShown = useIsMapShown();
  const isAddressRead = useViewAddress(isShown);
  const usdot = useUsdot();
  useMapTitle(isShown, `USDOT ${usdot} · Linehaul`);
  const old = useOldCopy();
  const { past } = useReading();
  const { ref: timeBarRef, ...timeBar } = useTimeBar(isShown && hasPast);
  const { fleet, map, screenRef, noticesRef, list, selection, sheets } = useFleetController(isShown, timeBar);
  usePreloadAtFirstInput(unitPanel.preload);
  const { noticesPx } = sheets;
  return (
    <div
      ref={screenRef}
      className={styles.screen}
      data-panel={selection.isPanelOpen}
      data-old={old?.state}
      data-past={past !== null}
      style={{ '--lh-notices': `${noticesPx === 0 ? 0 : noticesPx + NOTICES_GAP_PX}px` } as CSSProperties}
    >
      <h1 className="visually-hidden">
        {past === null ? 'Live map' : 'Past'} of USDOT {usdot}
      </h1>
      <List list={list} selection={selection} sheets={sheets} hasChecklist={hasChecklist} />
      {selection.isPanelOpen ? <Panel fleet={fleet} selection={selection} sheets={sheets} /> : null}
      <section className={styles.map} aria-label="Map">
        {isAddressRead ? (
          <MapPane
            map={map}
            rows={list.matched}
            selected={selection.unit}
            isFollowing={selection.isFollowed && selection.unit !== null}
            padding={sheets.padding}
            buttons={timeBar.isOffered ? <MapButtons timeBar={timeBar} /> : null}
            tiles={tiles}
            hasPast={hasPast}
            onSelect={selection.select}
            onFollowEnd={() => selection.follow(false)}
            onMove={list.onMove}
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
        <div className={styles.notices}>
          <div ref={noticesRef}>
            <Notices />
          </div>
        </div>
      </section>
    </div>
  );
};

/** The buttons of what is recorded. */
const MapButtons = ({ timeBar }: { timeBar: TimeBarState }) => (
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

type ListProps = Pick<ReturnType<typeof useFleetController>, 'list' | 'selection' | 'sheets'> &
  Pick<FleetScreenProps, 'hasChecklist'>;

const List = ({ list, selection, sheets, hasChecklist }: ListProps) => (
  <Sheet
    className={styles.list}
    handle={<CarrierHeading />}
    name="the list"
    snap={sheets.listSnap}
    onSnap={sheets.setListSnap}
    isCovered={selection.isPanelOpen}
  >
    <section className={styles.column} aria-label="List of units">
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
      />
    </section>
  </Sheet>
);

type PanelProps = Pick<ReturnType<typeof useFleetController>, 'fleet' | 'selection' | 'sheets'>;

const Panel = ({ fleet, selection, sheets }: PanelProps) => {
  const { unit } = selection;
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
          {unit === null || fleet === null ? (
            <missingUnit.Part unitKey={selection.key ?? ''} onClose={selection.close} />
          ) : (
            <unitPanel.Part
              key={unit.identity.key}
              unit={unit}
              isFollowed={selection.isFollowed}
              onFollow={selection.follow}
              onClose={selection.close}
            />
          )}
        </Suspense>
      </aside>
    </Sheet>
  );
};
