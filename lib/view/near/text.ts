import { METERS_PER_MILE, type LatLng } from '@/lib/geo/units';
import { formatDuration } from '../format';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';

/** Roads are longer than a straight line by about this much. */
const ROAD_FACTOR = 1.25;
const ROAD_MPH = 50;

export const DRIVE_TIME_NOTE = `Distances are straight lines. Drive times are estimates: distance × ${ROAD_FACTOR} at ${ROAD_MPH} mph.`;

/** How long a drive takes, estimated from its straight line: "about 19 min". */
export const driveTimeText = (straightM: number): string => {
  const hours = ((straightM / METERS_PER_MILE) * ROAD_FACTOR) / ROAD_MPH;
  return `about ${formatDuration(Math.max(MINUTE_MS, Math.round(hours * 60) * (HOUR_MS / 60)))}`;
};

/** "35.20000, -101.83000". */
export const coordinatesText = ({ lat, lng }: LatLng): string => `${lat.toFixed(5)}, ${lng.toFixed(5)}`;

const COORDINATES = /^(-?\d{1,2}(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d{1,3}(?:\.\d+)?)$/;

/** The coordinates in a text, decimal degrees as our panels show and copy them; null where it has none. */
export const parseCoordinates = (text: string): LatLng | null => {
  const match = COORDINATES.exec(text.trim().replaceAll('−', '-'));
  if (!match) return null;
  const [lat, lng] = [Number(match[1]), Number(match[2])];
  return Math.abs(lat) <= 85 && Math.abs(lng) <= 180 ? { lat, lng } : null;
};
