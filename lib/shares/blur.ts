import { METERS_PER_DEGREE, RADIANS_PER_DEGREE, distanceM, wrapLng } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { MINUTE_MS } from '@/lib/base/time';
import { AREA_RADIUS_M } from './schema';
import type { SharedItem, SharedWindow } from './view';

/** What a blurred link shows of an item until it is taken again, Unix ms. */
export interface TakenPosition extends LatLng {
  /** The key of its truck. */
  unit: string;
  takenMs: number;
  /** The truck was in the area when this fix was made. */
  fixAtMs: number;
  /** What the truck did then. */
  status: SharedItem['status'];
  /** When it arrives at the stop that was next then. */
  window: SharedWindow | null;
  next: number | null;
}

/** What is shown is taken so often at most, however often it is asked for. */
export const TAKEN_EVERY_MS = 15 * MINUTE_MS;
/** Windows reach to the full half hours about them. */
const WINDOW_STEP_MS = 30 * MINUTE_MS;

/** The side of a cell whose corners are so far from its center as an area reaches. */
const CELL_M = AREA_RADIUS_M * Math.SQRT2;
const CELL_DEG = CELL_M / METERS_PER_DEGREE;

/** The center of the cell of a fixed grid that a position is in: no more than AREA_RADIUS_M from it. */
export const toCell = ({ lat, lng }: LatLng): LatLng => {
  const row = Math.floor(lat / CELL_DEG);
  // The side that is nearer to the equator is the longer one.
  const widest = Math.min(Math.abs(row), Math.abs(row + 1)) * CELL_DEG;
  const columnDeg = CELL_DEG / Math.cos(widest * RADIANS_PER_DEGREE);
  return {
    lat: (row + 0.5) * CELL_DEG,
    lng: wrapLng((Math.floor(lng / columnDeg) + 0.5) * columnDeg),
  };
};

/** Whether another position may be taken. */
export const isDue = (taken: TakenPosition | null, nowMs: number): boolean =>
  taken === null || nowMs - taken.takenMs >= TAKEN_EVERY_MS;

/**
 * What is shown from now on: the area that was shown while the truck is in it, else the one where it is. At no time more is
 * shown than that it is in an area, and the fixes in between leave no trace.
 */
export const take = (
  taken: TakenPosition | null,
  seen: LatLng & Omit<TakenPosition, 'lat' | 'lng'>,
): TakenPosition => {
  const { window, next, unit, status } = seen;
  const area = taken !== null && distanceM(taken, seen) <= AREA_RADIUS_M ? taken : toCell(seen);
  return {
    ...{ lat: area.lat, lng: area.lng, takenMs: seen.takenMs, fixAtMs: seen.fixAtMs, unit, status, next },
    window: window && {
      isGraded: window.isGraded,
      fromMs: Math.floor(window.fromMs / WINDOW_STEP_MS) * WINDOW_STEP_MS,
      toMs: Math.ceil(window.toMs / WINDOW_STEP_MS) * WINDOW_STEP_MS,
    },
  };
};

/** A distance as coarsely as an area, m. */
export const roundLeftM = (meters: number): number => Math.round(meters / AREA_RADIUS_M) * AREA_RADIUS_M;
