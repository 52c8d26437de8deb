'use client';

import { Modal } from '@mantine/core';
import type { ModalProps } from '@mantine/core';

interface DeskDialogProps extends Pick<ModalProps, 'title' | 'size' | 'children' | 'onClose'> {
  /** It shows what is shown once: a slip of the finger does not close it. */
  isHeld?: boolean;
}

/** Its head is no banner: a page has one. */
const ATTRIBUTES = { header: { role: 'none' } };

/** A dialog over a manager's page. */
export const DeskDialog = ({ isHeld = false, ...props }: DeskDialogProps) => (
  <Modal
    opened
    closeOnClickOutside={!isHeld}
    closeOnEscape={!isHeld}
    closeButtonProps={{ 'aria-label': 'Close' }}
    attributes={ATTRIBUTES}
    {...props}
  />
);
