'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ROLE_WORDS, splitUsdots } from '@/lib/view/user-words';
import type { Role } from '@/lib/wire/viewer';

/** How the server names what is in the form, and the form to people. */
export const ACCESS_LABELS = { role: 'Role', usdots: 'USDOT numbers' };

const ROLES = (Object.keys(ROLE_WORDS) as Role[]).map((value) => ({ value, label: ROLE_WORDS[value] }));

const FLEETS = [
  { value: 'all', label: 'All fleets' },
  { value: 'some', label: 'Only these USDOT numbers' },
];

interface AccessFieldsProps {
  role: Role;
  /** Null: all. */
  usdots: readonly string[] | null;
  /** The fleets that the manager may give: null for all. */
  ownUsdots: readonly string[] | null;
}

/** What somebody may do, and with which fleets. */
export const AccessFields = ({ role, usdots, ownUsdots }: AccessFieldsProps) => {
  const [isLimited, setLimited] = useState(usdots !== null || ownUsdots !== null);
  return (
    <>
      <NativeSelect
        name="role"
        label="Role"
        description="A dispatcher sees map, list, vehicles and roster; a manager also users, keys, devices, status and the audit log."
        data={ROLES}
        defaultValue={role}
      />
      <NativeSelect
        name="fleets"
        label="Fleets"
        data={ownUsdots === null ? FLEETS : FLEETS.slice(1)}
        value={isLimited ? 'some' : 'all'}
        onChange={({ currentTarget }) => setLimited(currentTarget.value === 'some')}
      />
      {isLimited ? (
        <TextInput
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

/** What was chosen, as the server reads it. */
export const readAccessFields = (fields: FormData): { role: Role; usdots: string[] | null } => ({
  role: fields.get('role') === 'manager' ? 'manager' : 'dispatcher',
  usdots: fields.get('fleets') === 'all' ? null : splitUsdots(String(fields.get('usdots') ?? '')),
});
