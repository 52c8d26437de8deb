import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readAgain } from '@/lib/browser/change';
import type { FormFields } from '@/components/ui/api-form';
import { ProblemNote } from '@/components/ui/problem-note';
import type { AlertAccount } from '@/lib/alerts/answers';
import { usePushChanges } from '@/lib/alerts/message-queries';
import type { AlertPreferences } from '@/lib/alerts/preferences';
import { readPushState, subscribe, unsubscribe, type PushState } from '@/lib/alerts/push-browser';
import { deviceText } from '@/lib/profile/browser-name';
import { formatMoment } from '@/lib/view/format';
import { useClockMs } from '../../ui/use-now';

const STATE_TEXTS: Record<PushState, string> = {
  on: 'This device gets alerts, also while Linehaul is closed.',
  off: 'This device gets no alerts yet.',
  denied:
    'This browser blocks notifications of Linehaul. Allow them in its site settings, then open this dialog again.',
  unsupported: 'This browser cannot receive alerts. Chrome, Edge, Firefox and Safari can.',
  install: 'On an iPhone or iPad, add Linehaul to the Home Screen first, and open it from there.',
  insecure: 'Browsers receive alerts from a server with HTTPS only. This page was opened without it.',
};

const STATE_KEY = ['alert push state'];

interface PushSectionProps extends Pick<AlertAccount, 'phones'> {
  form: FormFields<AlertPreferences>;
  pushKey: string;
}

/** Alerts on phones and other devices by Web Push: this one, and those that the user has set up. */
export const PushSection = ({ form: { values, field }, pushKey, phones }: PushSectionProps) => (
  <Stack gap={8} role="group" aria-label="On my devices">
    <Checkbox label="Send alerts to my phone or computer" {...field('push')} checked={values.push} />
    {values.push ? (
      <>
        <ThisDevice pushKey={pushKey} />
        <Devices phones={phones} />
      </>
    ) : null}
  </Stack>
);

const ThisDevice = ({ pushKey }: { pushKey: string }) => {
  const client = useQueryClient();
  const { add, remove } = usePushChanges();
  const { data: state, error } = useQuery({
    queryKey: STATE_KEY,
    queryFn: () => readPushState(pushKey),
    gcTime: 0,
    networkMode: 'always',
  });
  const change = useMutation({
    networkMode: 'always',
    mutationFn: async (isWanted: boolean) => {
      if (isWanted) {
        const subscription = await subscribe(pushKey);
        if (subscription !== null) await add.mutateAsync(subscription);
        return;
      }
      const endpoint = await unsubscribe();
      if (endpoint !== null) await remove.mutateAsync(endpoint);
    },
    onSettled: () => readAgain(client, STATE_KEY),
  });
  const problem = change.error ?? error;
  return (
    <>
      <Group gap={12} role="status">
        <span>{state === undefined ? 'Looking at this browser…' : STATE_TEXTS[state]}</span>
        {state === 'on' || state === 'off' ? (
          <Button
            size="compact-sm"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate(state === 'off')}
          >
            {state === 'off' ? 'Set up this device' : 'Stop on this device'}
          </Button>
        ) : null}
      </Group>
      {problem === null ? null : <ProblemNote role="alert">{problem.message}</ProblemNote>}
    </>
  );
};

const Devices = ({ phones }: Pick<AlertAccount, 'phones'>) => {
  const nowMs = useClockMs();
  const { removeOther } = usePushChanges();
  return (
    <>
      {removeOther.error === null ? null : (
        <ProblemNote role="alert">{removeOther.error.message}</ProblemNote>
      )}
      {phones.map(({ id, userAgent, createdAtMs }) => (
        <Group key={id} gap={12}>
          <span>
            {deviceText(userAgent)}, since {formatMoment(createdAtMs, nowMs)}
          </span>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Remove ${deviceText(userAgent)}`}
            onClick={() => removeOther.mutate(id)}
          >
            Remove
          </Button>
        </Group>
      ))}
    </>
  );
};
