import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useReading } from '@/components/fleet-state/fleet-context';
import { StatusGlyph } from '@/components/map/status-glyph';
import { isEnter } from '@/components/ui/shortcuts';
import { Popup } from '@/components/ui/popup/popup';
import { createMatcher } from '@/lib/view/search';
import { unitTitle } from '@/lib/view/unit-name';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './compare.module.css';
import { MOST_OTHERS } from '../use-day-address';

const MOST_FOUND = 8;

/** The first trucks that a query finds, by number before others, of those that have a VIN and are not shown yet. */
const findUnits = (fleet: Fleet, query: string, shown: readonly string[]): UnitRow[] => {
  const matches = createMatcher(fleet, query);
  const [byNumber, others]: [number[], number[]] = [[], []];
  fleet.identities.forEach((identity, row) => {
    const key = identity?.key;
    if (key === undefined || key !== identity?.vin || shown.includes(key)) return;
    if (matches !== null && !matches(row)) return;
    (identity.truckNumber?.startsWith(query.trim()) ? byNumber : others).push(row);
  });
  return [...byNumber, ...others].slice(0, MOST_FOUND).flatMap((row) => readUnitRow(fleet, row) ?? []);
};

interface CompareMenuProps {
  /** Of the truck of the page. */
  vin: string;
  others: readonly string[];
  onChange: (others: string[]) => void;
}

/** Adds trucks to compare the day with, found by number, VIN or plate. */
export const CompareMenu = ({ vin, others, onChange }: CompareMenuProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popup
      kind="dialog"
      width={300}
      position="bottom-start"
      isOpen={isOpen}
      onOpenChange={setOpen}
      target={
        <Button variant="default" h={36} px={12} fz={13}>
          Compare…
        </Button>
      }
    >
      {others.length >= MOST_OTHERS ? (
        <p className={styles.hint}>
          {MOST_OTHERS + 1} trucks are shown, which is the most. Remove one first.
        </p>
      ) : (
        <Finder
          shown={[vin, ...others]}
          onFound={(found) => {
            setOpen(false);
            onChange([...others, found]);
          }}
        />
      )}
    </Popup>
  );
};

const Finder = ({ shown, onFound }: { shown: readonly string[]; onFound: (vin: string) => void }) => {
  const { fleet } = useReading();
  const [query, setQuery] = useState('');
  const found = fleet === null ? [] : findUnits(fleet, query, shown);
  const [first] = found;
  return (
    <>
      <TextInput
        data-autofocus
        autoFocus
        type="search"
        aria-label="Truck to compare with"
        placeholder="Truck, VIN, plate, make, device"
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        onKeyDown={(event) => isEnter(event) && first?.identity.vin && onFound(first.identity.vin)}
      />
      <ul className={styles.found}>
        {found.map((unit) => (
          <li key={unit.identity.key}>
            <button type="button" onClick={() => onFound(unit.identity.key)}>
              <StatusGlyph status={unit.status} headingDeg={unit.headingDeg} size={18} />
              <span>{unitTitle(unit.identity)}</span>
              <small>{[unit.identity.make, unit.identity.model].filter(Boolean).join(' ')}</small>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className={styles.hint}>No trucks match.</p> : null}
    </>
  );
};
