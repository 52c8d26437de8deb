import { RowAction, Small, Table, type Column } from '@/components/kit/table';
import { Empty, Loaded } from '@/components/kit/page-frame';
import { Dialog } from '@/components/kit/dialog';
import { DELIVERY_STATE_LABELS } from '@/components/alert-bell/text';
import { useMoment } from '@/components/alert-bell/use-moment';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { ProblemNote } from '@/components/ui/problem-note';
import type { Webhook, deliveriesAnswer } from '@/lib/alerts/answers';
import type { ShapeOf } from '@/lib/base/shape';
import { useDeliveries, useWebhookChanges } from '@/lib/alerts/message-queries';
import { formatCount } from '@/lib/view/format';

type Delivery = ShapeOf<typeof deliveriesAnswer>['deliveries'][number];

interface DeliveriesProps {
  webhook: Webhook;
  onClose: () => void;
}

/** The newest messages to a webhook, what became of each, and a button that sends one again. */
export const Deliveries = ({ webhook: { id, name }, onClose }: DeliveriesProps) => {
  const usdot = useUsdot();
  const query = useDeliveries(usdot, id);
  const { replay } = useWebhookChanges(usdot);
  const moment = useMoment();
  const problem = replay.error ?? query.error;
  return (
    <Dialog title={`Messages to “${name}”`} size="xl" onClose={onClose}>
      {problem === null ? null : <ProblemNote role="alert">{problem.message}</ProblemNote>}
      <Loaded query={query}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <Empty>No messages so far.</Empty>
          ) : (
            <Table
              label="Messages"
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
          )
        }
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
