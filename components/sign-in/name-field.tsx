import { TextInput } from '@mantine/core';

/** What others read of who did something. */
export const NameField = ({ fault }: { fault: string | undefined }) => (
  <TextInput name="name" label="Your name" size="md" autoComplete="name" required error={fault} />
);
