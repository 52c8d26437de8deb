'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FoundPlace, PlaceTable } from '@/lib/gazetteer/place';
import type { ZipTable } from '@/lib/gazetteer/zip';
import type { LatLng } from '@/lib/wire/units';

const MAX_NAMES = 5000;

const fetchTable = async <Table>(name: string): Promise<Table> => {
  const response = await fetch(`/places/${name}.json`);
  if (!response.ok) throw new Error(`The table of ${name} answered ${response.status}.`);
  return (await response.json()) as Table;
};

const loadTable = async () => {
  const [table, code] = await Promise.all([
    fetchTable<PlaceTable>('places'),
    import('@/lib/gazetteer/place'),
  ]);
  return { table, ...code };
};

const loadZips = async () => {
  const [table, { createZipSearch }, places] = await Promise.all([
    fetchTable<ZipTable>('zips'),
    import('@/lib/gazetteer/zip'),
    loadTable(),
  ]);
  return createZipSearch(table, places.createPlaces(places.table).describe);
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

/**
 * Finds places by the beginning of their names, and by ZIP codes; null until the table is loaded, which begins when it is
 * first wanted. The table of ZIP codes is loaded when `text`, which is typed, looks like one.
 */
export const usePlaceSearch = (isWanted: boolean, text: string) => {
  const { data: search } = useQuery({
    queryKey: ['place search'],
    queryFn: async () => {
      const { table, createPlaceSearch } = await loadTable();
      return createPlaceSearch(table);
    },
    enabled: isWanted,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const { data: findZip } = useQuery({
    queryKey: ['zip codes'],
    queryFn: loadZips,
    enabled: isWanted && /^\s*\d{4}/.test(text),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return useMemo(() => {
    if (search === undefined) return null;
    return (typed: string, most: number): FoundPlace[] => {
      const zip = findZip?.(typed);
      return zip == null ? search(typed, most) : [zip];
    };
  }, [search, findZip]);
};
