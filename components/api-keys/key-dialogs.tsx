'use client';

import { useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { SelectField } from '@/components/ui/form-fields';
import { SendForm } from '@/components/ui/send-form';
import { useKeyChanges } from '@/lib/api-keys/queries';
import type { ApiKey, IssuedKey, ServedCarrier } from '@/lib/api-keys/schema';
import { IssuedKeyView } from './issued-key';
import { KeyFields, readKeyFields } from './key-fields';

const HOUR_MS = 3_600_000;
const OVERLAPS = [
  { value: '0', label: 'End at once' },
  { value: String(HOUR_MS), label: 'Work for one more hour' },
  { value: String(24 * HOUR_MS), label: 'Work for one more day' },
  { value: String(7 * 24 * HOUR_MS), label: 'Work for one more week' },
];

/** What is being done, and to which key. */
export type KeyTask = { kind: 'add' } | { kind: 'change' | 'rotate' | 'revoke'; key: ApiKey };

const toTitle = (task: KeyTask): string =>
  task.kind === 'add'
    ? 'Add a key'
    : { change: 'Change', rotate: 'Rotate', revoke: 'Revoke' }[task.kind] + ` “${task.key.name}”`;

interface KeyDialogProps {
  task: KeyTask;
  carriers: ServedCarrier[];
  onClose: () => void;
}

/** One thing that is done with a key, from its form to what it brings. */
export const KeyDialog = ({ task, carriers, onClose }: KeyDialogProps) => {
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  return (
    <Dialog
      onClose={onClose}
      title={issued === null ? toTitle(task) : 'Copy the key and its token'}
      isHeld={issued !== null}
    >
      {issued === null ? (
        <TaskForm task={task} carriers={carriers} onClose={onClose} onIssued={setIssued} />
      ) : (
        <IssuedKeyView issued={issued} onClose={onClose} />
      )}
    </Dialog>
  );
};

const TaskForm = ({
  task,
  carriers,
  onClose,
  onIssued,
}: KeyDialogProps & { onIssued: (key: IssuedKey) => void }) => {
  const { create, change, rotate, revoke } = useKeyChanges();
  switch (task.kind) {
    case 'add':
      return (
        <SendForm
          action="Add the key"
          onCancel={onClose}
          send={async (fields) => onIssued(await create.mutateAsync(readKeyFields(fields)))}
        >
          <KeyFields held={null} carriers={carriers} />
        </SendForm>
      );
    case 'change':
      return (
        <SendForm
          action="Save"
          onCancel={onClose}
          send={async (fields) => {
            const { name, access } = readKeyFields(fields);
            await change.mutateAsync({ id: task.key.id, change: { name, access } });
            onClose();
          }}
        >
          <KeyFields held={task.key} carriers={carriers} />
        </SendForm>
      );
    case 'rotate':
      return (
        <SendForm
          action="Make new secrets"
          onCancel={onClose}
          send={async (fields) => {
            const overlapMs = Number(fields.get('overlap'));
            onIssued(await rotate.mutateAsync({ id: task.key.id, overlapMs }));
          }}
        >
          <p>The key keeps its name and settings, and is given a new key and provider token.</p>
          <SelectField
            name="overlap"
            toldAs="overlapMs"
            label="The old ones"
            data={OVERLAPS}
            defaultValue={OVERLAPS[2]!.value}
          />
        </SendForm>
      );
    case 'revoke':
      return (
        <SendForm
          action="Revoke the key"
          isDangerous
          onCancel={onClose}
          send={async () => {
            await revoke.mutateAsync(task.key.id);
            onClose();
          }}
        >
          <p>
            Whatever uses <b>{task.key.name}</b> stops working at once. This cannot be undone.
          </p>
        </SendForm>
      );
  }
};
