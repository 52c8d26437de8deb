import { Table, Breakable, NameCell, RowAction, RowActions, Small } from '@/components/kit/table';
import type { Invitation, User } from '@/lib/users/schema';
import { ROLE_LABELS, expiryText, fleetsText, linkMailText, unitsText } from '@/lib/users/text';
import { formatMoment } from '@/lib/view/format';
import type { UserTask } from './user-dialogs';

interface RowProps {
  nowMs: number;
  onTask: (task: UserTask) => void;
}

interface UserTableProps extends RowProps {
  users: readonly User[];
  /** The viewer's own id. */
  ownId: string | null;
}

/** Every user, disabled ones included. */
export const UserTable = ({ users, ownId, ...rest }: UserTableProps) => (
  <Table label="Users" columns={['Name', 'Role', 'Fleets', 'State']}>
    {users.map((user) => (
      <UserRow key={user.id} user={user} isSelf={user.id === ownId} {...rest} />
    ))}
  </Table>
);

const ScopeCell = ({ usdots, tags }: Pick<User, 'usdots' | 'tags'>) => (
  <td data-head="Fleets">
    {fleetsText(usdots)}
    {tags === null ? null : <Small>{unitsText(tags)}</Small>}
  </td>
);

const UserRow = ({ user, isSelf, nowMs, onTask }: RowProps & { user: User; isSelf: boolean }) => {
  const { name, email, role, createdAtMs, disabledAtMs, hasSecondFactor } = user;
  const isDisabled = disabledAtMs !== null;
  const resetMailText = user.resetMail && linkMailText(user.resetMail);
  const toAction = (label: string, kind: Exclude<UserTask['kind'], 'invite' | 'withdraw'>) => (
    <RowAction label={label} of={name} onPress={() => onTask({ kind, user })} />
  );
  return (
    <tr data-ended={isDisabled}>
      <NameCell name={isSelf ? `${name} (you)` : name}>
        <Small>
          <Breakable text={email} />
        </Small>
      </NameCell>
      <td data-head="Role">{ROLE_LABELS[role]}</td>
      <ScopeCell {...user} />
      <td data-head="State">
        {isDisabled ? `Disabled ${formatMoment(disabledAtMs, nowMs)}` : 'Can sign in'}
        <Small>Since {formatMoment(createdAtMs, nowMs)}</Small>
        {hasSecondFactor ? <Small>Second factor set up</Small> : null}
        {resetMailText === null ? null : <Small>Link to a new password: {resetMailText}</Small>}
      </td>
      <RowActions>
        {toAction('Change', 'change')}
        {isDisabled ? null : toAction('New password', 'reset')}
        {hasSecondFactor && !isSelf ? toAction('Remove second factor', 'second-factor') : null}
        {isSelf ? null : isDisabled ? toAction('Enable', 'enable') : toAction('Disable', 'disable')}
      </RowActions>
    </tr>
  );
};

interface InvitationTableProps extends RowProps {
  invitations: readonly Invitation[];
}

/** The invitations that were not accepted. */
export const InvitationTable = ({ invitations, nowMs, onTask }: InvitationTableProps) => (
  <Table label="Invitations" columns={['E-mail address', 'Role', 'Fleets', 'Valid']}>
    {invitations.map((invitation) => {
      const { id, email, role, invitedBy, expiresAtMs } = invitation;
      const mailText = linkMailText(invitation);
      return (
        <tr key={id} data-ended={expiresAtMs <= nowMs}>
          <NameCell name={email}>
            <Small>
              Invited by <Breakable text={invitedBy} />
            </Small>
          </NameCell>
          <td data-head="Role">{ROLE_LABELS[role]}</td>
          <ScopeCell {...invitation} />
          <td data-head="Valid">
            {expiryText(expiresAtMs, nowMs)}
            {mailText === null ? null : <Small>{mailText}</Small>}
          </td>
          <RowActions>
            <RowAction
              label="New link"
              of={email}
              onPress={() => onTask({ kind: 'invite', again: invitation })}
            />
            <RowAction label="Withdraw" of={email} onPress={() => onTask({ kind: 'withdraw', invitation })} />
          </RowActions>
        </tr>
      );
    })}
  </Table>
);
