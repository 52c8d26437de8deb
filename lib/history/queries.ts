import { queryOptions, useQuery } from '@tanstack/react-query';
import { fetchJson, shouldRetry } from '@/lib/browser/fetch-json';
import { recordedDaysSchema, trailSchema } from './schema';

const DAYS_EVERY_MS = 10 * 60_000;

const trailOptions = (usdot: string, vin: string, fromMs: number, toMs: number, everyMs: number | null) =>
  queryOptions({
    queryKey: ['fleets', usdot, 'units', vin, 'trail', fromMs, toMs],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/units/${encodeURIComponent(vin)}/trail?from=${fromMs}&to=${toMs}`,
        trailSchema,
        { signal },
      ),
    refetchInterval: everyMs ?? false,
    staleTime: everyMs === null ? 60_000 : 0,
    gcTime: 5 * 60_000,
    retry: shouldRetry,
    networkMode: 'always',
  });

/** The recorded fixes of a unit in a range, Unix ms; `everyMs`: it grows, and is read again. */
export const useTrail = (
  usdot: string,
  vin: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  everyMs: number | null,
) => useQuery(trailOptions(usdot, vin, fromMs, toMs, everyMs));

/** The days of a time zone in which a fleet was recorded. */
export const useRecordedDays = (usdot: string, zone: string | null) =>
  useQuery({
    queryKey: ['fleets', usdot, 'recorded days', zone],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/recorded-days?zone=${encodeURIComponent(zone ?? '')}`,
        recordedDaysSchema,
        { signal },
      ),
    enabled: zone !== null,
    staleTime: DAYS_EVERY_MS,
    retry: shouldRetry,
    networkMode: 'always',
  });
