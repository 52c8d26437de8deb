'use client';

import { useState } from 'react';
import { AddButton, PageFrame, Empty, Loaded, Section } from '@/components/kit/page-frame';
import { RowAction, Small, Table, type Column } from '@/components/kit/table';
import { useViewer } from '@/components/layout/viewer-context';
import { useUsers } from '@/lib/users/queries';
import type { Invitation, User } from '@/lib/users/schema';
import { ROLE_LABELS, expiryText, fleetsText, linkMailText, unitsText } from '@/lib/users/text';
import { formatMoment } from '@/lib/view/format';
import { UserDialog, type UserTask } from './user-dialogs';

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

interface RowProps {
  nowMs: number;
  onTask: (task: UserTask) => void;
}

interface UserTableProps extends RowProps {
  users: readonly User[];
  ownId: string | null;
}

const ACCESS_COLUMNS: Column<Pick<User, 'role' | 'usdots' | 'tags'>>[] = [
  { label: 'Role', cell: ({ role }) => ROLE_LABELS[role] },
  {
    label: 'Fleets',
    cell: ({ usdots }) => fleetsText(usdots),
    small: ({ tags }) => (tags === null ? null : unitsText(tags)),
  },
];

const UserTable = ({ users, ownId, nowMs, onTask }: UserTableProps) => {
  const isSelf = ({ id }: User): boolean => id === ownId;
  return (
    <Table
      label="Users"
      columns={[
        {
          label: 'Name',
          name: (user) => (isSelf(user) ? `${user.name} (you)` : user.name),
          small: ({ email }) => email,
        },
        ...ACCESS_COLUMNS,
        { label: 'State', cell: (user) => <State user={user} nowMs={nowMs} /> },
      ]}
      rows={users}
      keyOf={({ id }) => id}
      isEnded={({ disabledAtMs }) => disabledAtMs !== null}
      actions={(user) => <UserActions user={user} isSelf={isSelf(user)} onTask={onTask} />}
    />
  );
};

const State = ({ user, nowMs }: { user: User; nowMs: number }) => {
  const { createdAtMs, disabledAtMs, hasSecondFactor, resetMail } = user;
  const resetMailText = resetMail && linkMailText(resetMail);
  return (
    <>
      {disabledAtMs === null ? 'Can sign in' : `Disabled ${formatMoment(disabledAtMs, nowMs)}`}
      <Small>Since {formatMoment(createdAtMs, nowMs)}</Small>
      {hasSecondFactor ? <Small>Second factor set up</Small> : null}
      {resetMailText === null ? null : <Small>Link to a new password: {resetMailText}</Small>}
    </>
  );
};

interface UserActionsProps extends Pick<RowProps, 'onTask'> {
  user: User;
  isSelf: boolean;
}

const UserActions = ({ user, isSelf, onTask }: UserActionsProps) => {
  const isDisabled = user.disabledAtMs !== null;
  const toAction = (label: string, kind: Exclude<UserTask['kind'], 'invite' | 'withdraw'>) => (
    <RowAction label={label} of={user.name} onPress={() => onTask({ kind, user })} />
  );
  return (
    <>
      {toAction('Change', 'change')}
      {isDisabled ? null : toAction('New password', 'reset')}
      {user.hasSecondFactor && !isSelf ? toAction('Remove second factor', 'second-factor') : null}
      {isSelf ? null : isDisabled ? toAction('Enable', 'enable') : toAction('Disable', 'disable')}
    </>
  );
};

interface InvitationTableProps extends RowProps {
  invitations: readonly Invitation[];
}

const InvitationTable = ({ invitations, nowMs, onTask }: InvitationTableProps) => (
  <Table
    label="Invitations"
    columns={[
      {
        label: 'E-mail address',
        name: ({ email }) => email,
        small: ({ invitedBy }) => `Invited by ${invitedBy}`,
      },
      ...ACCESS_COLUMNS,
      {
        label: 'Valid',
        cell: ({ expiresAtMs }) => expiryText(expiresAtMs, nowMs),
        small: linkMailText,
      },
    ]}
    rows={invitations}
    keyOf={({ id }) => id}
    isEnded={({ expiresAtMs }) => expiresAtMs <= nowMs}
    actions={(invitation) => (
      <>
        <RowAction
          label="New link"
          of={invitation.email}
          onPress={() => onTask({ kind: 'invite', again: invitation })}
        />
        <RowAction
          label="Withdraw"
          of={invitation.email}
          onPress={() => onTask({ kind: 'withdraw', invitation })}
        />
      </>
    )}
  />
);
