import { Breakable } from '@/components/ui/breakable';
import table from '@/components/admin/admin-table.module.css';
import { AdminTable, RowAction, RowActions } from '@/components/admin/admin-table';
import { momentWords } from '@/lib/view/clock';
import { ROLE_WORDS, expiryWords, fleetsWords } from '@/lib/users/text';
import type { Invitation, User } from '@/lib/users/schema';
import type { UserTask } from './user-dialog';

interface RowProps {
  nowMs: number;
  onTask: (task: UserTask) => void;
}

interface UserTableProps extends RowProps {
  users: readonly User[];
  /** Who looks. */
  ownId: string | null;
}

/** Who may sign in, and who may not any more. */
export const UserTable = ({ users, ownId, ...rest }: UserTableProps) => (
  <AdminTable label="Users" columns={['Name', 'Role', 'Fleets', 'State']}>
    {users.map((user) => (
      <UserRow key={user.id} user={user} isSelf={user.id === ownId} {...rest} />
    ))}
  </AdminTable>
);

const UserRow = ({ user, isSelf, nowMs, onTask }: RowProps & { user: User; isSelf: boolean }) => {
  const { name, email, role, usdots, createdAtMs, disabledAtMs, hasSecondFactor } = user;
  const isDisabled = disabledAtMs !== null;
  return (
    <tr data-ended={isDisabled}>
      <td>
        <span className={table.name}>
          <Breakable text={name} />
          {isSelf ? ' (you)' : ''}
        </span>
        <span className={table.small}>
          <Breakable text={email} />
        </span>
      </td>
      <td data-head="Role">{ROLE_WORDS[role]}</td>
      <td data-head="Fleets">{fleetsWords(usdots)}</td>
      <td data-head="State">
        {isDisabled ? `Disabled ${momentWords(disabledAtMs, nowMs)}` : 'Can sign in'}
        <span className={table.small}>Since {momentWords(createdAtMs, nowMs)}</span>
        {hasSecondFactor ? <span className={table.small}>Second factor set up</span> : null}
      </td>
      <RowActions>
        <RowAction words="Change" of={name} onPress={() => onTask({ kind: 'change', user })} />
        {isDisabled ? null : (
          <RowAction words="New password" of={name} onPress={() => onTask({ kind: 'reset', user })} />
        )}
        {hasSecondFactor && !isSelf ? (
          <RowAction
            words="Remove second factor"
            of={name}
            onPress={() => onTask({ kind: 'second-factor', user })}
          />
        ) : null}
        {isSelf ? null : (
          <RowAction
            words={isDisabled ? 'Enable' : 'Disable'}
            of={name}
            onPress={() => onTask({ kind: isDisabled ? 'enable' : 'disable', user })}
          />
        )}
      </RowActions>
    </tr>
  );
};

/** Who was invited and has not come. */
export const InvitationTable = ({
  invitations,
  nowMs,
  onTask,
}: RowProps & { invitations: readonly Invitation[] }) => (
  <AdminTable label="Invitations" columns={['E-mail address', 'Role', 'Fleets', 'Holds']}>
    {invitations.map((invitation) => {
      const { id, email, role, usdots, invitedBy, expiresAtMs } = invitation;
      return (
        <tr key={id} data-ended={expiresAtMs <= nowMs}>
          <td>
            <span className={table.name}>
              <Breakable text={email} />
            </span>
            <span className={table.small}>
              Invited by <Breakable text={invitedBy} />
            </span>
          </td>
          <td data-head="Role">{ROLE_WORDS[role]}</td>
          <td data-head="Fleets">{fleetsWords(usdots)}</td>
          <td data-head="Holds">{expiryWords(expiresAtMs, nowMs)}</td>
          <RowActions>
            <RowAction
              words="New link"
              of={email}
              onPress={() => onTask({ kind: 'invite', again: invitation })}
            />
            <RowAction words="Withdraw" of={email} onPress={() => onTask({ kind: 'withdraw', invitation })} />
          </RowActions>
        </tr>
      );
    })}
  </AdminTable>
);
