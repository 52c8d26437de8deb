import { rowsInBounds } from '@/lib/view/filter';
import { readAllRows } from '@/lib/view/rows';
import { toBounds, type Bounds } from '@/lib/geo/geodesy';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import type { Fleet } from '@/lib/wire/fleet';

/** A part of the map that a screen shows by itself. */
interface Region {
  name: string;
  bounds: Bounds;
}

/** About the four regions of the US Census Bureau, each a little wider than it is. */
const REGIONS: readonly Region[] = [
  { name: 'West', bounds: [31.2, -124.8, 49.2, -102.0] },
  { name: 'Midwest', bounds: [35.9, -104.1, 49.2, -80.5] },
  { name: 'South', bounds: [25.0, -106.7, 39.8, -75.0] },
  { name: 'Northeast', bounds: [38.8, -80.6, 47.5, -66.9] },
];

const EVERYWHERE: Bounds = [-90, -180, 90, 180];

/** A region, how many units of a fleet are in it now, and where; a null region is the whole fleet. */
export interface RegionStop {
  region: string | null;
  units: number;
  /** Null for the whole fleet, which the map knows. */
  bounds: Bounds | null;
}

/** What a rotating screen shows in turn: the whole fleet, then each region that has some of its units, but not all. */
export const listStops = (fleet: Fleet): RegionStop[] => {
  const rows = readAllRows(fleet);
  const placed = rowsInBounds(fleet, rows, EVERYWHERE).length;
  const { latE5, lngE5 } = fleet.columns;
  const toDegrees = (row: number) => [latE5[row]! * DEGREES_PER_E5, lngE5[row]! * DEGREES_PER_E5] as const;
  const stops = REGIONS.map(({ name, bounds }) => {
    const inside = rowsInBounds(fleet, rows, bounds);
    return { region: name, units: inside.length, bounds: toBounds(Array.from(inside, toDegrees)) };
  });
  return [
    { region: null, units: rows.length, bounds: null },
    ...stops.filter(({ units }) => units > 0 && units < placed),
  ];
};

/** How long the whole fleet and a region are shown, ms. */
const [WHOLE_MS, REGION_MS] = [30_000, 15_000];

/** The index of the stop that is shown at a moment (Unix ms): all screens turn together. */
export const findStop = (stops: number, atMs: number): number => {
  const inRoundMs = atMs % (WHOLE_MS + (stops - 1) * REGION_MS);
  return inRoundMs < WHOLE_MS ? 0 : 1 + Math.floor((inRoundMs - WHOLE_MS) / REGION_MS);
};
