'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { toFleetValues } from '@/components/admin/fleet-fields';
import { useViewer } from '@/components/layout/viewer-context';
import { Dialog } from '@/components/ui/dialog';
import { ApiForm, ConfirmForm } from '@/components/ui/api-form';
import { useUserChanges } from '@/lib/users/queries';
import { INVITATION_DAYS, inviteSchema, userChangeSchema } from '@/lib/users/schema';
import type { Invitation, MadeLink, User } from '@/lib/users/schema';
import { AccessFields, toAccess } from './access-fields';
import type { AccessValues } from './access-fields';
import { MadeLinkView } from './made-link';
import { MadeList } from './made-list';
import type { Rights } from './made-list';

/** The action of a dialog, and the user or invitation that it is about. */
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

/** One action on a user, from its form to the link that it creates. */
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
  const { withdraw, change, makeReset, removeSecondFactor } = useUserChanges();
  switch (task.kind) {
    case 'invite':
      return <InviteForm again={task.again} onClose={onClose} onMade={onMade} />;
    case 'change':
      return <ChangeForm user={task.user} onClose={onClose} />;
    case 'withdraw':
      return (
        <ConfirmForm
          onClose={onClose}
          action="Withdraw"
          isDangerous
          send={() => withdraw.mutateAsync(task.invitation.id)}
        >
          <p>The link that {task.invitation.email} has stops working at once.</p>
        </ConfirmForm>
      );
    case 'reset':
      return (
        <ApiForm
          initialValues={{}}
          onCancel={onClose}
          action="Make the link"
          send={async () => onMade(await makeReset.mutateAsync(task.user.id))}
        >
          {() => (
            <p>
              You get a link for {task.user.email} to choose a new password. Until it is used, the old one
              holds.
            </p>
          )}
        </ApiForm>
      );
    case 'second-factor':
      return (
        <ConfirmForm
          onClose={onClose}
          action="Remove"
          isDangerous
          send={() => removeSecondFactor.mutateAsync(task.user.id)}
        >
          <p>
            {task.user.email} signs in with the password alone until they set up another one. Be sure that it
            is {task.user.name} who asks for this.
          </p>
        </ConfirmForm>
      );
    case 'disable':
    case 'enable': {
      const isDisabled = task.kind === 'disable';
      return (
        <ConfirmForm
          onClose={onClose}
          action={isDisabled ? 'Disable' : 'Enable'}
          isDangerous={isDisabled}
          send={() => change.mutateAsync({ id: task.user.id, change: { isDisabled } })}
        >
          <p>
            {isDisabled
              ? `${task.user.email} is signed out everywhere at once and cannot sign in any more. Invitations and links that ${task.user.name} made stop working.`
              : `${task.user.email} can sign in again, with the role and fleets of before.`}
          </p>
          {isDisabled ? <MadeList user={task.user} rights={{ ...task.user, isDisabled }} /> : null}
        </ConfirmForm>
      );
    }
  }
};

interface InviteFormProps {
  /** The expired invitation that is made again. */
  again: Invitation | undefined;
  onClose: () => void;
  onMade: (made: MadeLink) => void;
}

const InviteForm = ({ again, onClose, onMade }: InviteFormProps) => {
  const { invite } = useUserChanges();
  const { usdots: ownUsdots } = useViewer();
  return (
    <ApiForm
      initialValues={{
        email: again?.email ?? '',
        role: again?.role ?? 'dispatcher',
        ...toFleetValues(again?.usdots ?? null, ownUsdots),
        days: String(PRESET_DAYS),
      }}
      toInput={(values) => ({
        email: values.email,
        days: INVITATION_DAYS.find((each) => String(each) === values.days) ?? PRESET_DAYS,
        ...toAccess(values),
      })}
      schema={inviteSchema}
      onCancel={onClose}
      action="Make the invitation"
      send={async (input) => onMade(await invite.mutateAsync(input))}
    >
      {(form) => (
        <>
          <TextInput
            type="email"
            label="E-mail address"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            {...form.field('email')}
          />
          <AccessFields form={form} ownUsdots={ownUsdots} />
          <NativeSelect label="Holds for" data={DAYS} {...form.field('days')} />
        </>
      )}
    </ApiForm>
  );
};

/** The rights that the form would give; null where they are those of now. */
const toOtherRights = (user: User, values: AccessValues): Rights | null => {
  const { role, usdots: typed } = toAccess(values);
  const usdots = typed?.map((usdot) => usdot.replace(/^0+/, '')) ?? null;
  const isSame = role === user.role && JSON.stringify(usdots) === JSON.stringify(user.usdots);
  return isSame ? null : { role, usdots, isDisabled: user.disabledAtMs !== null };
};

const ChangeForm = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const { change } = useUserChanges();
  const viewer = useViewer();
  const isSelf = user.id === viewer.id;
  return (
    <ApiForm
      initialValues={{ name: user.name, role: user.role, ...toFleetValues(user.usdots, viewer.usdots) }}
      toInput={(values) => ({ name: values.name, ...(isSelf ? {} : toAccess(values)) })}
      schema={userChangeSchema}
      onCancel={onClose}
      action="Save"
      send={async (input) => {
        await change.mutateAsync({ id: user.id, change: input });
        onClose();
      }}
    >
      {(form) => {
        const rights = isSelf ? null : toOtherRights(user, form.values);
        return (
          <>
            <TextInput label="Name" data-autofocus {...form.field('name')} />
            {isSelf ? (
              <p>Another manager has to change your role and fleets.</p>
            ) : (
              <>
                <AccessFields form={form} ownUsdots={viewer.usdots} />
                <p>If you give more access, {user.name} is signed out and has to sign in again.</p>
                {rights === null ? null : <MadeList user={user} rights={rights} />}
              </>
            )}
          </>
        );
      }}
    </ApiForm>
  );
};
