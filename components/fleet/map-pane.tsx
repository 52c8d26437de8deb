import { useMemo, useState, type Ref } from 'react';
import { FleetMap } from '@/components/map/fleet-map';
import type { FleetMapHandle, FleetMapProps } from '@/components/map/fleet-map-props';
import { toUnitSummary, type UnitSummary } from '@/components/map/unit-summary';
import { usePlaceOf, useSites } from '@/components/fleet-state/sites';
import type { Fleet } from '@/lib/wire/fleet';
import { findBestMatches } from '@/lib/view/search';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { MapCamera } from '@/lib/view/view-state';
import type { LatLng } from '@/lib/geo/units';
import {
  useFirstFleet,
  useReading,
  useShownDetail,
  useView,
  useViewStore,
} from '../fleet-state/fleet-context';
import { useOldCopy } from '../fleet-state/old-copy';
import { useGrowingTrail } from './use-growing-trail';
import type { Bounds } from '@/lib/geo/geodesy';

interface MapPaneProps extends Pick<
  FleetMapProps,
  'padding' | 'tiles' | 'buttons' | 'measuring' | 'onSelectRow' | 'onFollowEnd'
> {
  map: Ref<FleetMapHandle>;
  /** Rows that pass filter and search. */
  rows: Int32Array;
  selected: UnitRow | null;
  isFollowing: boolean;
  /** The server records fleets: the selected unit shows where it was for hours. */
  hasPast: boolean;
  onMove: (camera: MapCamera, seen: Bounds) => void;
  onNear: (at: LatLng) => void;
}

export const MapPane = ({
  map,
  rows,
  selected,
  isFollowing,
  hasPast,
  onMove,
  onNear,
  ...others
}: MapPaneProps) => {
  const { fleet, skewMs, past } = useReading();
  const old = useOldCopy();
  const placeOf = usePlaceOf(selected !== null);
  const sites = useSites();
  const store = useViewStore();
  const [begin] = useState(() => store.read().camera);
  const [beginBounds] = useState(useFirstFleet()?.map?.bounds ?? null);
  const { tails, near, showsSites, query } = useView();
  const detail = useGrowingTrail(selected, useShownDetail(selected?.identity.key ?? null), hasPast);
  const momentMs = past?.atMs ?? null;

  const describe = useMemo(
    () =>
      (row: number): UnitSummary => {
        const unit = fleet === null ? null : readUnitRow(fleet, row);
        const nowMs = momentMs ?? Date.now() + skewMs;
        return unit === null ? NO_UNIT : toUnitSummary(unit, placeOf, nowMs, skewMs, old);
      },
    [fleet, placeOf, skewMs, old, momentMs],
  );

  return (
    <FleetMap
      {...others}
      ref={map}
      fleet={fleet}
      visibleRows={rows}
      fittedRows={useFittedRows(fleet, rows, query)}
      selectedRow={selected?.row ?? null}
      detail={detail}
      tails={past === null ? tails : null}
      sites={showsSites && sites !== null ? { sites } : null}
      pace={past?.pace ?? 1}
      followed={isFollowing}
      onViewChange={({ lat, lng, zoom, bounds }) => onMove({ lat, lng, zoom }, bounds)}
      initialView={begin}
      initialBounds={beginBounds}
      describe={describe}
      pin={near}
      groundItems={[{ label: 'Nearest trucks here', run: onNear }]}
    />
  );
};

/** The rows that match the search best; null while nothing is searched. */
const useFittedRows = (fleet: Fleet | null, rows: Int32Array, query: string): number[] | null =>
  useMemo(
    () => (fleet === null || query === '' ? null : Array.from(findBestMatches(fleet, rows, query))),
    [fleet, rows, query],
  );

const NO_UNIT: UnitSummary = {
  number: '',
  title: '',
  status: 'unknown',
  headingDeg: null,
  flagged: false,
  statusText: '',
  speedText: null,
  placeText: null,
  ageText: null,
  fixText: null,
};
