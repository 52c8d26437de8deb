'use client';

import { useState } from 'react';
import { splitUsdots } from '@/lib/users/text';
import { SelectField, TextField } from '../ui/form-fields';

const FLEETS = [
  { value: 'all', label: 'All fleets' },
  { value: 'some', label: 'Only these USDOT numbers' },
];

interface FleetFieldsProps {
  /** The fleets that are chosen to begin with; null: all. */
  usdots: readonly string[] | null;
  /** The fleets that the manager may give: null for all. */
  ownUsdots: readonly string[] | null;
}

/** Which fleets somebody, or a screen, may see. */
export const FleetFields = ({ usdots, ownUsdots }: FleetFieldsProps) => {
  const [isLimited, setLimited] = useState(usdots !== null || ownUsdots !== null);
  return (
    <>
      <SelectField
        name="fleets"
        label="Fleets"
        data={ownUsdots === null ? FLEETS : FLEETS.slice(1)}
        value={isLimited ? 'some' : 'all'}
        onChange={({ currentTarget }) => setLimited(currentTarget.value === 'some')}
      />
      {isLimited ? (
        <TextField
          name="usdots"
          label="USDOT numbers"
          description={
            ownUsdots === null ? 'With a comma or a blank between them' : `Of ${ownUsdots.join(', ')}`
          }
          defaultValue={usdots?.join(', ') ?? ''}
          inputMode="numeric"
          autoComplete="off"
        />
      ) : null}
    </>
  );
};

/** The USDOT numbers that were chosen; null: all. */
export const readFleetFields = (fields: FormData): string[] | null =>
  fields.get('fleets') === 'all' ? null : splitUsdots(String(fields.get('usdots') ?? ''));
