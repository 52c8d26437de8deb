import { IconArrowBackUp, IconX } from '@tabler/icons-react';
import type { LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useState } from 'react';
import { useAnnounce } from '@/components/ui/announcer';
import { isWithin, OVERLAID } from '@/components/ui/shortcuts';
import { distanceM } from '@/lib/geo/geodesy';
import { toMapLng } from '@/lib/geo/projection';
import type { LatLng } from '@/lib/geo/units';
import { toUncoveredCenter } from '../camera/safe-area';
import type { MapPadding } from '../fleet-map-props';
import { useMapEvents } from '../leaflet-hooks';
import styles from './measure.module.css';
import { legText, measure } from './measure-text';

/** A second press so near to the last point is that of a double click. */
const SAME_POINT_PX = 4;
/** A shorter part of the line has no room for its length. */
const LEAST_LABEL_PX = 64;

interface MeasureProps {
  map: LeafletMap;
  padding: MapPadding;
  onEnd: () => void;
}

const toPoint = (map: LeafletMap, { lat, lng }: LatLng) => map.latLngToContainerPoint([lat, lng]);

/** The middle of the part of the map that nothing covers, where the keyboard sets its points. */
const toCross = (map: LeafletMap, padding: MapPadding) => {
  const { x, y } = map.getSize();
  return toUncoveredCenter({ width: x, height: y }, padding);
};

/** The points that are set by clicks on the map, or by Enter at its middle. */
const usePoints = ({ map, padding, onEnd }: MeasureProps) => {
  const [points, setPoints] = useState<readonly LatLng[]>([]);
  const [pointer, setPointer] = useState<LatLng | null>(null);
  const [isKeyed, setKeyed] = useState(() => document.querySelector(':focus-visible') !== null);
  const [, draw] = useState(0);
  const redraw = (): void => draw((count) => count + 1);
  const add = ({ lat, lng }: LatLng): void => {
    const point = { lat, lng: toMapLng(lng) };
    const last = points.at(-1);
    if (last !== undefined && toPoint(map, last).distanceTo(toPoint(map, point)) < SAME_POINT_PX) return;
    setPoints([...points, point]);
  };
  const addAtCross = (): void => {
    const { x, y } = toCross(map, padding);
    add(map.containerPointToLatLng([x, y]).wrap());
  };
  const undo = (): void => setPoints(points.slice(0, -1));
  useMapEvents(map, {
    click: ({ latlng }: LeafletMouseEvent) => add(latlng.wrap()),
    mousemove: ({ latlng }: LeafletMouseEvent) => {
      setPointer(latlng.wrap());
      setKeyed(false);
    },
    mouseout: () => setPointer(null),
    move: redraw,
    zoomend: redraw,
    resize: redraw,
  });
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (isWithin(event.target, OVERLAID)) return;
    const isOnMap = event.target === map.getContainer();
    if (isOnMap) setKeyed(true);
    if (event.key === 'Escape') onEnd();
    else if (isOnMap && (event.key === 'Enter' || event.key === ' ')) addAtCross();
    else if (isOnMap && event.key === 'Backspace') undo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const container = map.getContainer();
    map.doubleClickZoom?.disable();
    container.classList.add(styles.measured!);
    container.focus({ preventScroll: true });
    // Before the keys of the list and of the map.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => {
      map.doubleClickZoom?.enable();
      container.classList.remove(styles.measured!);
      document.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [map]);
  return { points, pointer, isKeyed, undo, clear: () => setPoints([]) };
};

/** Measures the length of a line and the area that it encloses, point by point. */
export const Measure = (props: MeasureProps) => {
  const { map, padding, onEnd } = props;
  const { points, pointer, isKeyed, undo, clear } = usePoints(props);
  const { length, area } = measure(points);
  const announce = useAnnounce();
  useEffect(
    () => announce('Measuring. Enter sets a point at the middle of the map, Escape ends.'),
    [announce],
  );
  return (
    <>
      <Line
        map={map}
        points={points}
        next={isKeyed ? null : pointer}
        cross={isKeyed ? toCross(map, padding) : null}
      />
      <div
        className={styles.place}
        style={{ left: padding.left, right: padding.right, bottom: padding.bottom }}
        role="group"
        aria-label="Measure"
      >
        <div className={styles.card}>
          <p role="status">
            {length === null ? (
              points.length === 0 ? (
                'Click the map. By keyboard: arrows move it, Enter sets a point at the cross.'
              ) : (
                'Set the next point.'
              )
            ) : (
              <>
                <b>{length}</b>
                {area === null ? null : <span>Area {area}</span>}
              </>
            )}
          </p>
          {points.length === 0 ? null : (
            <>
              <button type="button" title="Remove the last point (Backspace)" onClick={undo}>
                <IconArrowBackUp size={18} stroke={1.8} aria-hidden="true" />
                <span className="visually-hidden">Remove the last point</span>
              </button>
              <button type="button" onClick={clear}>
                Clear
              </button>
            </>
          )}
          <button type="button" title="End measuring (Esc)" onClick={onEnd}>
            <IconX size={18} stroke={1.8} aria-hidden="true" />
            <span className="visually-hidden">End measuring</span>
          </button>
        </div>
      </div>
    </>
  );
};

interface LineProps {
  map: LeafletMap;
  points: readonly LatLng[];
  /** Where the pointer is; null: not over the map. */
  next: LatLng | null;
  cross: { x: number; y: number } | null;
}

/** The line with the lengths of its parts, the area that it encloses, and the way to the pointer. */
const Line = ({ map, points, next, cross }: LineProps) => {
  const placed = points.map((point) => toPoint(map, point));
  const toNext = next === null ? cross : toPoint(map, { ...next, lng: toMapLng(next.lng) });
  const last = placed.at(-1);
  const path = placed.map(({ x, y }) => `${x},${y}`).join(' ');
  return (
    <svg className={styles.line} aria-hidden="true">
      {placed.length < 3 ? null : <polygon points={path} />}
      <polyline points={path} data-casing />
      <polyline points={path} />
      {last === undefined || toNext === null ? null : (
        <line x1={last.x} y1={last.y} x2={toNext.x} y2={toNext.y} />
      )}
      {placed.map(({ x, y }, i) => (
        <circle key={i} cx={x} cy={y} r={4.5} />
      ))}
      {placed.slice(1).map((to, i) => {
        const from = placed[i]!;
        if (from.distanceTo(to) < LEAST_LABEL_PX) return null;
        return (
          <text key={i} x={(from.x + to.x) / 2} y={(from.y + to.y) / 2 - 6}>
            {legText(distanceM(points[i]!, points[i + 1]!))}
          </text>
        );
      })}
      {cross === null ? null : (
        <path d={`M${cross.x - 12} ${cross.y}h24m-12 -12v24`} className={styles.cross} />
      )}
    </svg>
  );
};
