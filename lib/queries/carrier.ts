import { queryOptions, useQuery } from '@tanstack/react-query';
import { carrierAccountSchema, vinCarrierSchema } from '@/lib/wire/carrier';
import { fetchJson, shouldRetry } from './fetch-json';

const HOUR_MS = 60 * 60_000;

const accountOptions = () =>
  queryOptions({
    queryKey: ['carrier'],
    queryFn: ({ signal }) => fetchJson('/api/carrier', carrierAccountSchema, { signal }),
    staleTime: HOUR_MS,
    retry: shouldRetry,
    networkMode: 'always',
  });

const vinCarrierOptions = (vin: string | null) =>
  queryOptions({
    queryKey: ['carrier', vin],
    queryFn: ({ signal }) =>
      fetchJson(`/api/carrier/${encodeURIComponent(vin ?? '')}`, vinCarrierSchema, { signal }),
    enabled: vin !== null,
    staleTime: HOUR_MS,
    retry: shouldRetry,
    networkMode: 'always',
  });

/** The carrier whose account the server's key belongs to. */
export const useCarrierAccount = () => useQuery(accountOptions());

/** The motor carrier that a VIN is registered to; asks nothing for a unit without one. */
export const useVinCarrier = (vin: string | null) => useQuery(vinCarrierOptions(vin));
