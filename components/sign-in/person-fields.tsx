import { PasswordInput, TextInput } from '@mantine/core';
import type { FormFields } from '@/components/ui/api-form';
import { MIN_PASSWORD_CHARACTERS } from '@/lib/auth/schema';

/** The address that a user signs in by. */
export const EmailField = ({ form, isFirst = false }: { form: FormFields; isFirst?: boolean }) => (
  <TextInput
    type="email"
    label="E-mail address"
    size="md"
    autoComplete="username"
    autoFocus={isFirst}
    spellCheck={false}
    required
    {...form.field('email')}
  />
);

/** The name that other users read. */
export const NameField = ({ form }: { form: FormFields }) => (
  <TextInput label="Your name" size="md" autoComplete="name" required {...form.field('name')} />
);

interface NewPasswordFieldProps {
  form: FormFields;
  label: string;
  /** Undefined where a field of the form asks for it. */
  email?: string;
}

/** A new password, after the address so that the browser stores both together. */
export const NewPasswordField = ({ form, label, email }: NewPasswordFieldProps) => (
  <>
    {email === undefined ? null : (
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
    )}
    <PasswordInput
      label={label}
      description={`At least ${MIN_PASSWORD_CHARACTERS} characters`}
      size="md"
      autoComplete="new-password"
      required
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      {...form.field('password')}
    />
  </>
);
