import { useQuery } from '@tanstack/react-query';
import { list, nullable, number, object, text, type ShapeOf } from '@/lib/base/shape';
import type { TimeRange } from '@/lib/base/time';
import { fetchJson, PERSISTENT } from '@/lib/browser/fetch-json';

/** GET /api/fleets/:usdot/units/:vin/loads: the loads that a truck had in a range, Unix ms. */
export const truckLoadsAnswer = object({
  loads: list(
    object({ id: number, reference: text, customer: text, fromMs: number, toMs: nullable(number) }),
  ),
});
export type TruckLoad = ShapeOf<typeof truckLoadsAnswer>['loads'][number];

/** The loads that a truck had in a range, Unix ms; `everyMs`: it grows, and is read again. */
export const useTruckLoads = (
  usdot: string,
  vin: string,
  { fromMs, toMs }: TimeRange,
  everyMs: number | null,
) =>
  useQuery({
    queryKey: ['fleets', usdot, 'units', vin, 'loads', fromMs, toMs],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/units/${encodeURIComponent(vin)}/loads?from=${fromMs}&to=${toMs}`,
        truckLoadsAnswer,
        { signal },
      ),
    refetchInterval: everyMs ?? false,
    ...PERSISTENT,
  });
