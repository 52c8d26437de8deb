import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PERSISTENT } from '@/lib/browser/fetch-json';
import { readEndedLoads, readLoad } from './answers';
import type { EndedLoads } from './load';
import { REFETCH_MS, loadsKey } from './queries';

/** The loads that ended in a range; null: none are wanted. */
export const useEndedLoads = (usdot: string, wanted: EndedLoads | null) =>
  useQuery({
    queryKey: [...loadsKey(usdot), 'ended', wanted],
    queryFn: ({ signal }) => readEndedLoads(usdot, wanted!, signal),
    enabled: wanted !== null,
    staleTime: REFETCH_MS,
    placeholderData: keepPreviousData,
    ...PERSISTENT,
  });

/** A load with what happened to it. */
export const useLoad = (usdot: string, id: number) =>
  useQuery({
    queryKey: [...loadsKey(usdot), id],
    queryFn: ({ signal }) => readLoad(usdot, id, signal),
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
    ...PERSISTENT,
  });
