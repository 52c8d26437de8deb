'use client';

import type { CSSProperties } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useViewAddress } from '@/components/fleet-state/use-view-address';
import { CarrierHeading } from '@/components/fleet-shell/carrier-heading';
import { Notices } from '@/components/fleet-shell/notices';
import { ListPane } from '@/components/list/list-pane';
import type { MapTiles } from '@/components/map/fleet-map-props';
import { MissingUnit } from '@/components/panel/missing-unit';
import { PANEL_HEADING_ID, UnitPanel } from '@/components/panel/unit-panel';
import styles from './fleet-screen.module.css';
import { MapPane } from './map-pane';
import { Sheet } from './sheet';
import { useFleetController } from './use-fleet-controller';

/** Between the notices and a panel below them. */
const NOTICES_GAP_PX = 8;

/** The live screen of a fleet: the map, its list and its panel. */
export const FleetScreen = ({ tiles }: { tiles: MapTiles | null }) => {
  const isAddressRead = useViewAddress();
  const usdot = useUsdot();
  const old = useOldCopy();
  const { fleet, map, screenRef, noticesRef, list, selection, sheets } = useFleetController();
  const { unit } = selection;
  const { noticesPx } = sheets;
  return (
    <div
      ref={screenRef}
      className={styles.screen}
      data-panel={selection.isPanelOpen}
      data-old={old?.state}
      style={{ '--lh-notices': `${noticesPx === 0 ? 0 : noticesPx + NOTICES_GAP_PX}px` } as CSSProperties}
    >
      <h1 className="lh-unseen">Live map of USDOT {usdot}</h1>
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
            matched={list.matched}
            bounds={list.bounds}
            shown={list.shown}
            question={list.question}
            selectedRow={selection.row}
            onSelect={selection.goTo}
            onTouch={list.touch}
          />
        </section>
      </Sheet>
      {selection.isPanelOpen ? <Panel fleet={fleet} selection={selection} sheets={sheets} /> : null}
      <section className={styles.map} aria-label="Map">
        {isAddressRead ? (
          <MapPane
            map={map}
            rows={list.matched}
            selected={unit}
            isFollowing={selection.isFollowed && unit !== null}
            padding={sheets.padding}
            tiles={tiles}
            onSelect={selection.select}
            onLetGo={() => selection.follow(false)}
            onMove={list.onMove}
          />
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
        {unit === null || fleet === null ? (
          <MissingUnit unitKey={selection.key ?? ''} onClose={selection.close} />
        ) : (
          <UnitPanel
            key={unit.identity.key}
            unit={unit}
            version={fleet.version}
            isFollowed={selection.isFollowed}
            onFollow={selection.follow}
            onClose={selection.close}
          />
        )}
      </aside>
    </Sheet>
  );
};
