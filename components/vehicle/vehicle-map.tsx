'use client';

import { Button, useComputedColorScheme } from '@mantine/core';
import { IconFocus2 } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { FleetMap } from '@/components/map/fleet-map';
import { usePlaces } from '@/components/ui/use-places';
import type { MapTiles } from '@/components/map/fleet-map-props';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useNowMs } from '@/components/ui/use-now';
import { toSoloFleet } from '@/lib/view/solo-fleet';
import { unitName, unitTitle } from '@/lib/view/unit-name';
import type { UnitRow } from '@/lib/view/unit-row';
import { datedAtMs, pastWords, speedWords, whatWords } from '@/lib/view/text';
import type { UnitDetail } from '@/lib/wire/unit';
import styles from './vehicle-map.module.css';

const CLOSE_ZOOM = 12;
const UNCOVERED = { top: 0, right: 0, bottom: 0, left: 0 };
const ignore = () => undefined;

interface VehicleMapProps {
  unit: UnitRow;
  detail: UnitDetail | null;
  tiles: MapTiles | null;
  skewMs: number;
}

/** Where one vehicle is, and its recent fixes. */
export const VehicleMap = ({ unit, detail, tiles, skewMs }: VehicleMapProps) => {
  const theme = useComputedColorScheme('light');
  const placeAt = usePlaces();
  const fleet = useMemo(() => toSoloFleet(unit), [unit]);
  const nowMs = useNowMs() + skewMs;
  const old = useOldCopy();
  const [isFollowed, setFollowed] = useState(true);
  if (unit.position === null) return <p className={styles.none}>No position to show.</p>;
  return (
    <div className={styles.map}>
      <FleetMap
        fleet={fleet}
        visibleRows={null}
        selectedRow={0}
        track={detail?.track ?? null}
        doubtful={detail?.doubtful ?? null}
        followed={isFollowed}
        onSelectRow={ignore}
        onFollowEnd={() => setFollowed(false)}
        onViewChange={ignore}
        initialView={{ ...unit.position, zoom: CLOSE_ZOOM }}
        tilesUrl={tiles?.url ?? null}
        tilesAttribution={tiles?.attribution ?? ''}
        theme={theme}
        old={old?.state ?? null}
        padding={UNCOVERED}
        describe={() => ({
          number: unitName(unit.identity),
          title: unitTitle(unit.identity),
          status: unit.status,
          headingDeg: unit.headingDeg,
          flagged: unit.flags.length > 0,
          statusWords: old === null ? whatWords(unit, nowMs) : pastWords(unit, old),
          speedWords: old === null && datedAtMs(unit, nowMs) === null ? speedWords(unit) : null,
          placeWords: unit.position && (placeAt?.(unit.position) ?? null),
          ageWords: null,
          oldWords: null,
        })}
      />
      <Button
        className={styles.follow}
        variant={isFollowed ? 'filled' : 'default'}
        leftSection={<IconFocus2 size={16} stroke={1.75} />}
        aria-pressed={isFollowed}
        onClick={() => setFollowed(!isFollowed)}
      >
        {isFollowed ? 'Following' : 'Follow'}
      </Button>
    </div>
  );
};
