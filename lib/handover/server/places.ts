import 'server-only';
import { UNNAMED } from '@/lib/gazetteer/place';
import type { LatLng } from '@/lib/geo/units';
import { loadPlaceTable } from '@/lib/past/server/places';

/** Names a position as the browser does. */
export type NamePlace = (at: LatLng) => string;

/** @throws where the build's table is missing */
export const loadPlaces = async (): Promise<NamePlace> => {
  const places = await loadPlaceTable();
  return (at) => places.describe(at) ?? UNNAMED;
};
