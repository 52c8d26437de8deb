'use client';

import { FleetFields, readFleetFields } from '@/components/admin/fleet-fields';
import { SelectField } from '@/components/ui/form-fields';
import { ROLE_WORDS } from '@/lib/users/text';
import type { Role } from '@/lib/auth/viewer';

const ROLES = (Object.keys(ROLE_WORDS) as Role[]).map((value) => ({ value, label: ROLE_WORDS[value] }));

interface AccessFieldsProps {
  role: Role;
  /** Null: all. */
  usdots: readonly string[] | null;
  /** The fleets that the manager may give: null for all. */
  ownUsdots: readonly string[] | null;
}

/** What somebody may do, and with which fleets. */
export const AccessFields = ({ role, ...fleets }: AccessFieldsProps) => (
  <>
    <SelectField
      name="role"
      label="Role"
      description="A dispatcher sees map, list, vehicles and roster; a manager also users, keys, devices, status and the audit log."
      data={ROLES}
      defaultValue={role}
    />
    <FleetFields {...fleets} />
  </>
);

/** What was chosen, as the server reads it. */
export const readAccessFields = (fields: FormData): { role: Role; usdots: string[] | null } => ({
  role: fields.get('role') === 'manager' ? 'manager' : 'dispatcher',
  usdots: readFleetFields(fields),
});
