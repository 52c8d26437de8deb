import type { AutocompleteProps } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { usePlaceOf } from '@/components/fleet-state/sites';
import type { FormFields } from '@/components/ui/api-form';
import { useContactOf } from '@/lib/contacts/queries';
import { findBestMatches, searchRows } from '@/lib/view/search';
import { STATUS_LABELS } from '@/lib/view/text';
import { unitName } from '@/lib/view/unit-name';
import { readUnitRow } from '@/lib/view/unit-row';
import { SuggestField } from '@/components/ui/suggest-field';
import { useTruckName } from '@/components/fleet-state/use-trucks';
import { UNKNOWN_TRUCK, truckKeyOf } from './truck-key';

const MOST_TRUCKS = 6;
const NO_IDENTITIES: never[] = [];

/** Finds the key of a truck by its name, also of the truck that a load has. */
export const useTruckKeys = (heldKey: string | null): ((name: string) => string | null) => {
  const identities = useReading().fleet?.identities ?? NO_IDENTITIES;
  const nameOf = useTruckName();
  return useCallback(
    (name) => truckKeyOf(identities, name, heldKey === null ? null : { key: heldKey, name: nameOf(heldKey) }),
    [identities, heldKey, nameOf],
  );
};

type TruckFieldProps = ReturnType<FormFields['field']> &
  Pick<AutocompleteProps, 'description' | 'onFocus'> & {
    'data-autofocus'?: boolean;
    keyOf: (name: string) => string | null;
  };

/** A truck by its number, with suggestions: also by driver, VIN or plate. */
export const TruckField = ({ keyOf, ...props }: TruckFieldProps) => {
  const { fleet } = useReading();
  const placeOf = usePlaceOf();
  const contactOf = useContactOf(useUsdot());
  const typed = String(props.value ?? '');
  const found = useMemo(() => {
    const rows = fleet === null || typed.trim() === '' ? null : searchRows(fleet, typed, null);
    if (fleet === null || rows === null) return null;
    const best = Array.from(
      findBestMatches(fleet, rows, typed).length > 0 ? findBestMatches(fleet, rows, typed) : rows,
    );
    return best.slice(0, MOST_TRUCKS).flatMap((row) => readUnitRow(fleet, row) ?? []);
  }, [fleet, typed]);
  const [first, ...others] = found ?? [];
  // What is there whole needs no suggestion, which would cover the buttons.
  const isWhole = others.length === 0 && first !== undefined && unitName(first.identity) === typed.trim();
  const about = new Map(
    (isWhole ? [] : (found ?? [])).map((unit) => {
      const { key } = unit.identity;
      return [
        unitName(unit.identity),
        [contactOf(key)?.driver, STATUS_LABELS[unit.status], placeOf(unit)].filter(Boolean).join(' · '),
      ];
    }),
  );
  return (
    <SuggestField
      label="Truck"
      placeholder="Number"
      maxLength={100}
      data={[...about.keys()]}
      renderOption={({ option: { value } }) => (
        <span className="lh-cut">
          {/* On the chosen option the color of dim text could not be read. */}
          <b>{value}</b> <span style={{ opacity: 0.85 }}>{about.get(value)}</span>
        </span>
      )}
      {...props}
      error={props.error ?? (found?.length === 0 && keyOf(typed) === null ? UNKNOWN_TRUCK : undefined)}
    />
  );
};
