import { useReducedMotion } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { useReading, useServerNowMs } from '@/components/fleet-state/fleet-context';
import { useSites } from '@/components/fleet-state/sites';
import { FleetMap } from '@/components/map/fleet-map';
import type { FleetMapHandle, MapPadding } from '@/components/map/fleet-map-props';
import { magnifyMaps } from '@/components/map/pixel-ratio';
import type { UnitSummary } from '@/components/map/unit-summary';
import type { MapTiles } from '@/lib/map/schema';
import { formatCount } from '@/lib/view/format';
import { toTypeVh, type ScreenDisplay } from '@/lib/wall-screens/distance';
import { findStop, listStops } from '@/lib/wall-screens/regions';
import styles from './wall-screen.module.css';

const NO_PADDING: MapPadding = { top: 0, right: 0, bottom: 0, left: 0 };
/** The size of type that the map is drawn for: names of towns and numbers of trucks. */
const MAP_TYPE_PX = 16;
const LEAST_TYPE_PX = 14;
/** A screen that does not rotate shows the whole fleet again after this long, as its trucks have moved. */
const REFIT_MS = 5 * 60_000;
const FADE_MS = 700;
const CREDITS = 'max(14px, 1.3vmin)';

/** How many times larger than on a desk the map is shown. */
const toScale = (typeVh: number): number =>
  Math.max(LEAST_TYPE_PX, (typeVh / 100) * Math.min(window.innerHeight, window.innerWidth)) / MAP_TYPE_PX;

const useScale = (typeVh: number): number | null => {
  const [scale, setScale] = useState<number | null>(null);
  useEffect(() => {
    const measure = (): void => {
      magnifyMaps(toScale(typeVh));
      setScale(toScale(typeVh));
    };
    measure();
    window.addEventListener('resize', measure);
    return () => {
      window.removeEventListener('resize', measure);
      magnifyMaps(1);
    };
  }, [typeVh]);
  return scale;
};

interface WallMapProps extends ScreenDisplay {
  tiles: MapTiles | null;
  /** Whose fleet it is; null: there is only one. */
  carrier: string | null;
}

/** The fleet on a map that goes from region to region if that is wished, and is not moved by hand. */
export const WallMap = ({ tiles, carrier, distance, isRotating }: WallMapProps) => {
  const { fleet } = useReading();
  const sites = useSites();
  const scale = useScale(toTypeVh(distance));
  const map = useRef<FleetMapHandle>(null);
  const { label, isFading } = useRotation(map, isRotating);
  const caption = [carrier, label].filter(Boolean).join(' · ');
  return (
    <section className={styles.map} aria-label="Map">
      {scale === null ? null : (
        <div className={styles.scaled} data-fading={isFading} style={toScaled(scale)}>
          <FleetMap
            // A map does not notice that its scale has changed.
            key={scale}
            ref={map}
            isDisplay
            fleet={fleet}
            sites={sites === null ? null : { sites }}
            // Magnified, the public server's tiles are blurred; and across a room no one can act on their absence.
            tiles={tiles?.kind === 'raster' && tiles.isDefault ? null : tiles}
            padding={NO_PADDING}
            describe={describeNothing}
          />
        </div>
      )}
      {caption === '' ? null : <p className={styles.region}>{caption}</p>}
    </section>
  );
};

/** Laid out smaller by the scale, and shown larger by it; the credits stay as they are. */
const toScaled = (scale: number): CSSProperties =>
  ({
    ...{ width: `${100 / scale}%`, height: `${100 / scale}%`, scale: String(scale) },
    '--lh-credits': `calc(${CREDITS} / ${scale})`,
  }) as CSSProperties;

/** Nothing on the map is selected. */
const describeNothing = (): UnitSummary => {
  throw new Error('A unit of a wall screen is described, which has no selection.');
};

/** Shows the fleet and its regions in turn: the map fades out and in, or changes at once where motion is not wanted. */
const useRotation = (map: RefObject<FleetMapHandle | null>, isRotating: boolean) => {
  const { fleet } = useReading();
  const isStill = useReducedMotion();
  const nowMs = useServerNowMs();
  const stops = useMemo(() => (fleet === null || !isRotating ? [] : listStops(fleet)), [fleet, isRotating]);
  const index = stops.length < 2 ? 0 : findStop(stops.length, nowMs);
  const stop = stops[index];
  const name = stop?.region ?? null;
  const [shown, setShown] = useState<string | null>(null);
  const turn = isRotating ? (name ?? '') : String(Math.floor(nowMs / REFIT_MS));
  const bounds = stop?.bounds ?? null;
  const latest = useRef(bounds);
  useEffect(() => {
    latest.current = bounds;
  });
  useEffect(() => {
    const show = (): void => {
      if (map.current === null) {
        // Its code is still to come.
        timer = setTimeout(show, FADE_MS);
        return;
      }
      if (latest.current === null) map.current.fitFleet();
      else map.current.fit(latest.current);
      setShown(turn);
    };
    let timer = setTimeout(show, isStill ? 0 : FADE_MS);
    return () => clearTimeout(timer);
  }, [map, turn, isStill]);
  const label =
    stop && stops.length > 1 ? `${name ?? 'Whole fleet'} · ${formatCount(stop.units, 'truck')}` : null;
  return { label, isFading: isRotating && !isStill && shown !== null && shown !== turn };
};
