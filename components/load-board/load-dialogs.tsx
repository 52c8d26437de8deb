import { FormDialog } from '@/components/kit/dialog';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useAnnounce } from '@/components/ui/announcer';
import { useLoadChanges } from '@/lib/loads/changes';
import type { Load } from '@/lib/loads/load';
import { truckOf } from '@/lib/loads/text';
import { LoadForm } from './load-form';
import { PickupCodeDialog } from './pickup-code';
import { typedLoadSchema, withTruck } from './load-values';
import { TruckField, useTruckKeys } from './truck-field';
import { UNKNOWN_TRUCK } from './truck-key';
import { useTruckName } from '@/components/fleet-state/use-trucks';

export type LoadTask = 'change' | 'truck' | 'code' | 'end' | 'remove';

interface LoadDialogProps {
  task: LoadTask;
  load: Load;
  onRemoved: () => void;
  onClose: () => void;
}

export const LoadDialog = ({ task, ...props }: LoadDialogProps) => {
  switch (task) {
    case 'change':
      return <LoadForm load={props.load} onClose={props.onClose} />;
    case 'truck':
      return <TruckDialog {...props} />;
    case 'code':
      return <PickupCodeDialog {...props} />;
    case 'end':
      return <EndDialog {...props} />;
    case 'remove':
      return <RemoveDialog {...props} />;
  }
};

type TaskProps = Omit<LoadDialogProps, 'task'>;

const TruckDialog = ({ load, onClose }: TaskProps) => {
  const { change } = useLoadChanges(useUsdot());
  const nameOf = useTruckName();
  const announce = useAnnounce();
  const held = truckOf(load);
  const keyOf = useTruckKeys(held);
  return (
    <FormDialog
      title={`Truck of load ${load.reference}`}
      action={({ unit }) => (unit.trim() === '' ? 'Take the truck off' : 'Give it the load')}
      // Enter on what is there already changes nothing.
      initialValues={{ unit: held === null ? '' : nameOf(held) }}
      toInput={({ unit }) => {
        const key = unit.trim() === '' ? null : keyOf(unit);
        const isUnknown = key === null && unit.trim() !== '';
        return {
          input: withTruck(load, key),
          problems: isUnknown ? [{ path: ['unit'], message: UNKNOWN_TRUCK }] : [],
        };
      }}
      schema={typedLoadSchema}
      send={async ({ input }) => {
        await change.mutateAsync({ id: load.id, load: input });
        announce('Truck changed');
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p>
            {held === null ? 'It has no truck now.' : `Truck ${nameOf(held)} has it now.`} The change is kept
            with its time and your name; what happened before stays with the truck before.
          </p>
          <TruckField
            {...field('unit')}
            keyOf={keyOf}
            data-autofocus
            description={held === null ? undefined : 'Leave it empty to take the truck off.'}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </>
      )}
    </FormDialog>
  );
};

const EndDialog = ({ load, onClose }: TaskProps) => {
  const { end } = useLoadChanges(useUsdot());
  const announce = useAnnounce();
  return (
    <FormDialog
      title={`End load ${load.reference}?`}
      action="End the load"
      send={async () => {
        await end.mutateAsync(load.id);
        announce('Load ended');
      }}
      onClose={onClose}
    >
      It is not watched any more, and its history says that you ended it by hand. A load ends by itself when
      its truck leaves the last stop.
    </FormDialog>
  );
};

const RemoveDialog = ({ load, onRemoved, onClose }: TaskProps) => {
  const { remove } = useLoadChanges(useUsdot());
  const announce = useAnnounce();
  return (
    <FormDialog
      title={`Remove load ${load.reference}?`}
      action="Remove"
      isDangerous
      send={async () => {
        await remove.mutateAsync(load.id);
        announce('Load removed');
        onRemoved();
      }}
      onClose={onClose}
    >
      The load, its history and its grades are deleted. This cannot be undone. To keep them, end the load.
    </FormDialog>
  );
};
