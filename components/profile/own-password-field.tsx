import { PasswordInput } from '@mantine/core';
import type { FormFields } from '@/components/ui/api-form';

interface OwnPasswordFieldProps {
  label: string;
  form: FormFields;
}

/** The user's password, which a change of the account needs again. */
export const OwnPasswordField = ({ label, form }: OwnPasswordFieldProps) => (
  <PasswordInput
    label={label}
    size="md"
    autoComplete="current-password"
    autoFocus
    required
    visibilityToggleButtonProps={{ 'aria-label': 'Show your password' }}
    {...form.field('password')}
  />
);
