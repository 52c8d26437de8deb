'use client';

import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { SecretLine } from './secret-line';

interface ShownOnceProps {
  /** What it is and what to do with it. */
  children: ReactNode;
  texts: readonly { label: string; text: string }[];
  onClose: () => void;
}

/** Secrets that a dialog shows once, each with a button that copies it. */
export const ShownOnce = ({ children, texts, onClose }: ShownOnceProps) => (
  <Stack gap={16}>
    <p>{children}</p>
    {texts.map(({ label, text }) => (
      <SecretLine key={label} label={label} text={text} />
    ))}
    <Group justify="flex-end">
      <Button onClick={onClose}>Done</Button>
    </Group>
  </Stack>
);
