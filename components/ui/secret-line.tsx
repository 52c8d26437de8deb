'use client';

import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import styles from './secret-line.module.css';

/** A text to take away, with a button that copies it. */
export const SecretLine = ({ label, text }: { label: string; text: string }) => {
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <div className={styles.line}>
      <span className={styles.label}>{label}</span>
      <code className={styles.text} aria-label={label}>
        {text}
      </code>
      <Button variant="default" aria-label={`Copy ${label}`} onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
};
