'use client';

import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { AdminPage } from '@/components/admin/admin-page';
import styles from '@/components/admin/admin-page.module.css';
import { useApiKeys } from '@/lib/api-keys/queries';
import { KeyDialog } from './key-dialogs';
import type { KeyTask } from './key-dialogs';
import { KeyTable } from './key-table';

/** The keys of the tracking API that this server serves: made, narrowed, rotated and ended. */
export const ApiKeysPage = () => {
  const { data, error } = useApiKeys();
  const [task, setTask] = useState<KeyTask | null>(null);
  return (
    <AdminPage
      title="API Keys"
      actions={
        <Button
          leftSection={<IconPlus size={18} stroke={2} />}
          disabled={!data || data.carriers.length === 0}
          onClick={() => setTask({ kind: 'add' })}
        >
          Add a key
        </Button>
      }
      lead={
        <>
          With a key and its provider token a program of yours reads a fleet from this server’s tracking API,
          and changes nothing. The API describes itself at <a href="/tracking/docs">/tracking/docs</a>.
        </>
      }
      error={error}
    >
      {data === undefined ? (
        error === null && <Skeleton height={180} radius="md" />
      ) : data.keys.length === 0 ? (
        <p className={styles.nothing}>There is no key yet.</p>
      ) : (
        <KeyTable keys={data.keys} nowMs={data.nowMs} onTask={setTask} />
      )}
      {task === null || data === undefined ? null : (
        <KeyDialog task={task} carriers={data.carriers} onClose={() => setTask(null)} />
      )}
    </AdminPage>
  );
};
