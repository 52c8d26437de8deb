'use client';

import { useState } from 'react';
import { AddButton, PageFrame, Empty, Loaded, Section } from '@/components/kit/page-frame';
import { useViewer } from '@/components/layout/viewer-context';
import { useUsers } from '@/lib/users/queries';
import { UserDialog, type UserTask } from './user-dialogs';
import { InvitationTable, UserTable } from './user-table';

/** Users and invitations, where a manager invites, changes and disables them. */
export const UsersPage = () => {
  const viewer = useViewer();
  const query = useUsers();
  const [task, setTask] = useState<UserTask | null>(null);
  const isDemo = viewer.kind === 'demo';
  return (
    <PageFrame
      title="Users"
      actions={
        <AddButton disabled={query.data === undefined || isDemo} onClick={() => setTask({ kind: 'invite' })}>
          Invite a user
        </AddButton>
      }
      lead={
        isDemo
          ? undefined
          : 'Changes take effect at once, also for users who are signed in. Invited users choose their own password.'
      }
      error={query.error}
    >
      {isDemo ? (
        <Empty>
          The demo opens signed in, so it has no users. Start Linehaul with ACCOUNTS=required, and everyone
          signs in. At its first start, the server prints how to create the first manager.
        </Empty>
      ) : (
        <Loaded query={query}>
          {({ users, invitations, nowMs }) => (
            <>
              <UserTable users={users} ownId={viewer.id} nowMs={nowMs} onTask={setTask} />
              {invitations.length === 0 ? null : (
                <Section title="Invitations">
                  <InvitationTable invitations={invitations} nowMs={nowMs} onTask={setTask} />
                </Section>
              )}
            </>
          )}
        </Loaded>
      )}
      {task === null ? null : <UserDialog task={task} onClose={() => setTask(null)} />}
    </PageFrame>
  );
};
