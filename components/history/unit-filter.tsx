import { Select } from '@mantine/core';
import { useState } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { chosenText, searchUnits } from '@/components/fleet-state/search-units';
import { fold } from '@/lib/base/text/text';
import { parseVin } from '@/lib/identity/vin';
import { ALL_UNITS, type ChosenUnits } from '@/lib/reports/chosen';
import { useTags } from '@/lib/tags/queries';
import styles from './history.module.css';

const [UNIT, TAG] = ['unit:', 'tag:'];

const toValue = ({ unit, tag }: ChosenUnits): string | null =>
  unit !== null ? `${UNIT}${unit}` : tag !== null ? `${TAG}${tag}` : null;

const fromValue = (value: string | null): ChosenUnits => ({
  unit: value?.startsWith(UNIT!) ? value.slice(UNIT!.length) : null,
  tag: value?.startsWith(TAG!) ? value.slice(TAG!.length) : null,
});

interface UnitFilterProps {
  chosen: ChosenUnits;
  onChoose: (chosen: ChosenUnits) => void;
}

/** Limits a report to a truck, or to the trucks with a tag. */
export const UnitFilter = ({ chosen, onChoose }: UnitFilterProps) => {
  const { fleet } = useReading();
  const { data } = useTags(useUsdot());
  const [typed, setTyped] = useState('');
  const value = toValue(chosen);
  const label = chosenText(fleet, chosen) ?? '';
  // While it shows what is chosen, it searches nothing.
  const wanted = typed === label ? '' : typed;
  const tags = (data?.tags ?? []).map(({ tag }) => ({ value: `${TAG}${tag}`, label: `Tag: ${tag}` }));
  const units = searchUnits(fleet)(wanted).map((unit) => ({ ...unit, value: `${UNIT}${unit.value}` }));
  // A truck that is in the list no more is found by its VIN.
  const vin = parseVin(wanted);
  const found = [
    ...tags.filter((tag) => fold(tag.label).includes(fold(wanted.trim()))),
    ...(vin !== null && units.length === 0 ? [{ value: `${UNIT}${vin}`, label: vin }] : units),
  ];
  const hasNoTruck =
    chosen.tag !== null && data !== undefined && !data.tags.some(({ tag }) => tag === chosen.tag);
  const isListed = value === null || found.some((each) => each.value === value);
  return (
    <Select
      aria-label="Truck or tag"
      placeholder="All trucks"
      className={styles.filter}
      clearable
      clearButtonProps={{ 'aria-label': 'All trucks' }}
      searchable
      error={hasNoTruck ? 'No truck has this tag.' : null}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(next) => onChoose(next === null ? ALL_UNITS : fromValue(next))}
      data={isListed ? found : [{ value: value, label }, ...found]}
      // The search has chosen what is shown.
      filter={({ options }) => options}
      nothingFoundMessage="Nothing matches."
      maxDropdownHeight={320}
    />
  );
};
