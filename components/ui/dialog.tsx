'use client';

import { Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  /** It is left by its buttons alone: what is shown once is not lost by a slip of the finger. */
  isHeld: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Gives the focus back to what had it before, as a dialog goes from the page. */
const useFocusBack = (): void => {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    },
    [opener],
  );
};

/** A dialog over a page of managers. Its head is no banner, of which the page has one. */
export const Dialog = ({ title, isHeld, onClose, children }: DialogProps) => {
  useFocusBack();
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size="lg"
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      returnFocus={false}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={title} radius="lg">
        <Modal.Body className={styles.body}>
          <div className={styles.head}>
            <h2>{title}</h2>
            <Modal.CloseButton aria-label="Close" />
          </div>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
};
