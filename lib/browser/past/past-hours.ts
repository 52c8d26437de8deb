import { useQuery } from '@tanstack/react-query';
import { list, nullable, number, object, oneOf, text } from '@/lib/wire/shape';
import type { ShapeOf } from '@/lib/wire/shape';
import { fetchJson, shouldRetry } from '../fetch-json';

const hoursSchema = object({
  /** When the fleet was recorded and when not, ascending, Unix ms. */
  coverage: list(
    object({
      fromMs: number,
      toMs: number,
      state: oneOf(['answered', 'failing', 'notRunning', 'lost'] as const),
      problem: nullable(text),
    }),
  ),
  /** How many units moved in each step of time. */
  moving: object({ stepMs: number, fromMs: number, counts: list(number) }),
});
export type PastHours = ShapeOf<typeof hoursSchema>;

const REFETCH_MS = 60_000;

/** What is recorded of a fleet between two moments, Unix ms; asked for again while it still grows. */
export const usePastHours = (usdot: string, fromMs: number, toMs: number, isGrowing: boolean) =>
  useQuery({
    queryKey: ['fleets', usdot, 'past', fromMs, toMs],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/past/hours?from=${fromMs}&to=${toMs}`,
        hoursSchema,
        { signal },
      ),
    retry: shouldRetry,
    networkMode: 'always',
    staleTime: isGrowing ? REFETCH_MS : Infinity,
    refetchInterval: isGrowing ? REFETCH_MS : false,
  });
