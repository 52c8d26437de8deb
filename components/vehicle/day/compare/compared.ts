import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { trailOptions } from '@/lib/past/queries';
import { toReadDay, type DayRange } from '../use-day';
import type { Day } from '@/lib/trips/trips';
import { unitTitle } from '@/lib/view/unit-name';
import { findRow } from '@/lib/view/unit-row';
import { UNNAMED, type UnitIdentity } from '@/lib/wire/fleet';

/** Besides the truck of the page. */
export const MOST_OTHERS = 5;

/** A truck beside the one of the page, on the same range. */
export interface ComparedTruck {
  vin: string;
  identity: UnitIdentity;
  /** "Truck 243". */
  title: string;
  /** Null while it is loaded. */
  day: Day | null;
  problem: string | null;
}

/** The days of other trucks of the fleet, over the range of the page's own truck. */
export const useCompared = (vins: readonly string[], range: DayRange): ComparedTruck[] => {
  const usdot = useUsdot();
  const { fleet } = useReading();
  const select = useMemo(() => toReadDay(range), [range]);
  return useQueries({
    queries: vins.map((vin) => ({
      ...trailOptions(usdot, vin, range.fromMs, range.toMs, range.everyMs),
      select,
      structuralSharing: false,
    })),
    combine: (results) =>
      results.map(({ data, error, failureReason }, i) => {
        const vin = vins[i]!;
        const row = fleet === null ? -1 : findRow(fleet, vin);
        const identity = fleet?.identities[row] ?? { ...UNNAMED, key: vin, vin };
        const problem = data === undefined ? ((error ?? failureReason)?.message ?? null) : null;
        return { vin, identity, title: unitTitle(identity), day: data ?? null, problem };
      }),
  });
};
