import { useState } from 'react';
import { AddButton, Loaded, Section } from '@/components/kit/page-frame';
import { RowAction, Table, createdColumn } from '@/components/kit/table';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { ProblemNote } from '@/components/ui/problem-note';
import { useNowMs } from '@/components/ui/use-now';
import type { Webhook } from '@/lib/alerts/answers';
import { useWebhooks } from '@/lib/alerts/message-queries';
import { DELIVERY_STATE_LABELS, LEAST_SEVERITY_LABELS } from '@/components/alert-bell/text';
import { formatMoment } from '@/lib/view/format';
import { WebhookDialog, type WebhookTask } from './webhook-dialogs';

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
      <Loaded query={query}>{({ webhooks }) => <WebhookTable webhooks={webhooks} onTask={setTask} />}</Loaded>
      {task === null ? null : <WebhookDialog task={task} onClose={() => setTask(null)} />}
    </Section>
  );
};

interface WebhookTableProps {
  webhooks: readonly Webhook[];
  onTask: (task: WebhookTask) => void;
}

const WebhookTable = ({ webhooks, onTask }: WebhookTableProps) => {
  const nowMs = useNowMs();
  return (
    <Table
      label="Webhooks"
      empty="No webhooks yet."
      columns={[
        { label: 'Name', name: ({ name }) => name, small: ({ url }) => url },
        {
          label: 'Gets',
          cell: ({ minSeverity, isEnabled }) =>
            isEnabled ? LEAST_SEVERITY_LABELS[minSeverity] : 'Nothing: switched off',
        },
        {
          label: 'Last message',
          cell: ({ last }) =>
            last === null
              ? 'None so far'
              : `${DELIVERY_STATE_LABELS[last.state]} ${formatMoment(last.updatedMs, nowMs)}`,
          small: ({ last }) => last?.lastError,
        },
        createdColumn<Webhook>(nowMs, ({ madeBy }) => madeBy),
      ]}
      rows={webhooks}
      keyOf={({ id }) => id}
      isEnded={({ isEnabled }) => !isEnabled}
      actions={(webhook) => {
        const toAction = (label: string, kind: Exclude<WebhookTask['kind'], 'add'>) => (
          <RowAction label={label} of={webhook.name} onPress={() => onTask({ kind, webhook })} />
        );
        return (
          <>
            {toAction('Test', 'test')}
            {toAction('Messages', 'deliveries')}
            {toAction('Change', 'change')}
            {toAction('Remove', 'remove')}
          </>
        );
      }}
    />
  );
};
