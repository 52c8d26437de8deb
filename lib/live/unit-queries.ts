import { useQuery } from '@tanstack/react-query';
import { unitAnswerSchema, unitDetailSchema, vinCarrierSchema } from '@/lib/wire/unit';
import { fetchJson, shouldRetry, type Schema } from '@/lib/browser/fetch-json';
import { HOUR_MS } from '@/lib/base/time';

const REFETCH_MS = 15_000;

/** How JSON below a fleet's own address is read; `path` ends with a VIN or a key. */
const readOf = <T>(usdot: string, path: 'units' | 'carrier' | 'live', name: string, schema: Schema<T>) => ({
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    fetchJson(`/api/fleets/${encodeURIComponent(usdot)}/${path}/${encodeURIComponent(name)}`, schema, {
      signal,
    }),
  retry: shouldRetry,
  networkMode: 'always' as const,
});

/** One unit as the provider reports it now, requested by its VIN every 15 s. */
export const useUnit = (usdot: string, vin: string) =>
  useQuery({
    queryKey: ['fleets', usdot, 'units', vin],
    ...readOf(usdot, 'units', vin, unitAnswerSchema),
    refetchInterval: REFETCH_MS,
  });

/** The motor carrier that a VIN is registered to, by the fleet's provider; no request without a VIN. */
export const useVinCarrier = (usdot: string, vin: string | null) =>
  useQuery({
    queryKey: ['fleets', usdot, 'carrier', vin],
    ...readOf(usdot, 'carrier', vin ?? '', vinCarrierSchema),
    enabled: vin !== null,
    staleTime: HOUR_MS,
  });

/** The feed's detail of one unit, requested again with every version; the older one is shown until it arrives. */
export const useUnitDetail = (usdot: string, key: string | null, version: string) =>
  useQuery({
    // Without a unit, no version makes an entry of its own.
    queryKey: ['fleets', usdot, 'units', key, 'detail', key === null ? null : version],
    ...readOf(usdot, 'live', key ?? '', unitDetailSchema),
    placeholderData: (previous) => (previous?.identity.key === key ? previous : undefined),
    enabled: key !== null,
    staleTime: Infinity,
    gcTime: 30_000,
  });
