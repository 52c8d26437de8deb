import { queryOptions, useQuery } from '@tanstack/react-query';
import { fetchJson, shouldRetry } from '@/lib/browser/fetch-json';
import { recordedDaysSchema, trailSchema } from './schema';

/** A range that has not ended grows; it is read again this often. */
const GROWS_EVERY_MS = 15_000;
const DAYS_EVERY_MS = 10 * 60_000;

const trailOptions = (usdot: string, vin: string, fromMs: number, toMs: number, isGrowing: boolean) =>
  queryOptions({
    queryKey: ['fleets', usdot, 'units', vin, 'trail', fromMs, toMs],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/units/${encodeURIComponent(vin)}/trail?from=${fromMs}&to=${toMs}`,
        trailSchema,
        { signal },
      ),
    refetchInterval: isGrowing ? GROWS_EVERY_MS : false,
    staleTime: isGrowing ? 0 : 60_000,
    gcTime: 5 * 60_000,
    retry: shouldRetry,
    networkMode: 'always',
  });

/** The recorded fixes of a unit in a range, Unix ms; nothing while the range is not known. */
export const useTrail = (
  usdot: string,
  vin: string,
  range: { fromMs: number; toMs: number } | null,
  isGrowing: boolean,
) =>
  useQuery({
    ...trailOptions(usdot, vin, range?.fromMs ?? 0, range?.toMs ?? 0, isGrowing),
    enabled: range !== null,
  });

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
