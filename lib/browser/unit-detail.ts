import { queryOptions, useQuery } from '@tanstack/react-query';
import { unitDetailSchema } from '@/lib/wire/unit';
import { fetchJson, shouldRetry } from './fetch-json';

/** The detail of an older version is shown until the newer response arrives. */
const unitDetailOptions = (usdot: string, key: string | null, version: string) =>
  queryOptions({
    queryKey: ['fleets', usdot, 'units', key, 'detail', version],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/live/${encodeURIComponent(key ?? '')}`,
        unitDetailSchema,
        { signal },
      ),
    placeholderData: (previous) => (previous?.identity.key === key ? previous : undefined),
    enabled: key !== null,
    staleTime: Infinity,
    gcTime: 30_000,
    retry: shouldRetry,
    networkMode: 'always',
  });

/**
 * The feed's detail of one unit beyond its row, requested again with every version; nothing without a unit.
 */
export const useUnitDetail = (usdot: string, key: string | null, version: string) =>
  useQuery(unitDetailOptions(usdot, key, version));
