import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { LEAST_SEVERITIES, DELIVERY_STATE_LABELS } from '@/components/alert-bell/text';
import { useMoment } from '@/components/alert-bell/use-moment';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import { Loaded } from '@/components/kit/page-frame';
import { RowAction, Small, Table, type Column } from '@/components/kit/table';
import type { FormFields } from '@/components/ui/api-form';
import { ProblemNote } from '@/components/ui/problem-note';
import type { Webhook, deliveriesAnswer } from '@/lib/alerts/answers';
import { useWebhookChanges, useDeliveries } from '@/lib/alerts/message-queries';
import { webhookInputSchema, type WebhookInput } from '@/lib/alerts/schema';
import type { ShapeOf } from '@/lib/base/shape';
import { formatCount } from '@/lib/view/format';

export type WebhookTask =
  | { kind: 'add' }
  | { kind: 'change' | 'remove' | 'test' | 'deliveries'; webhook: Webhook };

const NEW: WebhookInput = {
  name: '',
  url: '',
  minSeverity: 'info',
  isEnabled: true,
  includesContacts: false,
};

export const WebhookDialog = ({ task, onClose }: { task: WebhookTask; onClose: () => void }) => {
  const { add, remove } = useWebhookChanges(useUsdot());
  switch (task.kind) {
    case 'add':
      return (
        <FormDialog
          title="Add a webhook"
          action="Add the webhook"
          initialValues={NEW}
          schema={webhookInputSchema}
          send={add.mutateAsync}
          once={SECRET}
          onClose={onClose}
        >
          {(form) => <WebhookFields form={form} />}
        </FormDialog>
      );
    case 'change':
      return <ChangeWebhook webhook={task.webhook} onClose={onClose} />;
    case 'remove':
      return (
        <FormDialog
          title={`Remove “${task.webhook.name}”`}
          action="Remove the webhook"
          isDangerous
          send={() => remove.mutateAsync(task.webhook.id)}
          onClose={onClose}
        >
          <p>
            <b>{task.webhook.name}</b> gets no more alerts, also none that are still to be sent. Its secret
            and the log of its messages are deleted.
          </p>
        </FormDialog>
      );
    case 'test':
      return <TestWebhook webhook={task.webhook} onClose={onClose} />;
    case 'deliveries':
      return <Deliveries webhook={task.webhook} onClose={onClose} />;
  }
};

const ChangeWebhook = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const { change } = useWebhookChanges(useUsdot());
  const { id, name, url, minSeverity, isEnabled, includesContacts } = webhook;
  return (
    <FormDialog
      title={`Change “${name}”`}
      action="Save"
      initialValues={{ name, url, minSeverity, isEnabled, includesContacts }}
      schema={webhookInputSchema}
      send={(input) => change.mutateAsync({ id, change: input })}
      onClose={onClose}
    >
      {(form) => (
        <>
          <WebhookFields form={form} />
          <Checkbox label="Send alerts to it" {...form.field('isEnabled')} checked={form.values.isEnabled} />
        </>
      )}
    </FormDialog>
  );
};

const WebhookFields = ({ form: { field, values } }: { form: FormFields<WebhookInput> }) => (
  <>
    <TextInput label="Name" description="What gets the alerts." data-autofocus {...field('name')} />
    <TextInput
      label="Address"
      description="Where Linehaul posts to: a public address with https."
      type="url"
      inputMode="url"
      placeholder="https://example.com/linehaul"
      autoComplete="off"
      spellCheck={false}
      {...field('url')}
    />
    <NativeSelect label="Gets" data={LEAST_SEVERITIES} {...field('minSeverity')} />
    <Checkbox
      label="Include contacts"
      description="Its messages name the driver, the dispatcher and their numbers."
      {...field('includesContacts')}
      checked={values.includesContacts}
    />
  </>
);

const SECRET = {
  title: 'Copy the secret',
  secrets: ({ secret }: { secret: string }) => [{ label: 'Signing secret', text: secret }],
  about: () => (
    <>
      Copy it now: <b>it is shown only once.</b> Your program verifies with it that a message comes from
      Linehaul, with any library of Standard Webhooks.
    </>
  ),
};

/** Sends a message that says that it is a test, and shows what came back. */
const TestWebhook = ({ webhook: { id, name, url }, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const { test } = useWebhookChanges(useUsdot());
  const { data, error, isPending } = test;
  return (
    <Dialog title={`Test “${name}”`} onClose={onClose}>
      <Stack gap={16}>
        <p>Linehaul posts one signed test message to {url}, and waits for the answer.</p>
        <div role="status">
          {data === undefined ? null : data.error === null ? (
            <p>
              <b>Accepted.</b> The program answered {data.status}.
            </p>
          ) : (
            <ProblemNote>Not accepted: {data.error}</ProblemNote>
          )}
        </div>
        {error === null ? null : <ProblemNote role="alert">{error.message}</ProblemNote>}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button data-autofocus loading={isPending} onClick={() => test.mutate(id)}>
            Send the test
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
};

type Delivery = ShapeOf<typeof deliveriesAnswer>['deliveries'][number];

/** The newest messages to a webhook, what became of each, and a button that sends one again. */
const Deliveries = ({ webhook: { id, name }, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const usdot = useUsdot();
  const query = useDeliveries(usdot, id);
  const { replay } = useWebhookChanges(usdot);
  const moment = useMoment();
  const problem = replay.error ?? query.error;
  return (
    <Dialog title={`Messages to “${name}”`} size="xl" onClose={onClose}>
      {problem === null ? null : <ProblemNote role="alert">{problem.message}</ProblemNote>}
      <Loaded query={query}>
        {({ deliveries }) => (
          <Table
            label="Messages"
            empty="No messages so far."
            columns={toColumns(moment)}
            rows={deliveries}
            keyOf={({ id: each }) => each}
            isEnded={({ state }) => state === 'sent'}
            actions={({ id: each, state, ruleName }) =>
              state === 'pending' ? null : (
                <RowAction
                  label="Send again"
                  of={`${ruleName}, ${each}`}
                  onPress={() => replay.mutate(each)}
                  isBusy={replay.isPending && replay.variables === each}
                />
              )
            }
          />
        )}
      </Loaded>
    </Dialog>
  );
};

const toColumns = (moment: (ms: number) => string): Column<Delivery>[] => [
  {
    label: 'Alert',
    name: ({ unitName, ruleName }) => `${unitName ?? 'Feed'}: ${ruleName}`,
    small: ({ event, id }) => `${event === 'opened' ? 'Opened' : 'Closed'} · ${id}`,
  },
  {
    label: 'State',
    cell: ({ state, attempts, lastError }) => (
      <>
        {DELIVERY_STATE_LABELS[state]}
        {attempts < 2 ? null : <Small>{formatCount(attempts, 'attempt')}</Small>}
        <Small>{lastError}</Small>
      </>
    ),
  },
  {
    label: 'Time',
    cell: ({ createdMs }) => moment(createdMs),
    small: ({ state, updatedMs }) => (state === 'sent' ? `delivered ${moment(updatedMs)}` : null),
  },
];
