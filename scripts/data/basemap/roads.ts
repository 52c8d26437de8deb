import { toLines } from './encode';
import type { OverviewFile } from '@/components/map/base-map/basemap-file';
import { INTERSTATES } from '@/lib/roads/interstates';

/** The interstates, one entry a name. */
export const buildRoads = (): OverviewFile['roads'] => {
  const chains = new Map<string, number[][][]>();
  for (const { name, waypoints } of INTERSTATES) {
    const points = waypoints.map(([lat, lng]) => [lng, lat]);
    chains.set(name, [...(chains.get(name) ?? []), points]);
  }
  return [...chains].map(([name, lines]) => ({ name, lines: toLines(lines) }));
};
