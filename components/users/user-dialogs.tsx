import { NativeSelect, TextInput, Box, Skeleton, Text } from '@mantine/core';
import { FormDialog } from '@/components/kit/dialog';
import { FleetFields, toFleetValues, toUsdots, type FleetValues } from '@/components/kit/fleet-fields';
import { Breakable } from '@/components/kit/table';
import { useViewer } from '@/components/layout/viewer-context';
import type { FormFields } from '@/components/ui/api-form';
import { ProblemNote } from '@/components/ui/problem-note';
import { useNowMs } from '@/components/ui/use-now';
import type { Role } from '@/lib/base/viewer';
import { useUserChanges, useUserMade } from '@/lib/users/queries';
import {
  INVITATION_DAYS,
  inviteSchema,
  userChangeSchema,
  type Invitation,
  type MadeLink,
  type User,
  mayKeep,
  type MadeItem,
} from '@/lib/users/schema';
import { ROLE_LABELS, expiryText, madeMailText, splitTags, madeItemText } from '@/lib/users/text';

export type UserTask =
  | { kind: 'invite'; again?: Invitation }
  | { kind: 'change' | 'reset' | 'second-factor' | 'disable' | 'enable'; user: User }
  | { kind: 'withdraw'; invitation: Invitation };

interface UserDialogProps {
  user: User;
  onClose: () => void;
}

export const UserDialog = ({ task, onClose }: { task: UserTask; onClose: () => void }) => {
  const { withdraw, makeReset, removeSecondFactor } = useUserChanges();
  if (task.kind === 'invite') return <Invite again={task.again} onClose={onClose} />;
  if (task.kind === 'withdraw')
    return (
      <FormDialog
        title="Withdraw the invitation?"
        action="Withdraw"
        isDangerous
        send={() => withdraw.mutateAsync(task.invitation.id)}
        onClose={onClose}
      >
        {`The link that ${task.invitation.email} has stops working at once.`}
      </FormDialog>
    );
  const { id, name, email } = task.user;
  switch (task.kind) {
    case 'change':
      return <ChangeUser user={task.user} onClose={onClose} />;
    case 'disable':
    case 'enable':
      return <SetDisabled user={task.user} isDisabled={task.kind === 'disable'} onClose={onClose} />;
    case 'reset':
      return (
        <FormDialog
          title={`New password for ${name}`}
          action="Create the link"
          send={() => makeReset.mutateAsync(id)}
          once={SHOWN_LINK}
          onClose={onClose}
        >
          {`You get a link for ${email} to choose a new password. Until the link is used, the old password works.`}
        </FormDialog>
      );
    case 'second-factor':
      return (
        <FormDialog
          title={`Remove the second factor of ${name}?`}
          action="Remove"
          isDangerous
          send={() => removeSecondFactor.mutateAsync(id)}
          onClose={onClose}
        >
          {`${email} signs in with only the password until they set up another one. Be sure that it is ${name} who asks for this.`}
        </FormDialog>
      );
  }
};

const ROLES = (Object.keys(ROLE_LABELS) as Role[]).map((value) => ({ value, label: ROLE_LABELS[value] }));

const UNITS = [
  { value: 'all', label: 'All trucks of these fleets' },
  { value: 'tagged', label: 'Only trucks with one of these tags' },
];

interface AccessValues extends FleetValues {
  role: Role;
  units: string;
  /** As typed. */
  tags: string;
}

const toAccessValues = (
  { role, usdots, tags }: Pick<User, 'role' | 'usdots' | 'tags'>,
  ownUsdots: readonly string[] | null,
): AccessValues => ({
  role,
  ...toFleetValues(usdots, ownUsdots),
  units: tags === null ? 'all' : 'tagged',
  tags: tags?.join(', ') ?? '',
});

/** Managers see all units. */
const isLimited = ({ role, units }: AccessValues): boolean => role !== 'manager' && units === 'tagged';

interface AccessFieldsProps {
  form: FormFields<AccessValues>;
  /** The fleets that the manager may give: null for all. */
  ownUsdots: readonly string[] | null;
}

const AccessFields = ({ form, ownUsdots }: AccessFieldsProps) => (
  <>
    <NativeSelect
      label="Role"
      description="A dispatcher sees the map, list, trucks, roster, history, sites, alerts and handovers, and changes sites, notes and tags. A manager also sees users, keys, devices, wall screens, status and the audit log."
      data={ROLES}
      {...form.field('role')}
    />
    <FleetFields form={form} ownUsdots={ownUsdots} />
    {form.values.role === 'manager' ? null : (
      <NativeSelect label="Trucks" data={UNITS} {...form.field('units')} />
    )}
    {isLimited(form.values) ? (
      <TextInput
        label="Tags"
        description="Separated by commas. For this user there are no other trucks, and no reports of the whole fleet."
        autoComplete="off"
        {...form.field('tags')}
      />
    ) : null}
  </>
);

const toAccess = (values: AccessValues) => ({
  role: values.role,
  usdots: toUsdots(values),
  tags: isLimited(values) ? splitTags(values.tags) : null,
});

const DAYS = INVITATION_DAYS.map((days) => ({
  value: String(days),
  label: days === 1 ? '1 day' : `${days} days`,
}));
const DEFAULT_DAYS = 7;

const Invite = ({ again, onClose }: { again: Invitation | undefined; onClose: () => void }) => {
  const { invite } = useUserChanges();
  const { usdots: ownUsdots } = useViewer();
  return (
    <FormDialog
      title="Invite a user"
      initialValues={{
        email: again?.email ?? '',
        ...toAccessValues(again ?? { role: 'dispatcher', usdots: null, tags: null }, ownUsdots),
        days: String(DEFAULT_DAYS),
      }}
      toInput={(values) => ({
        email: values.email,
        days: INVITATION_DAYS.find((each) => String(each) === values.days) ?? DEFAULT_DAYS,
        ...toAccess(values),
      })}
      schema={inviteSchema}
      action="Create the invitation"
      send={invite.mutateAsync}
      once={SHOWN_LINK}
      onClose={onClose}
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
          <NativeSelect label="Valid for" data={DAYS} {...form.field('days')} />
        </>
      )}
    </FormDialog>
  );
};

/** The rights that the form would give; null if they equal the current ones. */
const toChangedRights = (user: User, values: AccessValues): Rights | null => {
  const { role, usdots: typed } = toAccess(values);
  const usdots = typed?.map((usdot) => usdot.replace(/^0+/, '')) ?? null;
  const isSame = role === user.role && JSON.stringify(usdots) === JSON.stringify(user.usdots);
  return isSame ? null : { role, usdots, isDisabled: user.disabledAtMs !== null };
};

const ChangeUser = ({ user, onClose }: UserDialogProps) => {
  const { change } = useUserChanges();
  const viewer = useViewer();
  const isSelf = user.id === viewer.id;
  return (
    <FormDialog
      title={`Change ${user.name}`}
      initialValues={{ name: user.name, ...toAccessValues(user, viewer.usdots) }}
      toInput={(values) => ({ name: values.name, ...(isSelf ? {} : toAccess(values)) })}
      schema={userChangeSchema}
      action="Save"
      send={(input) => change.mutateAsync({ id: user.id, change: input })}
      onClose={onClose}
    >
      {(form) => {
        const rights = isSelf ? null : toChangedRights(user, form.values);
        return (
          <>
            <TextInput label="Name" data-autofocus {...form.field('name')} />
            {isSelf ? (
              <p>Another manager has to change your role, fleets and trucks.</p>
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
    </FormDialog>
  );
};

const SetDisabled = ({ user, isDisabled, onClose }: UserDialogProps & { isDisabled: boolean }) => {
  const { change } = useUserChanges();
  const action = isDisabled ? 'Disable' : 'Enable';
  return (
    <FormDialog
      title={`${action} ${user.name}?`}
      action={action}
      isDangerous={isDisabled}
      send={() => change.mutateAsync({ id: user.id, change: { isDisabled } })}
      onClose={onClose}
    >
      <p>
        {isDisabled
          ? `${user.email} is signed out everywhere at once and can no longer sign in. Invitations and links that ${user.name} created stop working.`
          : `${user.email} can sign in again, with the same role, fleets and trucks as before.`}
      </p>
      {isDisabled ? <MadeList user={user} rights={{ ...user, isDisabled }} /> : null}
    </FormDialog>
  );
};

const SHOWN_LINK = {
  title: 'Copy the link',
  secrets: ({ link }: MadeLink) => [{ label: 'link', text: new URL(link, window.location.origin).href }],
  about: (made: MadeLink) => <LinkNote made={made} />,
};

const LinkNote = ({ made }: { made: MadeLink }) => (
  <>
    This link can be used once, {expiryText(made.expiresAtMs, useNowMs())}. It is not shown again.{' '}
    {madeMailText(made)}
  </>
);

interface Rights {
  role: Role;
  usdots: string[] | null;
  isDisabled: boolean;
}

/** The items in use that a user created: what a change of rights revokes, what stays, and what has no recorded creator. */
const MadeList = ({ user, rights }: { user: Pick<User, 'id' | 'name' | 'role'>; rights: Rights }) => {
  const { data, error } = useUserMade(user.id);
  if (data === undefined) {
    if (error === null) return <Skeleton height={60} radius="sm" />;
    return (
      <ProblemNote role="alert">
        Could not load what {user.name} created: {error.message}
      </ProblemNote>
    );
  }
  const { made, withoutMaker } = data;
  const isKept = (item: MadeItem): boolean => mayKeep(rights, item);
  return (
    <>
      <ItemList
        head={`Revoked at once, created by ${user.name}`}
        items={made.filter((item) => !isKept(item))}
      />
      <ItemList head={`Keeps working, created by ${user.name}`} items={made.filter(isKept)} />
      {user.role === 'manager' ? (
        <ItemList
          head="Keeps working, creator not recorded (command line, demo or an earlier version)"
          items={withoutMaker}
        />
      ) : null}
    </>
  );
};

const ItemList = ({ head, items }: { head: string; items: readonly MadeItem[] }) =>
  items.length === 0 ? null : (
    <section aria-label={head}>
      <Text component="h3" fz={13} fw={650}>
        {head}
      </Text>
      <Box component="ul" mah={160} m={0} mt={4} pl={20} style={{ overflowY: 'auto' }}>
        {items.map((item) => (
          <li key={`${item.kind} ${item.id} ${item.isReplacedPair}`}>
            <Breakable text={madeItemText(item)} />
          </li>
        ))}
      </Box>
    </section>
  );
