'use client';
import { useQuery } from '@tanstack/react-query';
import { createPlaces } from '@/lib/gazetteer/place';
import type { PlaceTable } from '@/lib/gazetteer/place';
import type { LatLng } from '@/lib/wire/units';

const MAX_REMEMBERED = 5000;
const UNNAMED = 'Far from any named place';

const loadPlaces = async (): Promise<(at: LatLng) => string> => {
  const response = await fetch('/places/places.json');
  if (!response.ok) throw new Error(`The table of places answered ${response.status}.`);
  const places = createPlaces((await response.json()) as PlaceTable);
  const remembered = new Map<string, string>();
  return (at) => {
    // About 100 m: a place in words does not change within that.
    const key = `${at.lat.toFixed(3)},${at.lng.toFixed(3)}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const words = places.describe(at) ?? UNNAMED;
    remembered.set(key, words);
    return words;
  };
};

/** Names positions in words; null while the table of places is on its way, or cannot be had. */
export const usePlaces = (): ((at: LatLng) => string) | null => {
  const { data } = useQuery({
    queryKey: ['places'],
    queryFn: loadPlaces,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data ?? null;
};
