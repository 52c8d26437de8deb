import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface ProblemNoteProps {
  /** Undefined inside an element that is announced itself. */
  role?: 'alert' | 'note';
  children: ReactNode;
}

/** An error of an input or action, or a warning before it. */
export const ProblemNote = ({ role, children }: ProblemNoteProps) => (
  <Text
    px={12}
    py={10}
    bdrs={8}
    bg="var(--lh-bad-ground)"
    c="var(--lh-silent-text)"
    fz="inherit"
    fw={600}
    lh={1.4}
    role={role}
  >
    {children}
  </Text>
);
