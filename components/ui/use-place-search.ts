import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  createPlaceSearch,
  createPlaces,
  type FoundPlace,
  type PlaceTable,
  createZipSearch,
  type ZipTable,
} from '@/lib/gazetteer/place';
import { readTable } from './place-table';

const loadPlaces = async (): Promise<PlaceTable> => readTable(await fetch('/places/places.json'));

const loadZips = async () => {
  const [zips, places] = await Promise.all([
    fetch('/places/zips.json').then((response) => readTable<ZipTable>(response)),
    loadPlaces(),
  ]);
  return createZipSearch(zips, createPlaces(places).describe);
};

/** Finds places by their first letters or ZIP code; null until the table, loaded when first wanted, is there. Without it none is found. */
export const usePlaceSearch = (isWanted: boolean, text: string) => {
  const { data: search, isLoading } = useQuery({
    queryKey: ['place search'],
    queryFn: async () => createPlaceSearch(await loadPlaces()),
    enabled: isWanted,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const { data: findZip, isLoading: isZipLoading } = useQuery({
    queryKey: ['zip codes'],
    queryFn: loadZips,
    enabled: isWanted && /(?<!\S)\d{4}/.test(text),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return useMemo(() => {
    if (!isWanted || isLoading || isZipLoading) return null;
    return (typed: string, most: number): FoundPlace[] => {
      const zip = findZip?.(typed);
      return zip == null ? (search?.(typed, most) ?? []) : [zip];
    };
  }, [isWanted, isLoading, isZipLoading, search, findZip]);
};
