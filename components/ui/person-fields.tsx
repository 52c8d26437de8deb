import { PasswordInput, TextInput } from '@mantine/core';
import { MIN_PASSWORD_CHARACTERS } from '@/lib/auth/schema';
import type { FormFields } from './api-form';

export const EmailField = ({
  form,
  path = 'email',
  isFirst = false,
}: {
  form: FormFields;
  path?: string;
  isFirst?: boolean;
}) => (
  <TextInput
    type="email"
    label="E-mail address"
    size="md"
    autoComplete="username"
    autoFocus={isFirst}
    spellCheck={false}
    required
    {...form.field(path)}
  />
);

export const NameField = ({ form, path = 'name' }: { form: FormFields; path?: string }) => (
  <TextInput label="Your name" size="md" autoComplete="name" required {...form.field(path)} />
);

interface PasswordFieldProps {
  form: FormFields;
  label: string;
  name?: string;
  /** A new password, not the current one. */
  isNew?: boolean;
  isFirst?: boolean;
  /** The user's address if the form has no field for it, so that the browser stores both together. */
  email?: string;
}

export const PasswordField = ({
  form,
  label,
  name = 'password',
  isNew = false,
  isFirst = false,
  email,
}: PasswordFieldProps) => (
  <>
    {email === undefined ? null : (
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
    )}
    <PasswordInput
      label={label}
      description={isNew ? `At least ${MIN_PASSWORD_CHARACTERS} characters` : undefined}
      size="md"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      autoFocus={isFirst}
      required
      visibilityToggleButtonProps={{ 'aria-label': isNew ? 'Show the new password' : 'Show the password' }}
      {...form.field(name)}
    />
  </>
);

interface CodeFieldProps {
  form: FormFields;
  label: string;
  /** It has digits alone, as that of an authenticator app. */
  isNumeric?: boolean;
  /** It has capital letters. */
  isUpperCase?: boolean;
  isFirst?: boolean;
}

export const CodeField = ({
  form,
  label,
  isNumeric = false,
  isUpperCase = false,
  isFirst = false,
}: CodeFieldProps) => (
  <TextInput
    label={label}
    size="md"
    autoComplete="one-time-code"
    inputMode={isNumeric ? 'numeric' : 'text'}
    autoCapitalize={isUpperCase ? 'characters' : 'none'}
    spellCheck={false}
    autoFocus={isFirst}
    required
    {...form.field('code')}
  />
);
