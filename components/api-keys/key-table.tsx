import { PREFIX_COLUMN, RowAction, Table, createdColumn, lastUsedColumn } from '@/components/kit/table';
import type { ApiKey } from '@/lib/api-keys/schema';
import type { KeyTask } from './key-dialogs';
import { accessText, toKeyState } from './key-text';

interface KeyTableProps {
  keys: readonly ApiKey[];
  nowMs: number;
  onTask: (task: KeyTask) => void;
}

/** Every key with its access and its state. */
export const KeyTable = ({ keys, nowMs, onTask }: KeyTableProps) => (
  <Table
    label="API keys"
    columns={[
      { label: 'Name', name: ({ name }) => name, small: ({ usdot }) => `USDOT ${usdot}` },
      PREFIX_COLUMN,
      {
        label: 'Access',
        cell: ({ access }) => accessText(access, nowMs).map((line) => <div key={line}>{line}</div>),
      },
      createdColumn<ApiKey>(nowMs, ({ createdBy }) => createdBy),
      lastUsedColumn(nowMs),
      {
        label: 'State',
        cell: (key) => toKeyState(key, nowMs).label,
        small: (key) => toKeyState(key, nowMs).more,
      },
    ]}
    rows={keys}
    keyOf={({ id }) => id}
    isEnded={(key) => !toKeyState(key, nowMs).isUsable}
    actions={(key) => {
      const toAction = (label: string, kind: 'change' | 'rotate' | 'revoke') => (
        <RowAction label={label} of={key.name} onPress={() => onTask({ kind, key })} />
      );
      return key.revokedAtMs !== null ? null : (
        <>
          {toAction('Change', 'change')}
          {toKeyState(key, nowMs).isUsable ? toAction('Rotate', 'rotate') : null}
          {toAction('Revoke', 'revoke')}
        </>
      );
    }}
  />
);
