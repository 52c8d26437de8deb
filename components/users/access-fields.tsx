import { NativeSelect } from '@mantine/core';
import { FleetFields, toUsdots } from '@/components/admin/fleet-fields';
import type { FleetValues } from '@/components/admin/fleet-fields';
import type { FormFields } from '@/components/ui/api-form';
import { ROLE_WORDS } from '@/lib/users/text';
import type { Role } from '@/lib/auth/viewer';

const ROLES = (Object.keys(ROLE_WORDS) as Role[]).map((value) => ({ value, label: ROLE_WORDS[value] }));

export interface AccessValues extends FleetValues {
  role: Role;
}

interface AccessFieldsProps {
  form: FormFields<AccessValues>;
  /** The fleets that the manager may give: null for all. */
  ownUsdots: readonly string[] | null;
}

/** What a user may do, and with which fleets. */
export const AccessFields = ({ form, ownUsdots }: AccessFieldsProps) => (
  <>
    <NativeSelect
      label="Role"
      description="A dispatcher sees map, list, vehicles and roster; a manager also users, keys, devices, status and the audit log."
      data={ROLES}
      {...form.field('role')}
    />
    <FleetFields form={form} ownUsdots={ownUsdots} />
  </>
);

/** The access as the server reads it. */
export const toAccess = (values: AccessValues) => ({ role: values.role, usdots: toUsdots(values) });
