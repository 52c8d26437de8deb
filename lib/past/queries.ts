import { queryOptions, useQuery } from '@tanstack/react-query';
import { fetchJson, PERSISTENT } from '@/lib/browser/fetch-json';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { decodeFixes, recordedDaysSchema, tailsSchema, trailSchema } from './schema';
import type { TailMinutes } from '@/lib/view/view-state';
import type { UnitDetail } from '@/lib/wire/unit';
import { type TimeRange, HOUR_MS } from '@/lib/base/time';

const DAYS_EVERY_MS = 60_000;

const toTrailUrl = (usdot: string, vin: string, fromMs: number, toMs: number): string =>
  `/api/fleets/${encodeURIComponent(usdot)}/units/${encodeURIComponent(vin)}/trail?from=${fromMs}&to=${toMs}`;

/** `everyMs`: it grows, and is read again. */
export const trailOptions = (
  usdot: string,
  vin: string,
  fromMs: number,
  toMs: number,
  everyMs: number | null,
) =>
  queryOptions({
    queryKey: ['fleets', usdot, 'units', vin, 'trail', fromMs, toMs],
    queryFn: ({ signal }) => fetchJson(toTrailUrl(usdot, vin, fromMs, toMs), trailSchema, { signal }),
    refetchInterval: everyMs ?? false,
    staleTime: everyMs === null ? 60_000 : 0,
    gcTime: 5 * 60_000,
    ...PERSISTENT,
  });

/** The recorded fixes of a unit in a range, Unix ms; `everyMs`: it grows, and is read again. */
export const useTrail = (usdot: string, vin: string, { fromMs, toMs }: TimeRange, everyMs: number | null) =>
  useQuery(trailOptions(usdot, vin, fromMs, toMs, everyMs));

const RECENT_MS = 4 * HOUR_MS;

/** Where a unit was in the last hours, by the rules of the live status. */
export const readRecentTrail = async (
  usdot: string,
  vin: string,
  skewMs: number,
  signal: AbortSignal,
): Promise<UnitDetail['track']> => {
  const nowMs = Math.round(Date.now() + skewMs);
  const url = toTrailUrl(usdot, vin, nowMs - RECENT_MS, nowMs + 60_000);
  const [{ toTrail }, { fixes }] = await Promise.all([
    import('@/lib/trips/trail'),
    fetchJson(url, trailSchema, { signal }),
  ]);
  const { points } = toTrail(decodeFixes(fixes), DEFAULT_MOTION_SETTINGS);
  return points.filter(({ fixAtMs }) => fixAtMs >= nowMs - RECENT_MS);
};

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
    ...PERSISTENT,
  });

/** South, west, north, east, in degrees. */
export type TailBox = readonly [number, number, number, number];

/** Where the units of a box went in the last minutes; nothing without a box. What they do since is not in it. */
export const useTails = (usdot: string, minutes: TailMinutes, box: TailBox | null) =>
  useQuery({
    queryKey: ['fleets', usdot, 'tails', minutes, box],
    queryFn: ({ signal }) => {
      const [south, west, north, east] = (box ?? []).map(String);
      const query = new URLSearchParams({ minutes: String(minutes), south, west, north, east } as Record<
        string,
        string
      >);
      return fetchJson(`/api/fleets/${encodeURIComponent(usdot)}/tails?${query.toString()}`, tailsSchema, {
        signal,
      });
    },
    enabled: box !== null,
    staleTime: Infinity,
    gcTime: 0,
    ...PERSISTENT,
  });
