import { useEffect, useMemo, useRef, useState } from 'react';
import { useReading, useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { FleetMap } from '@/components/map/fleet-map';
import type { FleetMapHandle } from '@/components/map/fleet-map-props';
import { toUnitSummary } from '@/components/map/unit-summary';
import { Segments } from '@/components/kit/full-page';
import { DayPlayer, USUAL_SPEED } from '@/components/trail/day-player';
import { TrailOverlay, pathOf } from '@/components/trail/trail-layer';
import { boundsOfDays } from '@/components/trail/trail-path';
import { DAY_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { useTrail } from '@/lib/past/queries';
import { decodeFixes } from '@/lib/past/schema';
import { toDay, type Day } from '@/lib/trips/trips';
import { expand, type Bounds } from '@/lib/geo/geodesy';
import { parseVin } from '@/lib/identity/vin';
import type { Load } from '@/lib/loads/load';
import { STOP_RADIUS_M } from '@/lib/loads/schema';
import type { MapTiles } from '@/lib/map/schema';
import { DEFAULT_MARGIN_M, type Site } from '@/lib/rules/site';
import { formatMoment } from '@/lib/view/format';
import { toSoloFleet } from '@/lib/view/vehicle-row';
import styles from './load-page.module.css';
import { unitOf, useTruckName } from '@/components/fleet-state/use-trucks';

const UNCOVERED = { top: 0, right: 0, bottom: 0, left: 0 };
/** Longer trails would cost more to read than they show. */
const MOST_TRAIL_MS = 7 * DAY_MS;
const GROWS_EVERY_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;

/** The stops as the map draws sites. */
const toSites = ({ stops, next }: Load): Site[] =>
  stops.map(({ name, lat, lng }, i) => ({
    ...{ id: i + 1, name: `${i + 1} ${name}`, kind: 'customer', notes: '', openingHours: null },
    ...{ color: i === next ? '#1864ab' : '#5b6b80', marginM: DEFAULT_MARGIN_M },
    shape: { type: 'circle', lat, lng, radiusM: STOP_RADIUS_M },
  }));

const boundsOfStops = ({ stops }: Load): Bounds => {
  const lats = stops.map(({ lat }) => lat);
  const lngs = stops.map(({ lng }) => lng);
  return expand([Math.min(...lats), Math.min(...lngs), Math.max(...lats), Math.max(...lngs)], 3000);
};

const join = (a: Bounds, b: Bounds | null): Bounds =>
  b === null ? a : [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];

type Assigned = Load['trucks'][number];

/** Bounds with room for the map's buttons, its note, and the label of a truck. */
const withRoom = ([south, west, north, east]: Bounds): Bounds => {
  const [height, width] = [north - south, east - west];
  return [south - 0.15 * height, west - 0.12 * width, north + 0.15 * height, east + 0.08 * width];
};

interface TrailRange extends TimeRange {
  /** How often it is read again while it grows. */
  everyMs: number | null;
}

/** The trail of a truck in a range, and what went wrong; null while it is loaded. */
const useTrailDay = (unit: string, range: TrailRange): { day: Day | null; error: Error | null } => {
  const { data, error, failureReason } = useTrail(useUsdot(), unit, range, range.everyMs);
  const day = useMemo(() => {
    if (data === undefined) return null;
    const { fixes, coverage, nowMs } = data;
    return toDay({ fixes: decodeFixes(fixes), coverage, ...range, nowMs }, DEFAULT_MOTION_SETTINGS);
  }, [data, range]);
  return { day, error: day === null ? (error ?? failureReason) : null };
};

/** When a truck had the load, as long as trails are read. */
const useRange = ({ endedMs }: Load, { fromMs, toMs }: Assigned): TrailRange => {
  const nowMs = Math.ceil(useServerNowMs() / STEP_MS) * STEP_MS;
  const isOver = toMs !== null || endedMs !== null;
  const lastMs = Math.min(toMs ?? Infinity, endedMs ?? Infinity, nowMs);
  const firstMs = Math.max(Math.min(fromMs, lastMs - MINUTE_MS), lastMs - MOST_TRAIL_MS);
  return useMemo(
    () => ({ fromMs: firstMs, toMs: lastMs, everyMs: isOver ? null : GROWS_EVERY_MS }),
    [firstMs, lastMs, isOver],
  );
};

/** The stops of a load and the trail of one of its trucks on the map. */
export const LoadMap = ({ load, tiles }: { load: Load; tiles: MapTiles | null }) => {
  const nameOf = useTruckName();
  const trucks = load.trucks.filter(({ unit }) => parseVin(unit) !== null);
  const [chosenMs, setChosenMs] = useState<number | null>(null);
  const truck = trucks.find(({ fromMs }) => fromMs === chosenMs) ?? trucks.at(-1) ?? null;
  const nowMs = Math.floor(useServerNowMs() / MINUTE_MS) * MINUTE_MS;
  const labelOf = ({ unit, fromMs }: Assigned): string =>
    // A truck may have had the load twice.
    trucks.filter((other) => other.unit === unit).length === 1
      ? nameOf(unit)
      : `${nameOf(unit)} from ${formatMoment(fromMs, nowMs)}`;
  return (
    <div className={styles.mapBox}>
      {trucks.length < 2 ? null : (
        <Segments
          label="Truck whose trail is shown"
          segments={trucks.map((each) => ({
            label: labelOf(each),
            isChosen: each === truck,
            onChoose: () => setChosenMs(each.fromMs),
          }))}
        />
      )}
      {truck === null ? (
        <StopsMap load={load} tiles={tiles} />
      ) : (
        <TrailMap key={truck.fromMs} load={load} truck={truck} tiles={tiles} />
      )}
    </div>
  );
};

interface StopsMapProps {
  load: Load;
  tiles: MapTiles | null;
}

const StopsMap = ({ load, tiles }: StopsMapProps) => {
  const bounds = useMemo(() => withRoom(boundsOfStops(load)), [load]);
  return (
    <div className={styles.map}>
      <FleetMap
        fleet={null}
        sites={{ sites: toSites(load) }}
        initialBounds={bounds}
        tiles={tiles}
        padding={UNCOVERED}
        describe={() => {
          throw new Error('This map has no truck.');
        }}
        overlay={{ name: 'the load', bounds, marks: [], render: () => null }}
      />
    </div>
  );
};

const TrailMap = ({ load, truck, tiles }: StopsMapProps & { truck: Assigned }) => {
  const map = useRef<FleetMapHandle>(null);
  const { fleet } = useReading();
  const nameOf = useTruckName();
  const { day, error } = useTrailDay(truck.unit, useRange(load, truck));
  const [player] = useState(() => new DayPlayer({ atMs: null, speed: USUAL_SPEED }));
  const unit = truck.toMs === null && load.endedMs === null ? unitOf(fleet, truck.unit) : null;
  const solo = useMemo(() => (unit === null ? null : toSoloFleet(unit)), [unit]);
  const sites = useMemo(() => ({ sites: toSites(load) }), [load]);
  const box = withRoom(join(boundsOfStops(load), day === null ? null : boundsOfDays([day]))).join();
  // A trail that grows within the same bounds leaves the map where the user moved it.
  const bounds = useMemo(() => box.split(',').map(Number) as unknown as Bounds, [box]);
  useEffect(() => {
    if (day !== null) player.setRange({ fromMs: day.fromMs, endMs: day.endMs, firstMs: day.endMs });
  }, [player, day]);
  const isRead = day !== null;
  useEffect(() => {
    if (isRead) map.current?.fitFleet();
  }, [isRead]);
  return (
    <>
      <div className={styles.map}>
        <FleetMap
          ref={map}
          fleet={solo}
          sites={sites}
          initialBounds={bounds}
          tiles={tiles}
          padding={UNCOVERED}
          describe={() => toUnitSummary(unit!, null, 0, 0, null)}
          overlay={{
            name: 'the load',
            bounds,
            marks: day === null ? [] : pathOf(day).stops,
            render: (leaflet) =>
              day === null ? null : (
                <TrailOverlay
                  map={leaflet}
                  day={day}
                  player={player}
                  name={nameOf(truck.unit)}
                  // The load's stops have numbers of their own.
                  isNumbered={false}
                />
              ),
          }}
        />
      </div>
      <p className="lh-note" role="status">
        {error === null
          ? `Truck ${nameOf(truck.unit)} while it had the load; straight lines between fixes`
          : error.message}
      </p>
    </>
  );
};
