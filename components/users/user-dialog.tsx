'use client';

import { useState } from 'react';
import { useViewer } from '@/components/layout/viewer-context';
import { Dialog } from '@/components/ui/dialog';
import { SelectField, TextField } from '@/components/ui/form-fields';
import { SendForm } from '@/components/ui/send-form';
import { useUserChanges } from '@/lib/users/queries';
import { INVITATION_DAYS } from '@/lib/users/schema';
import type { Invitation, MadeLink, User } from '@/lib/users/schema';
import { AccessFields, readAccessFields } from './access-fields';
import { MadeLinkView } from './made-link';
import { MadeList } from './made-list';
import type { Rights } from './made-list';

/** What is being done, and to whom. */
export type UserTask =
  | { kind: 'invite'; again?: Invitation }
  | { kind: 'change' | 'reset' | 'second-factor' | 'disable' | 'enable'; user: User }
  | { kind: 'withdraw'; invitation: Invitation };

const DAYS = INVITATION_DAYS.map((days) => ({
  value: String(days),
  label: days === 1 ? '1 day' : `${days} days`,
}));
const PRESET_DAYS = 7;

const toTitle = (task: UserTask): string => {
  switch (task.kind) {
    case 'invite':
      return 'Invite a user';
    case 'withdraw':
      return 'Withdraw the invitation?';
    case 'change':
      return `Change ${task.user.name}`;
    case 'reset':
      return `New password for ${task.user.name}`;
    case 'second-factor':
      return `Remove the second factor of ${task.user.name}?`;
    case 'disable':
      return `Disable ${task.user.name}?`;
    case 'enable':
      return `Enable ${task.user.name}?`;
  }
};

interface UserDialogProps {
  task: UserTask;
  onClose: () => void;
}

/** One thing that is done with a user, from its form to the link that it brings. */
export const UserDialog = ({ task, onClose }: UserDialogProps) => {
  const [made, setMade] = useState<MadeLink | null>(null);
  return (
    <Dialog title={made === null ? toTitle(task) : 'Copy the link'} isHeld={made !== null} onClose={onClose}>
      {made === null ? (
        <TaskForm task={task} onClose={onClose} onMade={setMade} />
      ) : (
        <MadeLinkView made={made} onClose={onClose} />
      )}
    </Dialog>
  );
};

const TaskForm = ({ task, onClose, onMade }: UserDialogProps & { onMade: (made: MadeLink) => void }) => {
  const { invite, withdraw, change, makeReset, removeSecondFactor } = useUserChanges();
  const viewer = useViewer();
  switch (task.kind) {
    case 'invite':
      return (
        <SendForm
          onCancel={onClose}
          action="Make the invitation"
          send={async (fields) => {
            const days = INVITATION_DAYS.find((each) => String(each) === fields.get('days')) ?? PRESET_DAYS;
            const email = String(fields.get('email'));
            onMade(await invite.mutateAsync({ email, days, ...readAccessFields(fields) }));
          }}
        >
          <TextField
            name="email"
            type="email"
            label="E-mail address"
            autoComplete="off"
            spellCheck={false}
            defaultValue={task.again?.email}
            data-autofocus
          />
          <AccessFields
            role={task.again?.role ?? 'dispatcher'}
            usdots={task.again?.usdots ?? null}
            ownUsdots={viewer.usdots}
          />
          <SelectField name="days" label="Holds for" data={DAYS} defaultValue={String(PRESET_DAYS)} />
        </SendForm>
      );
    case 'withdraw':
      return (
        <SendForm
          onCancel={onClose}
          action="Withdraw"
          isDangerous
          send={async () => {
            await withdraw.mutateAsync(task.invitation.id);
            onClose();
          }}
        >
          <p>The link that {task.invitation.email} has stops working at once.</p>
        </SendForm>
      );
    case 'change':
      return <ChangeForm user={task.user} onClose={onClose} />;
    case 'reset':
      return (
        <SendForm
          onCancel={onClose}
          action="Make the link"
          send={async () => onMade(await makeReset.mutateAsync(task.user.id))}
        >
          <p>
            You get a link for {task.user.email} to choose a new password. Until it is used, the old one
            holds.
          </p>
        </SendForm>
      );
    case 'second-factor':
      return (
        <SendForm
          onCancel={onClose}
          action="Remove"
          isDangerous
          send={async () => {
            await removeSecondFactor.mutateAsync(task.user.id);
            onClose();
          }}
        >
          <p>
            {task.user.email} signs in with the password alone until they set up another one. Be sure that it
            is {task.user.name} who asks for this.
          </p>
        </SendForm>
      );
    case 'disable':
    case 'enable': {
      const isDisabled = task.kind === 'disable';
      return (
        <SendForm
          onCancel={onClose}
          action={isDisabled ? 'Disable' : 'Enable'}
          isDangerous={isDisabled}
          send={async () => {
            await change.mutateAsync({ id: task.user.id, change: { isDisabled } });
            onClose();
          }}
        >
          <p>
            {isDisabled
              ? `${task.user.email} is signed out everywhere at once and cannot sign in any more. Invitations and links that ${task.user.name} made stop working.`
              : `${task.user.email} can sign in again, with the role and fleets of before.`}
          </p>
          {isDisabled ? <MadeList user={task.user} rights={{ ...task.user, isDisabled }} /> : null}
        </SendForm>
      );
    }
  }
};

/** The rights that the fields would give; null where they are those of now. */
const toOtherRights = (user: User, fields: FormData): Rights | null => {
  const { role, usdots } = readAccessFields(fields);
  const isChosen = fields.get('fleets') === 'all' || fields.has('usdots');
  // The field of numbers is there only once its choice has been drawn.
  const chosen = isChosen ? usdots : (user.usdots ?? []);
  const rights = { role, usdots: chosen?.map((usdot) => usdot.replace(/^0+/, '')) ?? null };
  const isSame = role === user.role && JSON.stringify(rights.usdots) === JSON.stringify(user.usdots);
  return isSame ? null : { ...rights, isDisabled: user.disabledAtMs !== null };
};

const ChangeForm = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const { change } = useUserChanges();
  const viewer = useViewer();
  const [rights, setRights] = useState<Rights | null>(null);
  const isSelf = user.id === viewer.id;
  return (
    <SendForm
      onCancel={onClose}
      action="Save"
      onFields={(fields) => setRights(isSelf ? null : toOtherRights(user, fields))}
      send={async (fields) => {
        const name = String(fields.get('name'));
        const access = isSelf ? {} : readAccessFields(fields);
        await change.mutateAsync({ id: user.id, change: { name, ...access } });
        onClose();
      }}
    >
      <TextField name="name" label="Name" defaultValue={user.name} data-autofocus />
      {isSelf ? (
        <p>Another manager has to change your role and fleets.</p>
      ) : (
        <>
          <AccessFields role={user.role} usdots={user.usdots} ownUsdots={viewer.usdots} />
          <p>If you give more access, {user.name} is signed out and has to sign in again.</p>
          {rights === null ? null : <MadeList user={user} rights={rights} />}
        </>
      )}
    </SendForm>
  );
};
