import { queryOptions, useQuery } from '@tanstack/react-query';
import { unitAnswerSchema } from '@/lib/wire/unit';
import { fetchJson, shouldRetry } from './fetch-json';

const ASK_AGAIN_MS = 15_000;

const unitOptions = (usdot: string, vin: string) =>
  queryOptions({
    queryKey: ['fleets', usdot, 'units', vin],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/units/${encodeURIComponent(vin)}`,
        unitAnswerSchema,
        { signal },
      ),
    refetchInterval: ASK_AGAIN_MS,
    retry: shouldRetry,
    networkMode: 'always',
  });

/** One unit as the provider reports it now, requested by its VIN every 15 s. */
export const useUnit = (usdot: string, vin: string) => useQuery(unitOptions(usdot, vin));
