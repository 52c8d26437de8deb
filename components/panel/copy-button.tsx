'use client';

import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useAnnounce } from '@/components/ui/announcer';
import styles from './copy-button.module.css';

/** Copies a text; `what` names it for those who listen ("VIN"). */
export const CopyButton = ({ text, what }: { text: string; what: string }) => {
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const announce = useAnnounce();
  const onClick = () => {
    copy(text);
    announce(`${what} copied`);
  };
  return (
    <ActionIcon
      className={styles.copy}
      variant="subtle"
      color="gray"
      size={26}
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={onClick}
    >
      {copied ? <IconCheck size={15} stroke={2} /> : <IconCopy size={15} stroke={1.75} />}
    </ActionIcon>
  );
};
