import { Table, NameCell, RowAction, RowActions, Small } from '@/components/kit/table';
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
  const problem = replay.error ?? query.error;
  return (
    <Dialog title={`Messages to “${name}”`} size="xl" onClose={onClose}>
      {problem === null ? null : <ProblemNote role="alert">{problem.message}</ProblemNote>}
      <Loaded query={query}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <Empty>No messages so far.</Empty>
          ) : (
            <Table label="Messages" columns={['Alert', 'State', 'Time']}>
              {deliveries.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  delivery={delivery}
                  onReplay={() => replay.mutate(delivery.id)}
                  isReplaying={replay.isPending && replay.variables === delivery.id}
                />
              ))}
            </Table>
          )
        }
      </Loaded>
    </Dialog>
  );
};

interface DeliveryRowProps {
  delivery: Delivery;
  onReplay: () => void;
  isReplaying: boolean;
}

const DeliveryRow = ({ delivery, onReplay, isReplaying }: DeliveryRowProps) => {
  const { id, event, ruleName, unitName, state, attempts, lastError, createdMs, updatedMs } = delivery;
  const moment = useMoment();
  return (
    <tr data-ended={state === 'sent'}>
      <NameCell name={`${unitName ?? 'Feed'}: ${ruleName}`}>
        <Small>
          {event === 'opened' ? 'Opened' : 'Closed'} · {id}
        </Small>
      </NameCell>
      <td data-head="State">
        {DELIVERY_STATE_LABELS[state]}
        {attempts < 2 ? null : <Small>{formatCount(attempts, 'attempt')}</Small>}
        {lastError === null ? null : <Small>{lastError}</Small>}
      </td>
      <td data-head="Time">
        {moment(createdMs)}
        {state === 'sent' ? <Small>delivered {moment(updatedMs)}</Small> : null}
      </td>
      <RowActions>
        {state === 'pending' ? null : (
          <RowAction label="Send again" of={`${ruleName}, ${id}`} onPress={onReplay} isBusy={isReplaying} />
        )}
      </RowActions>
    </tr>
  );
};
