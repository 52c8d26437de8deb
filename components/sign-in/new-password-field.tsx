import { PasswordInput } from '@mantine/core';
import { MIN_PASSWORD_CHARACTERS } from '@/lib/auth/schema';

interface NewPasswordFieldProps {
  /** Whose it will be; left out where a field of the form asks for that. */
  email?: string;
  label: string;
  fault: string | undefined;
}

/** A new password; the address before it lets the browser keep both together. */
export const NewPasswordField = ({ email, label, fault }: NewPasswordFieldProps) => (
  <>
    {email === undefined ? null : (
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
    )}
    <PasswordInput
      name="password"
      label={label}
      description={`At least ${MIN_PASSWORD_CHARACTERS} characters`}
      size="md"
      autoComplete="new-password"
      required
      error={fault}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    />
  </>
);
