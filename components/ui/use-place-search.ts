'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FoundPlace } from '@/lib/gazetteer/place';
import type { ZipTable } from '@/lib/gazetteer/zip';
import { fetchTable, loadTable } from './use-places';

const loadZips = async () => {
  const [table, { createZipSearch }, places] = await Promise.all([
    fetchTable<ZipTable>('zips'),
    import('@/lib/gazetteer/zip'),
    loadTable(),
  ]);
  return createZipSearch(table, places.createPlaces(places.table).describe);
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
