'use client';

import { Breakable } from '@/components/ui/breakable';
import { PrefixCell, UseCells } from '@/components/admin/credential-cells';
import { AdminTable, RowAction, RowActions } from '@/components/admin/admin-table';
import styles from '@/components/admin/admin-table.module.css';
import type { ApiKey } from '@/lib/api-keys/schema';
import type { KeyTask } from './key-dialogs';
import { accessWords, stateWords } from './key-text';

interface KeyTableProps {
  keys: ApiKey[];
  nowMs: number;
  onTask: (task: KeyTask) => void;
}

/** Every key with what it may do and what became of it. */
export const KeyTable = ({ keys, nowMs, onTask }: KeyTableProps) => (
  <AdminTable label="API keys" columns={['Name', 'Begins with', 'Access', 'Made', 'Last used', 'State']}>
    {keys.map((key) => (
      <KeyRow key={key.id} apiKey={key} nowMs={nowMs} onTask={onTask} />
    ))}
  </AdminTable>
);

const KeyRow = ({ apiKey, nowMs, onTask }: Omit<KeyTableProps, 'keys'> & { apiKey: ApiKey }) => {
  const { name, usdot, access, revokedAtMs } = apiKey;
  const state = stateWords(apiKey, nowMs);
  return (
    <tr data-ended={!state.isUsable}>
      <td>
        <span className={styles.name}>
          <Breakable text={name} />
        </span>
        <span className={styles.small}>USDOT {usdot}</span>
      </td>
      <PrefixCell prefix={apiKey.prefix} />
      <td data-head="Access">
        {accessWords(access, nowMs).map((line) => (
          <div key={line}>{line}</div>
        ))}
      </td>
      <UseCells {...apiKey} nowMs={nowMs} />
      <td data-head="State">
        {state.words}
        {state.more === null ? null : <span className={styles.small}>{state.more}</span>}
      </td>
      <RowActions>
        {revokedAtMs === null
          ? (['change', 'rotate', 'revoke'] as const)
              .filter((kind) => kind !== 'rotate' || state.isUsable)
              .map((kind) => (
                <RowAction
                  key={kind}
                  words={ACTIONS[kind]}
                  of={name}
                  onPress={() => onTask({ kind, key: apiKey })}
                />
              ))
          : null}
      </RowActions>
    </tr>
  );
};

const ACTIONS = { change: 'Change', rotate: 'Rotate', revoke: 'Revoke' };
