import { queryOptions, useQuery } from '@tanstack/react-query';
import { vinCarrierSchema } from '@/lib/wire/carrier';
import { fetchJson, shouldRetry } from './fetch-json';

const HOUR_MS = 60 * 60_000;

const vinCarrierOptions = (usdot: string, vin: string | null) =>
  queryOptions({
    queryKey: ['fleets', usdot, 'carrier', vin],
    queryFn: ({ signal }) =>
      fetchJson(`/api/fleets/${usdot}/carrier/${encodeURIComponent(vin ?? '')}`, vinCarrierSchema, {
        signal,
      }),
    enabled: vin !== null,
    staleTime: HOUR_MS,
    retry: shouldRetry,
    networkMode: 'always',
  });

/**
 * The motor carrier that a VIN is registered to, according to the fleet's provider; sends no request for a
 * unit without a VIN.
 */
export const useVinCarrier = (usdot: string, vin: string | null) => useQuery(vinCarrierOptions(usdot, vin));
