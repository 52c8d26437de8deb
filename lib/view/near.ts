import { distanceM, toBounds, type Bounds } from '@/lib/geo/geodesy';
import { toMapLng } from '@/lib/geo/projection';
import { readUnitRow } from './unit-row';
import { NO_POSITION, type Fleet } from '@/lib/wire/fleet';
import { DEGREES_PER_E5, type LatLng, METERS_PER_MILE } from '@/lib/geo/units';
import { flagBit } from '@/lib/motion/status';
import { formatDuration } from './format';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';

/** A unit by its row, and how far it is in a straight line. */
interface NearUnit {
  row: number;
  distanceM: number;
}

const HALF_RADIANS_PER_E5 = ((Math.PI / 180) * DEGREES_PER_E5) / 2;
const IMPLAUSIBLE = flagBit('implausiblePosition');

/**
 * The units of some rows that are nearest to a place, at most `most`, the nearest first, without those at no position
 * or a wrong one. A plain pass that compares haversines: an index would have to be built with every poll.
 */
export const nearestUnits = (fleet: Fleet, rows: Int32Array, at: LatLng, most: number): NearUnit[] => {
  const { latE5, lngE5, flags } = fleet.columns;
  const [atLatE5, atLngE5] = [at.lat / DEGREES_PER_E5, at.lng / DEGREES_PER_E5];
  const cosAt = Math.cos(2 * HALF_RADIANS_PER_E5 * atLatE5);
  const nearest: { row: number; haversine: number }[] = [];
  let limit = Infinity;
  let mostLatE5 = Infinity;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const lat = latE5[row]!;
    if (lat === NO_POSITION || (flags[row]! & IMPLAUSIBLE) !== 0) continue;
    if (Math.abs(lat - atLatE5) > mostLatE5) continue;
    const sinLat = Math.sin((lat - atLatE5) * HALF_RADIANS_PER_E5);
    const sinLng = Math.sin((lngE5[row]! - atLngE5) * HALF_RADIANS_PER_E5);
    const haversine = sinLat * sinLat + cosAt * Math.cos(2 * HALF_RADIANS_PER_E5 * lat) * sinLng * sinLng;
    if (haversine >= limit) continue;
    let place = nearest.length;
    while (place > 0 && nearest[place - 1]!.haversine > haversine) place--;
    nearest.splice(place, 0, { row, haversine });
    if (nearest.length > most) nearest.pop();
    if (nearest.length < most) continue;
    limit = nearest[most - 1]!.haversine;
    mostLatE5 = Math.asin(Math.sqrt(Math.min(1, limit))) / HALF_RADIANS_PER_E5;
  }
  return nearest.map(({ row }) => ({
    row,
    distanceM: distanceM(at, { lat: latE5[row]! * DEGREES_PER_E5, lng: lngE5[row]! * DEGREES_PER_E5 }),
  }));
};

/** So many of the nearest units are shown with a place that is chosen. */
const SHOWN_UNITS = 5;

/** Bounds that hold a place and those of some units that are nearest to it. */
export const boundsAbout = (fleet: Fleet | null, rows: Int32Array, place: LatLng): Bounds => {
  const units = fleet === null ? [] : nearestUnits(fleet, rows, place, SHOWN_UNITS);
  const places = units.flatMap(({ row }) => readUnitRow(fleet!, row)?.position ?? []);
  return toBounds([place, ...places].map(({ lat, lng }) => [lat, toMapLng(lng)]))!;
};

/** Roads are longer than a straight line by about this much. */
const ROAD_FACTOR = 1.25;
const ROAD_MPH = 50;

export const DRIVE_TIME_NOTE = `Distances are straight lines. Drive times are estimates: distance × ${ROAD_FACTOR} at ${ROAD_MPH} mph.`;

/** How long a drive takes, estimated from its straight line: "about 19 min". */
export const driveTimeText = (straightM: number): string => {
  const hours = ((straightM / METERS_PER_MILE) * ROAD_FACTOR) / ROAD_MPH;
  return `about ${formatDuration(Math.max(MINUTE_MS, Math.round(hours * 60) * (HOUR_MS / 60)))}`;
};
