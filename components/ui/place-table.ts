import { UNNAMED, createPlaces, type PlaceTable } from '@/lib/gazetteer/place';
import type { LatLng } from '@/lib/geo/units';

const MAX_NAMES = 5000;

/** The table of a response of public/places/. */
export const readTable = async <Table>(response: Response): Promise<Table> => {
  if (!response.ok) throw new Error(`A table of places answered ${response.status}.`);
  return (await response.json()) as Table;
};

/** Names positions by the table of places of a response. */
export const toPlaceNames = async (response: Response): Promise<(at: LatLng) => string> => {
  const places = createPlaces(await readTable<PlaceTable>(response));
  const names = new Map<string, string>();
  return (at) => {
    // About 100 m, within which the name does not change.
    const key = `${at.lat.toFixed(3)},${at.lng.toFixed(3)}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    if (names.size >= MAX_NAMES) names.clear();
    const name = places.describe(at) ?? UNNAMED;
    names.set(key, name);
    return name;
  };
};
