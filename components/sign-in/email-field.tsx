import { TextInput } from '@mantine/core';

interface EmailFieldProps {
  fault?: string | undefined;
  /** It is where one begins to type. */
  isFirst?: boolean;
  isRequired?: boolean;
}

/** The address that somebody signs in by. */
export const EmailField = ({ fault, isFirst = false, isRequired = false }: EmailFieldProps) => (
  <TextInput
    name="email"
    type="email"
    label="E-mail address"
    size="md"
    autoComplete="username"
    autoFocus={isFirst}
    spellCheck={false}
    required={isRequired}
    error={fault}
  />
);
