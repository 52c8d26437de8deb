import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Map as LeafletMap } from 'leaflet';
import { Link } from '@/components/ui/link';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { FleetMap } from '@/components/map/fleet-map';
import type { FleetMapHandle, MapOverlay } from '@/components/map/fleet-map-props';
import { MapNote } from '@/components/kit/split';
import { useEscape, useShortcuts } from '@/components/ui/shortcuts';
import { DayPlayer, USUAL_SPEED } from '@/components/trail/day-player';
import { TrailOverlay } from '@/components/trail/trail-layer';
import { toClockAddress } from '@/lib/trips/days';
import { toDay } from '@/lib/trips/trips';
import { useTrail } from '@/lib/past/queries';
import { decodeFixes } from '@/lib/past/schema';
import type { Area, Region } from '@/lib/reports/who/area';
import type { VisitsAnswer } from '@/lib/reports/who/schema';
import { beginOf, toTrailRange } from '@/lib/reports/who/text';
import type { MapTiles } from '@/lib/map/schema';
import { expand } from '@/lib/geo/geodesy';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { formatMinute } from '@/lib/view/format';
import { unitName, unitTitle } from '@/lib/view/unit-name';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { HistoryRange } from '../use-history-address';
import { startDrawing, toMapBounds, toShape, type Tool } from './draw-area';
import styles from './who.module.css';

type Visit = VisitsAnswer['visits'][number];

const UNCOVERED = { top: 0, right: 0, bottom: 0, left: 0 };

interface AreaMapProps {
  area: Region | null;
  tool: Tool | null;
  tiles: MapTiles | null;
  range: HistoryRange;
  visit: Visit | null;
  identity: UnitIdentity | null;
  onDrawn: (area: Area) => void;
  onCancel: () => void;
}

/** The map on which an area is drawn, and the trail of the selected visit. */
export const AreaMap = ({ area, tool, tiles, range, visit, identity, onDrawn, onCancel }: AreaMapProps) => {
  const map = useRef<FleetMapHandle>(null);
  const bounds = useMemo(() => {
    if (area === null) return null;
    const box = toMapBounds(area);
    return expand(box, (box[2] - box[0]) * 20_000);
  }, [area]);
  const overlay: MapOverlay = {
    name: 'the area',
    bounds,
    render: (leaflet) => (
      <>
        <AreaOverlay map={leaflet} area={area} tool={tool} onDrawn={onDrawn} />
        {visit === null || identity?.vin == null ? null : (
          <VisitTrail
            key={`${identity.key} ${beginOf(visit)}`}
            map={leaflet}
            vin={identity.vin}
            name={unitName(identity)}
            visit={visit}
            within={range}
          />
        )}
      </>
    ),
  };
  useShortcuts({ f: () => map.current?.fitFleet() });
  useEscape(tool !== null, onCancel);
  useEffect(() => {
    map.current?.fitFleet();
  }, [bounds]);
  return (
    <div className={styles.map}>
      <FleetMap
        ref={map}
        fleet={null}
        visibleRows={null}
        selectedRow={null}
        detail={null}
        followed={false}
        onFollowEnd={() => undefined}
        initialView={null}
        initialBounds={bounds}
        tiles={tiles}
        padding={UNCOVERED}
        describe={() => {
          throw new Error('This map has no units.');
        }}
        overlay={overlay}
      />
      {tool === null ? null : (
        <MapNote role="status">
          {tool === 'circle' ? 'Drag from the center outward.' : 'Drag from corner to corner.'} Escape
          cancels.
        </MapNote>
      )}
      {visit === null || identity === null ? null : <Selected {...{ visit, identity, range }} />}
    </div>
  );
};

const AreaOverlay = ({
  map,
  area,
  tool,
  onDrawn,
}: { map: LeafletMap } & Pick<AreaMapProps, 'area' | 'tool' | 'onDrawn'>) => {
  const take = useEffectEvent(onDrawn);
  useEffect(() => {
    if (area === null || tool !== null) return;
    const shape = toShape(area, styles.area!).addTo(map);
    return () => void shape.remove();
  }, [map, area, tool]);
  useEffect(
    () => (tool === null ? undefined : startDrawing(map, tool, styles.area!, (drawn) => take(drawn))),
    [map, tool],
  );
  return null;
};

const VisitTrail = ({
  map,
  vin,
  name,
  visit,
  within: { fromMs, toMs },
}: {
  map: LeafletMap;
  vin: string;
  name: string;
  visit: Visit;
  within: HistoryRange;
}) => {
  const range = useMemo(() => toTrailRange(visit, { fromMs, toMs }), [visit, fromMs, toMs]);
  const { data, error } = useTrail(useUsdot(), vin, range, null);
  const [player] = useState(() => new DayPlayer({ atMs: beginOf(visit), speed: USUAL_SPEED }));
  const day = useMemo(() => {
    if (data === undefined) return null;
    const { fixes, coverage, nowMs } = data;
    return toDay({ fixes: decodeFixes(fixes), coverage, ...range, nowMs }, DEFAULT_MOTION_SETTINGS);
  }, [data, range]);
  useEffect(() => {
    if (day !== null) player.setRange({ fromMs: day.fromMs, endMs: day.endMs, firstMs: day.fromMs });
  }, [player, day]);
  if (day !== null) return <TrailOverlay map={map} day={day} name={name} player={player} />;
  return error === null ? null : (
    <MapNote role="alert">The trail could not be loaded: {error.message}</MapNote>
  );
};

/** The selected unit, and the way to its day at the moment of its arrival. */
const Selected = ({
  visit,
  identity,
  range,
}: {
  visit: Visit;
  identity: UnitIdentity;
  range: HistoryRange;
}) => {
  const usdot = useUsdot();
  // It may have been inside before the range began.
  const atMs = Math.max(beginOf(visit), range.fromMs);
  const [day, time] = toClockAddress(atMs, range.zone);
  return (
    <MapNote isLow>
      <b>{unitTitle(identity)}</b>
      {identity.vin === null ? (
        <span>Without a VIN it has no page of its own.</span>
      ) : (
        <Link
          className="lh-link"
          href={`/fleets/${usdot}/units/${identity.vin}?view=day&day=${day}&at=${time}`}
        >
          Show its day at {formatMinute(atMs, range.zone)}
        </Link>
      )}
    </MapNote>
  );
};
