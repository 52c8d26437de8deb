import { Button } from '@mantine/core';
import desk from '@/components/desk/desk-page.module.css';
import { momentWords } from '@/lib/view/clock';
import { ROLE_WORDS, expiryWords, fleetsWords } from '@/lib/view/user-words';
import type { Invitation, User } from '@/lib/wire/users';
import type { UserTask } from './user-dialog';
import styles from './user-table.module.css';

interface RowProps {
  nowMs: number;
  onTask: (task: UserTask) => void;
}

const ActionButton = ({ words, of, onPress }: { words: string; of: string; onPress: () => void }) => (
  <Button size="xs" variant="default" aria-label={`${words} ${of}`} onClick={onPress}>
    {words}
  </Button>
);

interface UserTableProps extends RowProps {
  users: readonly User[];
  /** Who looks. */
  ownId: string | null;
}

/** Who may sign in, and who may not any more. */
export const UserTable = ({ users, ownId, ...rest }: UserTableProps) => (
  <div className={desk.scroller}>
    <table className={`${desk.table} ${styles.table}`} aria-label="Users">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col">Fleets</th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="lh-unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <UserRow key={user.id} user={user} isSelf={user.id === ownId} {...rest} />
        ))}
      </tbody>
    </table>
  </div>
);

const UserRow = ({ user, isSelf, nowMs, onTask }: RowProps & { user: User; isSelf: boolean }) => {
  const { name, email, role, usdots, createdAtMs, disabledAtMs, hasSecondFactor } = user;
  const isDisabled = disabledAtMs !== null;
  return (
    <tr data-ended={isDisabled}>
      <td>
        <span className={desk.name}>
          {name}
          {isSelf ? ' (you)' : ''}
        </span>
        <span className={desk.small}>{email}</span>
      </td>
      <td>{ROLE_WORDS[role]}</td>
      <td>{fleetsWords(usdots)}</td>
      <td>
        {isDisabled ? `Disabled ${momentWords(disabledAtMs, nowMs)}` : 'Can sign in'}
        <span className={desk.small}>Since {momentWords(createdAtMs, nowMs)}</span>
        {hasSecondFactor ? <span className={desk.small}>Second factor set up</span> : null}
      </td>
      <td>
        <div className={desk.rowActions}>
          <ActionButton words="Change" of={name} onPress={() => onTask({ kind: 'change', user })} />
          {isDisabled ? null : (
            <ActionButton words="New password" of={name} onPress={() => onTask({ kind: 'reset', user })} />
          )}
          {hasSecondFactor && !isSelf ? (
            <ActionButton
              words="Remove second factor"
              of={name}
              onPress={() => onTask({ kind: 'second-factor', user })}
            />
          ) : null}
          {isSelf ? null : (
            <ActionButton
              words={isDisabled ? 'Enable' : 'Disable'}
              of={name}
              onPress={() => onTask({ kind: isDisabled ? 'enable' : 'disable', user })}
            />
          )}
        </div>
      </td>
    </tr>
  );
};

/** Who was invited and has not come. */
export const InvitationTable = ({
  invitations,
  nowMs,
  onTask,
}: RowProps & { invitations: readonly Invitation[] }) => (
  <div className={desk.scroller}>
    <table className={`${desk.table} ${styles.table}`} aria-label="Invitations">
      <thead>
        <tr>
          <th scope="col">E-mail address</th>
          <th scope="col">Role</th>
          <th scope="col">Fleets</th>
          <th scope="col">Holds</th>
          <th scope="col">
            <span className="lh-unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {invitations.map((invitation) => {
          const { id, email, role, usdots, invitedBy, expiresAtMs } = invitation;
          return (
            <tr key={id} data-ended={expiresAtMs <= nowMs}>
              <td>
                <span className={desk.name}>{email}</span>
                <span className={desk.small}>Invited by {invitedBy}</span>
              </td>
              <td>{ROLE_WORDS[role]}</td>
              <td>{fleetsWords(usdots)}</td>
              <td>{expiryWords(expiresAtMs, nowMs)}</td>
              <td>
                <div className={desk.rowActions}>
                  <ActionButton
                    words="New link"
                    of={email}
                    onPress={() => onTask({ kind: 'invite', again: invitation })}
                  />
                  <ActionButton
                    words="Withdraw"
                    of={email}
                    onPress={() => onTask({ kind: 'withdraw', invitation })}
                  />
                </div>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </div>
);
