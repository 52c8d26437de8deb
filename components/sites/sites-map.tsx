import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useRef, type ReactNode } from 'react';
import { useReading, useViewStore } from '@/components/fleet-state/fleet-context';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { usePlaceOf } from '@/components/fleet-state/sites';
import { FleetMap } from '@/components/map/fleet-map';
import type { FleetMapHandle, MapSites } from '@/components/map/fleet-map-props';
import { toUnitSummary } from '@/components/map/unit-summary';
import { useShortcuts } from '@/components/ui/shortcuts';
import type { MapTiles } from '@/lib/map/schema';
import type { Bounds } from '@/lib/geo/geodesy';
import { readUnitRow } from '@/lib/view/unit-row';
import styles from './sites.module.css';

const UNCOVERED = { top: 0, right: 0, bottom: 0, left: 0 };
const NOTHING = () => null;
const NO_ROWS: readonly number[] = [];
/** A small yard fills a third of the map. */
const NEAREST_ZOOM = 16;

interface SitesMapProps {
  sites: MapSites;
  /** The map shows them at first and when they change; null: it shows what the live map shows. */
  bounds: Bounds | null;
  tiles: MapTiles | null;
  /** Names the bounds for the controls: "all sites". */
  name: string;
  /** False: no glyph of a truck lies on a site or its name. */
  hasUnits?: boolean;
  /** Draws over the map. */
  render?: (map: LeafletMap) => ReactNode;
  children?: ReactNode;
}

export const SitesMap = (props: SitesMapProps) => {
  const { sites, bounds, tiles, name, hasUnits = true, render = NOTHING, children } = props;
  const map = useRef<FleetMapHandle>(null);
  const { fleet, skewMs } = useReading();
  const old = useOldCopy();
  const placeOf = usePlaceOf();
  const store = useViewStore();
  const key = bounds?.join() ?? '';
  useShortcuts({ f: () => map.current?.fitFleet() });
  useEffect(() => {
    if (key !== '') map.current?.fitFleet();
  }, [key]);
  return (
    <div className={styles.map}>
      <FleetMap
        ref={map}
        fleet={fleet}
        visibleRows={hasUnits ? null : NO_ROWS}
        selectedRow={null}
        detail={null}
        sites={sites}
        followed={false}
        onFollowEnd={() => undefined}
        initialView={bounds === null ? store.read().camera : null}
        initialBounds={bounds}
        tiles={tiles}
        padding={UNCOVERED}
        describe={(row) =>
          toUnitSummary(readUnitRow(fleet!, row)!, placeOf, Date.now() + skewMs, skewMs, old)
        }
        overlay={{ name, bounds, maxZoom: NEAREST_ZOOM, render }}
      />
      {children}
    </div>
  );
};
