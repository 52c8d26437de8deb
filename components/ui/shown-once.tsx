'use client';

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { SecretLine } from './secret-line';
import styles from './send-form.module.css';

interface ShownOnceProps {
  /** What it is and what to do with it. */
  children: ReactNode;
  texts: readonly { label: string; text: string }[];
  onClose: () => void;
}

/** What is told this once in a dialog: in words, as texts to take away, and the way out. */
export const ShownOnce = ({ children, texts, onClose }: ShownOnceProps) => (
  <div className={styles.form}>
    <p>{children}</p>
    {texts.map(({ label, text }) => (
      <SecretLine key={label} label={label} text={text} />
    ))}
    <div className={styles.foot}>
      <Button onClick={onClose}>Done</Button>
    </div>
  </div>
);
