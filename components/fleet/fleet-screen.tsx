'use client';

import { Suspense } from 'react';
import type { CSSProperties } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useViewAddress } from '@/components/fleet-state/use-view-address';
import { CarrierHeading } from '@/components/fleet-shell/fleet-switcher';
import { Notices } from '@/components/fleet-shell/notices';
import { MapPlaceholder } from '@/components/map/fleet-map';
import { ListPane } from '@/components/list/list-pane';
import type { MapTiles } from '@/lib/map/schema';
import { PANEL_HEADING_ID } from '@/components/panel/panel-heading';
import { onDemand, usePreloadAtFirstInput } from '@/components/ui/popup/on-demand';
import type { FirstRows } from '@/lib/view/first-rows';
import styles from './fleet-screen.module.css';
import { MapPane } from './map-pane';
import { Sheet } from './sheet';
import { useFleetController } from './use-fleet-controller';

const loadPanel = () => import('@/components/panel/unit-panel');
const unitPanel = onDemand(() => loadPanel().then(({ UnitPanel }) => UnitPanel));
const missingUnit = onDemand(() => loadPanel().then(({ MissingUnit }) => MissingUnit));

/** Between the notices and a panel below them. */
const NOTICES_GAP_PX = 8;

interface FleetScreenProps {
  tiles: MapTiles | null;
  /** The list as of the HTML; null where it has none. */
  first: FirstRows | null;
}

/** The live screen of a fleet: the map, its list and its panel. */
export const FleetScreen = ({ tiles, first }: FleetScreenProps) => {
  const isAddressRead = useViewAddress();
  const usdot = useUsdot();
  const old = useOldCopy();
  const { fleet, map, screenRef, noticesRef, list, selection, sheets } = useFleetController();
  usePreloadAtFirstInput(unitPanel.preload);
  const { noticesPx } = sheets;
  return (
    <div
      ref={screenRef}
      className={styles.screen}
      data-panel={selection.isPanelOpen}
      data-old={old?.state}
      style={{ '--lh-notices': `${noticesPx === 0 ? 0 : noticesPx + NOTICES_GAP_PX}px` } as CSSProperties}
    >
      <h1 className="visually-hidden">Live map of USDOT {usdot}</h1>
      <List first={first} list={list} selection={selection} sheets={sheets} />
      {selection.isPanelOpen ? <Panel fleet={fleet} selection={selection} sheets={sheets} /> : null}
      <section className={styles.map} aria-label="Map">
        {isAddressRead ? (
          <MapPane
            map={map}
            rows={list.matched}
            selected={selection.unit}
            isFollowing={selection.isFollowed && selection.unit !== null}
            padding={sheets.padding}
            tiles={tiles}
            onSelect={selection.select}
            onFollowEnd={() => selection.follow(false)}
            onMove={list.onMove}
          />
        ) : (
          <MapPlaceholder tiles={tiles} />
        )}
        <div className={styles.notices}>
          <div ref={noticesRef}>
            <Notices />
          </div>
        </div>
      </section>
    </div>
  );
};

type ListProps = Pick<ReturnType<typeof useFleetController>, 'list' | 'selection' | 'sheets'> &
  Pick<FleetScreenProps, 'first'>;

const List = ({ first, list, selection, sheets }: ListProps) => (
  <Sheet
    className={styles.list}
    handle={<CarrierHeading />}
    name="the list"
    snap={sheets.listSnap}
    onSnap={sheets.setListSnap}
    isCovered={selection.isPanelOpen}
  >
    <section className={styles.column} aria-label="List of units">
      <ListPane
        first={first}
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
              version={fleet.version}
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
