import { useQuery } from '@tanstack/react-query';
import { recordedHoursSchema } from '@/lib/history/schema';
import { fetchJson, shouldRetry } from '../fetch-json';

const REFETCH_MS = 60_000;

/** What is recorded of a fleet between two moments, Unix ms; requested again while that still grows. */
export const usePastHours = (usdot: string, fromMs: number, toMs: number, isGrowing: boolean) =>
  useQuery({
    queryKey: ['fleets', usdot, 'past', fromMs, toMs],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/past/hours?from=${fromMs}&to=${toMs}`,
        recordedHoursSchema,
        { signal },
      ),
    retry: shouldRetry,
    networkMode: 'always',
    staleTime: isGrowing ? REFETCH_MS : Infinity,
    refetchInterval: isGrowing ? REFETCH_MS : false,
  });
