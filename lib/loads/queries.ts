import { useQuery } from '@tanstack/react-query';
import { HOUR_MS } from '@/lib/base/time';
import { PERSISTENT } from '@/lib/browser/fetch-json';
import type { HeldLoads } from './answers';

/** Verdicts change with the polls of a fleet; another user's change is on the screen as soon. */
export const REFETCH_MS = 15_000;

export const loadsKey = (usdot: string) => ['fleets', usdot, 'loads'];

/** The loads of a fleet that are under way or ended within the last week; they are read once `isWanted`, and from then on what has changed of them. Their reader comes with the first answer. */
export const useLoads = (usdot: string, isWanted = true) =>
  useQuery({
    queryKey: [...loadsKey(usdot), 'all'],
    queryFn: async ({ signal, client, queryKey }) =>
      (await import('./answers')).readLoads(usdot, client.getQueryData<HeldLoads>(queryKey), signal),
    enabled: isWanted,
    // What has not changed is the same already.
    structuralSharing: false,
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
    ...PERSISTENT,
  });

/** Loads of the past are read for so long at a time. */
const BLOCK_MS = 6 * HOUR_MS;

/** The loads that trucks had around a moment in the past, Unix ms, and their marks at each moment there. */
export const usePastLoads = (usdot: string, past: { atMs: number } | null) => {
  const fromMs = Math.floor((past?.atMs ?? 0) / BLOCK_MS) * BLOCK_MS;
  const range = { fromMs, toMs: fromMs + BLOCK_MS };
  return useQuery({
    queryKey: [...loadsKey(usdot), 'past', fromMs],
    queryFn: async ({ signal }) => (await import('./past-loads')).readPastLoads(usdot, range, signal),
    enabled: past !== null,
    staleTime: REFETCH_MS,
  });
};
