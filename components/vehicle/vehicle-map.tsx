import { Button } from '@mantine/core';
import { IconFocus2 } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { FleetMap, MapPlaceholder } from '@/components/map/fleet-map';
import { useReading, useServerNowMs } from '@/components/fleet-state/fleet-context';
import { usePlaceOf } from '@/components/fleet-state/sites';
import type { MapTiles } from '@/lib/map/schema';
import { toUnitSummary } from '@/components/map/unit-summary';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useIsRendered } from '@/components/ui/use-now';
import type { UnitRow } from '@/lib/view/unit-row';
import { toSoloFleet } from '@/lib/view/vehicle-row';
import type { UnitDetail } from '@/lib/wire/unit';
import type { LatLng } from '@/lib/geo/units';
import styles from './vehicle-page.module.css';

const CLOSE_ZOOM = 12;
const UNCOVERED = { top: 0, right: 0, bottom: 0, left: 0 };

interface VehicleMapProps {
  /** Null while nothing is known of it. */
  unit: UnitRow | null;
  detail: UnitDetail | null;
  tiles: MapTiles | null;
}

export const VehicleMap = ({ unit, ...others }: VehicleMapProps) => {
  const isRendered = useIsRendered();
  if (unit === null || isRendered) {
    return (
      <div className={styles.map}>
        <MapPlaceholder tiles={others.tiles} />
      </div>
    );
  }
  if (unit.position === null) return <p className={styles.none}>No position to show.</p>;
  return <MapOfUnit unit={unit} position={unit.position} {...others} />;
};

interface MapOfUnitProps extends VehicleMapProps {
  unit: UnitRow;
  position: LatLng;
}

const MapOfUnit = ({ unit, position, detail, tiles }: MapOfUnitProps) => {
  const placeOf = usePlaceOf();
  const fleet = useMemo(() => toSoloFleet(unit), [unit]);
  const nowMs = useServerNowMs();
  const { skewMs } = useReading();
  const old = useOldCopy();
  const [isFollowed, setFollowed] = useState(true);
  return (
    <div className={styles.map}>
      <FleetMap
        fleet={fleet}
        selectedRow={0}
        detail={detail}
        followed={isFollowed}
        onFollowEnd={() => setFollowed(false)}
        initialView={{ ...position, zoom: CLOSE_ZOOM }}
        tiles={tiles}
        padding={UNCOVERED}
        // The page gives the age of the fix itself.
        describe={() => ({
          ...toUnitSummary(unit, placeOf, nowMs, skewMs, old),
          ageText: null,
          fixText: null,
        })}
      />
      <Button
        className={styles.follow}
        h={38}
        px={12}
        fz={13}
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
