import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** A device's position, and its time by the recording's own clock. */
export interface RecordedFix {
  lat: number;
  lng: number;
  atS: number;
}

interface BusRow {
  vehicle_id: string;
  timestamp: string;
  latitude: string;
  longitude: string;
}

/**
 * The newest fixes of each bus of the Austin recording, by its id: several if a bus was recorded twice in its
 * last second. Positions at 0,0 are skipped. Parsed here independently of the product's own reader of
 * recordings.
 */
export const readNewestFixes = (file: string): Map<string, RecordedFix[]> => {
  const newest = new Map<string, RecordedFix[]>();
  const rows = parse(readFileSync(file), { columns: true }) as unknown as BusRow[];
  for (const row of rows) {
    const lat = Number(row.latitude);
    const lng = Number(row.longitude);
    if (lat === 0 && lng === 0) continue;
    const fix = { lat, lng, atS: Date.parse(row.timestamp) / 1000 };
    const held = newest.get(row.vehicle_id);
    const heldAtS = held?.[0]?.atS ?? -Infinity;
    if (fix.atS > heldAtS) newest.set(row.vehicle_id, [fix]);
    else if (fix.atS === heldAtS) held?.push(fix);
  }
  return newest;
};
