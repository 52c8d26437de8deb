'use client';

import { useState } from 'react';
import { AddButton, Empty, Loaded, Section } from '@/components/kit/page-frame';
import { Table, CreatedCell, NameCell, RowAction, RowActions, Small } from '@/components/kit/table';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { ProblemNote } from '@/components/ui/problem-note';
import { useNowMs } from '@/components/ui/use-now';
import type { Webhook } from '@/lib/alerts/answers';
import { useWebhooks } from '@/lib/alerts/message-queries';
import { DELIVERY_STATE_LABELS, LEAST_SEVERITY_LABELS } from '@/components/alert-bell/text';
import { formatMoment } from '@/lib/view/format';
import { WebhookDialog, type WebhookTask } from './webhook-dialogs';

/** The programs of a carrier that get a fleet's alerts, where a manager adds, tests and removes them. */
export const WebhookList = () => {
  const query = useWebhooks(useUsdot());
  const [task, setTask] = useState<WebhookTask | null>(null);
  return (
    <Section
      title="Webhooks"
      lead="A webhook sends each alert to a program of yours, signed as Standard Webhooks describes. A message that is not taken is sent again for 24 hours, with the same id."
      actions={<AddButton onClick={() => setTask({ kind: 'add' })}>Add a webhook</AddButton>}
    >
      {query.error === null ? null : <ProblemNote role="alert">{query.error.message}</ProblemNote>}
      <Loaded query={query}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty>No webhooks yet.</Empty>
          ) : (
            <Table label="Webhooks" columns={['Name', 'Gets', 'Last message', 'Created']}>
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} onTask={setTask} />
              ))}
            </Table>
          )
        }
      </Loaded>
      {task === null ? null : <WebhookDialog task={task} onClose={() => setTask(null)} />}
    </Section>
  );
};

interface WebhookRowProps {
  webhook: Webhook;
  onTask: (task: WebhookTask) => void;
}

const WebhookRow = ({ webhook, onTask }: WebhookRowProps) => {
  const { name, url, minSeverity, isEnabled, madeBy, createdAtMs } = webhook;
  const toAction = (label: string, kind: Exclude<WebhookTask['kind'], 'add'>) => (
    <RowAction label={label} of={name} onPress={() => onTask({ kind, webhook })} />
  );
  return (
    <tr data-ended={!isEnabled}>
      <NameCell name={name}>
        <Small>{url}</Small>
      </NameCell>
      <td data-head="Gets">{isEnabled ? LEAST_SEVERITY_LABELS[minSeverity] : 'Nothing: switched off'}</td>
      <LastMessage webhook={webhook} />
      <CreatedCell atMs={createdAtMs} by={madeBy} nowMs={useNowMs()} />
      <RowActions>
        {toAction('Test', 'test')}
        {toAction('Messages', 'deliveries')}
        {toAction('Change', 'change')}
        {toAction('Remove', 'remove')}
      </RowActions>
    </tr>
  );
};

const LastMessage = ({ webhook: { last } }: Pick<WebhookRowProps, 'webhook'>) => {
  const nowMs = useNowMs();
  if (last === null) return <td data-head="Last message">None so far</td>;
  const { state, updatedMs, lastError } = last;
  return (
    <td data-head="Last message">
      {DELIVERY_STATE_LABELS[state]} {formatMoment(updatedMs, nowMs)}
      {lastError === null ? null : <Small>{lastError}</Small>}
    </td>
  );
};
