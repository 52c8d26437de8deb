import { useQuery } from '@tanstack/react-query';
import type { LatLng } from '@/lib/geo/units';

/** The table is fetched beside the code that reads it. */
const loadPlaces = async (): Promise<(at: LatLng) => string> => {
  const [response, { toPlaceNames }] = await Promise.all([
    fetch('/places/places.json'),
    import('./place-table'),
  ]);
  return toPlaceNames(response);
};

/** The place name of a position ("8 mi NE of Amarillo, TX"); null until the table of places is loaded. */
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
