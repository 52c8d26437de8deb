import { Button } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '@/components/kit/dialog';
import { Loaded, Section } from '@/components/kit/page-frame';
import { RowAction, Table, type Column } from '@/components/kit/table';
import { useNowMs } from '@/components/ui/use-now';
import type { PublicKey } from '@/lib/proof/keys';
import { useSigningKeyChanges, useSigningKeys } from '@/lib/proof/queries';
import { formatMoment } from '@/lib/view/format';

type Task = { kind: 'rotate' } | { kind: 'revoke'; key: PublicKey };

/** The keys that sign documents: a manager lets a new one sign, or marks one that others may have. */
export const SigningKeys = ({ mayChange }: { mayChange: boolean }) => {
  const query = useSigningKeys();
  const nowMs = useNowMs();
  const [task, setTask] = useState<Task | null>(null);
  return (
    <Section
      title="Keys that sign documents"
      lead="Statements and certificates are signed, so that anyone can check them. A key is made for the first document. Keys are never deleted: what they signed stays verifiable."
      actions={
        mayChange && query.data !== undefined && query.data.length > 0 ? (
          <Button variant="default" onClick={() => setTask({ kind: 'rotate' })}>
            New key…
          </Button>
        ) : null
      }
    >
      <Loaded query={query} heightPx={80}>
        {(keys) =>
          keys.length === 0 ? (
            <p>No document has been signed yet.</p>
          ) : (
            <Table
              label="Keys that sign documents"
              columns={toColumns(nowMs)}
              rows={keys.toReversed()}
              keyOf={({ kid }) => kid}
              actions={(key) =>
                mayChange && key.revokedMs === null ? (
                  <RowAction label="Revoke…" of={key.kid} onPress={() => setTask({ kind: 'revoke', key })} />
                ) : null
              }
            />
          )
        }
      </Loaded>
      {task === null ? null : <KeyDialog task={task} onClose={() => setTask(null)} />}
    </Section>
  );
};

const toColumns = (nowMs: number): Column<PublicKey>[] => [
  { label: 'Key', name: ({ kid }) => kid.slice(0, 12) },
  {
    label: 'State',
    cell: ({ untilMs, revokedMs }) =>
      revokedMs === null ? (untilMs === null ? 'Signs' : 'Verifies what it signed') : 'Revoked',
    small: ({ revokedMs }) => (revokedMs === null ? null : formatMoment(revokedMs, nowMs)),
  },
  { label: 'From', cell: ({ fromMs }) => formatMoment(fromMs, nowMs) },
  { label: 'Until', cell: ({ untilMs }) => (untilMs === null ? '–' : formatMoment(untilMs, nowMs)) },
];

const KeyDialog = ({ task, onClose }: { task: Task; onClose: () => void }) => {
  const { rotate, revoke } = useSigningKeyChanges();
  return task.kind === 'rotate' ? (
    <FormDialog
      title="Let a new key sign documents?"
      action="Make a new key"
      send={() => rotate.mutateAsync(undefined)}
      onClose={onClose}
    >
      <p>Documents that were signed before stay verifiable, with the key that signed them.</p>
    </FormDialog>
  ) : (
    <FormDialog
      title={`Revoke key ${task.key.kid.slice(0, 12)}?`}
      action="Revoke it"
      isDangerous
      send={() => revoke.mutateAsync(task.key.kid)}
      onClose={onClose}
    >
      <p>
        Do this only if someone else may have the key. Its signatures alone prove nothing any more: its
        documents are then checked by what this server has on record. This cannot be undone.
      </p>
    </FormDialog>
  );
};
