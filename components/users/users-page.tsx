'use client';

import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useViewer } from '@/components/account/viewer-context';
import styles from '@/components/desk/desk-page.module.css';
import { useLeaveWhenSignedOut } from '@/components/desk/use-leave-when-signed-out';
import { useUsers } from '@/lib/queries/users';
import { UserDialog } from './user-dialog';
import type { UserTask } from './user-dialog';
import { InvitationTable, UserTable } from './user-table';
import own from './users-page.module.css';

/** Who may sign in: invited, given a role and fleets, and shut out. */
export const UsersPage = () => {
  const viewer = useViewer();
  const { data, error } = useUsers();
  useLeaveWhenSignedOut(error);
  const [task, setTask] = useState<UserTask | null>(null);
  const isDemo = viewer.kind === 'demo';
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <h1 className={styles.title}>Users</h1>
        <Button
          leftSection={<IconPlus size={18} stroke={2} />}
          disabled={data === undefined || isDemo}
          onClick={() => setTask({ kind: 'invite' })}
        >
          Invite a user
        </Button>
      </div>
      {isDemo ? (
        <p className={styles.nothing}>
          The demo opens signed in, so it has no users. Start Linehaul with ACCOUNTS=required, and everybody
          signs in: the first start then prints how to make the first manager.
        </p>
      ) : (
        <p className={styles.lead}>
          A change holds at once, also for who is signed in. Who is invited chooses their own password.
        </p>
      )}
      {error === null ? null : (
        <p className={styles.failure} role="alert">
          {error.message}
        </p>
      )}
      {isDemo ? null : data === undefined ? (
        error === null && <Skeleton height={180} radius="md" />
      ) : (
        <>
          <UserTable users={data.users} ownId={viewer.id} nowMs={data.nowMs} onTask={setTask} />
          {data.invitations.length === 0 ? null : (
            <section aria-labelledby="invitations">
              <h2 id="invitations" className={own.head}>
                Invitations
              </h2>
              <InvitationTable invitations={data.invitations} nowMs={data.nowMs} onTask={setTask} />
            </section>
          )}
        </>
      )}
      {task === null ? null : <UserDialog task={task} onClose={() => setTask(null)} />}
    </div>
  );
};
