'use client';

import { useComputedColorScheme } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Ref } from 'react';
import { FleetMap } from '@/components/map/fleet-map';
import type { FleetMapHandle, MapPadding, MapTiles, UnitSummary } from '@/components/map/fleet-map-props';
import { usePlaces } from '@/components/ui/use-places';
import { useUnitDetail } from '@/lib/browser/unit-detail';
import type { Bounds } from '@/lib/view/filter';
import { momentWords } from '@/lib/view/clock';
import { fixOldWords, shortFixAge } from '@/lib/view/numbers';
import { unitName, unitTitle } from '@/lib/view/unit-name';
import { readUnitRow } from '@/lib/view/unit-row';
import type { UnitRow } from '@/lib/view/unit-row';
import type { MapPlace } from '@/lib/view/view-state';
import { STATUS_WORDS, datedAtMs, pastWords, speedWords, whatWords } from '@/lib/view/text';
import { useReading, useUsdot, useViewStore } from '../fleet-state/fleet-context';
import { useOldCopy } from '../fleet-state/old-copy';
import type { OldCopy } from '../fleet-state/old-copy';

interface MapPaneProps {
  map: Ref<FleetMapHandle>;
  /** Rows that pass filter and search. */
  rows: Int32Array;
  selected: UnitRow | null;
  isFollowing: boolean;
  padding: MapPadding;
  tiles: MapTiles | null;
  onSelect: (row: number | null) => void;
  onLetGo: () => void;
  onMove: (place: MapPlace, seen: Bounds) => void;
}

/** The map with the fleet and view of this screen, and its texts. */
export const MapPane = (props: MapPaneProps) => {
  const { map, rows, selected, isFollowing, padding, tiles, onSelect, onLetGo, onMove } = props;
  const { fleet, skewMs } = useReading();
  const old = useOldCopy();
  const theme = useComputedColorScheme('light');
  const placeAt = usePlaces();
  const store = useViewStore();
  const [begin] = useState(() => store.read().place);
  const detail = useUnitDetail(useUsdot(), selected?.identity.key ?? null, fleet?.version ?? '').data ?? null;

  const describe = useMemo(
    () =>
      (row: number): UnitSummary => {
        const unit = fleet === null ? null : readUnitRow(fleet, row);
        if (unit === null) return NO_UNIT;
        const summary = toSummary(unit, placeAt, Date.now() + skewMs);
        return old === null ? summary : { ...summary, ...toPast(unit, old, skewMs) };
      },
    [fleet, placeAt, skewMs, old],
  );

  return (
    <FleetMap
      ref={map}
      fleet={fleet}
      visibleRows={rows}
      selectedRow={selected?.row ?? null}
      track={detail?.track ?? null}
      doubtful={detail?.doubtful ?? null}
      followed={isFollowing}
      onSelectRow={onSelect}
      onFollowEnd={onLetGo}
      onViewChange={({ lat, lng, zoom, bounds }) => onMove({ lat, lng, zoom }, bounds)}
      initialView={begin}
      tilesUrl={tiles?.url ?? null}
      tilesAttribution={tiles?.attribution ?? ''}
      theme={theme}
      old={old?.state ?? null}
      padding={padding}
      describe={describe}
    />
  );
};

const NO_UNIT: UnitSummary = {
  number: '',
  title: '',
  status: 'unknown',
  headingDeg: null,
  flagged: false,
  statusWords: '',
  speedWords: null,
  placeWords: null,
  ageWords: null,
  oldWords: null,
};

/** The parts of a summary that age, as of the moment of an old copy. */
const toPast = (unit: UnitRow, old: OldCopy, skewMs: number): Partial<UnitSummary> => {
  const fixAt = unit.fixAtMs === null ? null : momentWords(unit.fixAtMs - skewMs, old.asOfMs - skewMs);
  return {
    statusWords: pastWords(unit, old),
    speedWords: null,
    ageWords: fixAt,
    oldWords: fixAt && `at ${fixAt}`,
  };
};

const toSummary = (
  unit: UnitRow,
  placeAt: ReturnType<typeof usePlaces>,
  serverNowMs: number,
): UnitSummary => {
  const { identity, status, headingDeg, flags, position, fixAtMs } = unit;
  const speed = speedWords(unit);
  const what = whatWords(unit, serverNowMs);
  return {
    number: unitName(identity),
    title: unitTitle(identity),
    status,
    headingDeg,
    flagged: flags.length > 0,
    statusWords: what === speed ? STATUS_WORDS[status] : what,
    // An old speed is shown with its time, in the status text.
    speedWords: status === 'moving' && datedAtMs(unit, serverNowMs) === null ? speed : null,
    placeWords: position === null ? null : (placeAt?.(position) ?? null),
    ageWords: fixAtMs === null ? null : shortFixAge(serverNowMs - fixAtMs),
    oldWords: fixAtMs === null ? null : fixOldWords(serverNowMs - fixAtMs),
  };
};
