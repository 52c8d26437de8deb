import { useCallback, useMemo } from 'react';
import { useReading } from '@/components/fleet-state/fleet-context';
import { unitName } from '@/lib/view/unit-name';
import { findRow, readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { Fleet, UnitIdentity } from '@/lib/wire/fleet';

/** The unit of a key in the fleet on the screen; null where that has none. */
export const unitOf = (fleet: Fleet | null, key: string | null): UnitRow | null => {
  const row = fleet === null || key === null ? -1 : findRow(fleet, key);
  return fleet === null || row < 0 ? null : readUnitRow(fleet, row);
};

/** Names a truck of the fleet by its key; of one that is not there, the end of its key. */
export const useTruckName = (): ((key: string) => string) => {
  const identities = useReading().fleet?.identities;
  const byKey = useMemo(
    () =>
      new Map(
        identities?.flatMap((each): [string, UnitIdentity][] => (each ? [[each.key, each]] : [])) ?? [],
      ),
    [identities],
  );
  return useCallback(
    (key) => {
      const identity = byKey.get(key);
      return identity === undefined ? key.slice(-6) : unitName(identity);
    },
    [byKey],
  );
};
