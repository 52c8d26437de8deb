'use client';

import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useViewer } from '@/components/layout/viewer-context';
import { AdminPage } from '@/components/admin/admin-page';
import styles from '@/components/admin/admin-page.module.css';
import { useUsers } from '@/lib/users/queries';
import { UserDialog } from './user-dialog';
import type { UserTask } from './user-dialog';
import { InvitationTable, UserTable } from './user-table';

/** Who may sign in: invited, given a role and fleets, and shut out. */
export const UsersPage = () => {
  const viewer = useViewer();
  const { data, error } = useUsers();
  const [task, setTask] = useState<UserTask | null>(null);
  const isDemo = viewer.kind === 'demo';
  return (
    <AdminPage
      title="Users"
      actions={
        <Button
          leftSection={<IconPlus size={18} stroke={2} />}
          disabled={data === undefined || isDemo}
          onClick={() => setTask({ kind: 'invite' })}
        >
          Invite a user
        </Button>
      }
      lead={
        isDemo
          ? undefined
          : 'A change holds at once, also for who is signed in. Who is invited chooses their own password.'
      }
      error={error}
    >
      {isDemo ? (
        <p className={styles.nothing}>
          The demo opens signed in, so it has no users. Start Linehaul with ACCOUNTS=required, and everybody
          signs in: the first start then prints how to make the first manager.
        </p>
      ) : data === undefined ? (
        error === null && <Skeleton height={180} radius="md" />
      ) : (
        <>
          <UserTable users={data.users} ownId={viewer.id} nowMs={data.nowMs} onTask={setTask} />
          {data.invitations.length === 0 ? null : (
            <>
              <h2 className={styles.head}>Invitations</h2>
              <InvitationTable invitations={data.invitations} nowMs={data.nowMs} onTask={setTask} />
            </>
          )}
        </>
      )}
      {task === null ? null : <UserDialog task={task} onClose={() => setTask(null)} />}
    </AdminPage>
  );
};
