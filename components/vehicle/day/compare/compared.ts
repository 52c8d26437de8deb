import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { trailOptions } from '@/lib/history/queries';
import { toReadDay } from '../use-day';
import type { DayRange } from '../use-day';
import type { Day } from '@/lib/history/day/trips';
import { unitTitle } from '@/lib/view/unit-name';
import { findRow } from '@/lib/view/unit-row';
import { UNNAMED } from '@/lib/wire/fleet';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { Theme } from '@/components/map/palette';

/** Besides the truck of the page. */
export const MOST_OTHERS = 5;

/** How the lines of the other trucks differ: each has a color and a dash of its own. */
const COLORS: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#7b3fb5', '#b8450d', '#0e7490', '#8a5a00', '#b3176b'],
  dark: ['#c4a1f2', '#fb923c', '#4fd0e6', '#e6b422', '#f58bbf'],
};
const DASHES: readonly (readonly number[])[] = [
  [14, 5],
  [3, 5],
  [14, 4, 3, 4],
  [7, 5],
  [22, 4, 3, 4, 3, 4],
];

export interface TruckStyle {
  color: string;
  dash: readonly number[];
}

/** The line of another truck, by its place among them. */
export const toTruckStyle = (index: number, theme: Theme): TruckStyle => ({
  color: COLORS[theme][index]!,
  dash: DASHES[index]!,
});

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
