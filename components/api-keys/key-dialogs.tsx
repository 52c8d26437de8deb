'use client';

import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { ApiForm, ConfirmForm } from '@/components/ui/api-form';
import { useKeyChanges } from '@/lib/api-keys/queries';
import { keyChangeSchema, newKeySchema, rotationSchema } from '@/lib/api-keys/schema';
import type { ApiKey, IssuedKey, ServedCarrier } from '@/lib/api-keys/schema';
import { IssuedKeyView } from './issued-key';
import { KeyFields, toKeyInput, toKeyValues } from './key-fields';

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
        <ApiForm
          action="Add the key"
          onCancel={onClose}
          initialValues={toKeyValues(null, carriers)}
          toInput={toKeyInput}
          schema={newKeySchema}
          send={async (input) => onIssued(await create.mutateAsync(input))}
        >
          {(form) => <KeyFields form={form} carriers={carriers} />}
        </ApiForm>
      );
    case 'change':
      return (
        <ApiForm
          action="Save"
          onCancel={onClose}
          initialValues={toKeyValues(task.key, carriers)}
          toInput={(values) => {
            const { name, access } = toKeyInput(values);
            return { name, access };
          }}
          schema={keyChangeSchema}
          send={async (input) => {
            await change.mutateAsync({ id: task.key.id, change: input });
            onClose();
          }}
        >
          {(form) => <KeyFields form={form} carriers={null} />}
        </ApiForm>
      );
    case 'rotate':
      return (
        <ApiForm
          action="Make new secrets"
          onCancel={onClose}
          initialValues={{ overlapMs: OVERLAPS[2]!.value }}
          toInput={({ overlapMs }) => ({ overlapMs: Number(overlapMs) })}
          schema={rotationSchema}
          send={async (input) => onIssued(await rotate.mutateAsync({ id: task.key.id, ...input }))}
        >
          {({ field }) => (
            <>
              <p>The key keeps its name and settings, and gets a new key and provider token.</p>
              <NativeSelect label="The old ones" data={OVERLAPS} {...field('overlapMs')} />
            </>
          )}
        </ApiForm>
      );
    case 'revoke':
      return (
        <ConfirmForm
          action="Revoke the key"
          isDangerous
          onClose={onClose}
          send={() => revoke.mutateAsync(task.key.id)}
        >
          <p>
            Whatever uses <b>{task.key.name}</b> stops working at once. This cannot be undone.
          </p>
        </ConfirmForm>
      );
  }
};
