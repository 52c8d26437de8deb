import { Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { Loaded } from '@/components/kit/page-frame';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import type { FormFields } from '@/components/ui/api-form';
import { ProblemNote } from '@/components/ui/problem-note';
import { WeeklyHoursField } from '@/components/ui/weekly-hours/weekly-hours-field';
import type { AlertAccount } from '@/lib/alerts/answers';
import type { AlertPreferences } from '@/lib/alerts/preferences';
import { useAlertAccount } from '@/lib/alerts/message-queries';
import { alertPreferencesSchema } from '@/lib/alerts/schema';
import { useViewer } from '../../layout/viewer-context';
import { LEAST_SEVERITIES } from '../text';
import { playAlertSound } from '../watch/alert-sound';
import { PushSection } from './push-section';
import { usePreferences, useStorePreferences } from './use-preferences';

const NIGHT = { weekdays: [1, 2, 3, 4, 5, 6, 7], fromMin: 22 * 60, toMin: 6 * 60 };

const EMAIL_CHOICES = [
  { value: 'off', label: 'No e-mail' },
  { value: 'each', label: 'One for each alert' },
  { value: 'digest', label: 'A digest once an hour' },
];

export const HearingDialog = ({ onClose }: { onClose: () => void }) => {
  const { data: account, error } = useAlertAccount(useViewer().kind === 'user');
  const preferences = usePreferences();
  return preferences === null ? (
    <Dialog title="Alert notifications" onClose={onClose}>
      {error === null ? null : <ProblemNote role="alert">{error.message}</ProblemNote>}
      <Loaded query={{ data: undefined, error }} heightPx={320}>
        {() => null}
      </Loaded>
    </Dialog>
  ) : (
    <HearingForm preferences={preferences} account={account ?? null} onClose={onClose} />
  );
};

interface HearingFormProps {
  preferences: AlertPreferences;
  /** Null for the demo. */
  account: AlertAccount | null;
  onClose: () => void;
}

const HearingForm = ({ preferences, account, onClose }: HearingFormProps) => {
  const store = useStorePreferences();
  return (
    <FormDialog
      title="Alert notifications"
      action="Save"
      initialValues={preferences}
      schema={alertPreferencesSchema}
      send={store}
      onClose={onClose}
    >
      {(form) => (
        <>
          <ScreenFields form={form} />
          <NativeSelect
            label="I want to hear of"
            description="The list of alerts has all of them."
            data={LEAST_SEVERITIES}
            {...form.field('minSeverity')}
          />
          <WeeklyHoursField
            label="Quiet hours"
            description="Only critical alerts reach you in quiet hours."
            noneLabel="None"
            firstLine={NIGHT}
            {...form.field('quietHours')}
            value={form.values.quietHours}
          />
          {account === null ? (
            <p>The demo has no users, so it sends no e-mail and nothing to phones.</p>
          ) : (
            <AccountFields form={form} account={account} />
          )}
        </>
      )}
    </FormDialog>
  );
};

const AccountFields = ({ form, account }: { form: FormFields<AlertPreferences>; account: AlertAccount }) => (
  <>
    <NativeSelect
      label="E-mail"
      description={
        account.email === null ? 'This server sends no e-mail: it has no mail server.' : `To ${account.email}`
      }
      disabled={account.email === null}
      data={EMAIL_CHOICES}
      {...form.field('email')}
    />
    {account.pushKey === null ? null : (
      <PushSection form={form} pushKey={account.pushKey} phones={account.phones} />
    )}
  </>
);

const isDeniedNow = (): boolean => 'Notification' in window && Notification.permission === 'denied';

/** What the pages of a fleet do while they are open. */
const ScreenFields = ({ form: { values, field } }: { form: FormFields<AlertPreferences> }) => {
  const [isDenied, setDenied] = useState(isDeniedNow);
  const { onChange, ...desktop } = field('desktop');
  const choose = async (isChosen: boolean): Promise<void> => {
    onChange(isChosen);
    // Browsers ask the user only right after a click.
    if (isChosen && 'Notification' in window)
      setDenied((await Notification.requestPermission()) === 'denied');
  };
  return (
    <Stack gap={8} role="group" aria-label="While Linehaul is open">
      <span className="lh-head">While Linehaul is open</span>
      <Group gap={12}>
        <Checkbox label="Play a sound" {...field('sound')} checked={values.sound} />
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void playAlertSound('warning').catch(reportError)}
        >
          Listen
        </Button>
      </Group>
      <Checkbox
        label="Show a notification of this computer or phone"
        {...desktop}
        checked={values.desktop}
        onChange={({ currentTarget }) => void choose(currentTarget.checked).catch(reportError)}
      />
      {values.desktop && !('Notification' in window) ? (
        <ProblemNote role="note">This browser has no notifications.</ProblemNote>
      ) : values.desktop && isDenied ? (
        <ProblemNote role="note">
          This browser blocks notifications of Linehaul. Allow them beside the address of the page.
        </ProblemNote>
      ) : null}
    </Stack>
  );
};
