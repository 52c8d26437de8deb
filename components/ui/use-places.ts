'use client';
import { useQuery } from '@tanstack/react-query';
import type { PlaceTable } from '@/lib/gazetteer/place';
import type { LatLng } from '@/lib/wire/units';

const MAX_NAMES = 5000;

/** A table of public/places/. */
export const fetchTable = async <Table>(name: string): Promise<Table> => {
  const response = await fetch(`/places/${name}.json`);
  if (!response.ok) throw new Error(`The table of ${name} answered ${response.status}.`);
  return (await response.json()) as Table;
};

/** The table of places, and the code that reads it. */
export const loadTable = async () => {
  const [table, code] = await Promise.all([
    fetchTable<PlaceTable>('places'),
    import('@/lib/gazetteer/place'),
  ]);
  return { table, ...code };
};

const loadPlaces = async (): Promise<(at: LatLng) => string> => {
  const { table, createPlaces, UNNAMED } = await loadTable();
  const places = createPlaces(table);
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

/**
 * The place name of a position, such as "8 mi NE of Amarillo, TX"; null until the table of places is loaded, which begins
 * when it is first wanted.
 */
export const usePlaces = (isWanted = true): ((at: LatLng) => string) | null => {
  const { data } = useQuery({
    queryKey: ['places'],
    queryFn: loadPlaces,
    enabled: isWanted,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data ?? null;
};
