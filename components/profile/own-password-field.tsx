import { PasswordInput } from '@mantine/core';

interface OwnPasswordFieldProps {
  label: string;
  fault: string | undefined;
}

/** The password that somebody has, asked for again before their account is changed. */
export const OwnPasswordField = ({ label, fault }: OwnPasswordFieldProps) => (
  <PasswordInput
    name="password"
    label={label}
    size="md"
    autoComplete="current-password"
    autoFocus
    required
    error={fault}
    visibilityToggleButtonProps={{ 'aria-label': 'Show your password' }}
  />
);
