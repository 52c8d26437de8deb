'use client';

import {
  Table,
  CreatedCell,
  LastUsedCell,
  NameCell,
  PrefixCell,
  RowAction,
  RowActions,
  Small,
} from '@/components/kit/table';
import type { ApiKey } from '@/lib/api-keys/schema';
import type { KeyTask } from './key-dialogs';
import { accessText, toKeyState } from './key-text';

interface KeyTableProps {
  keys: ApiKey[];
  nowMs: number;
  onTask: (task: KeyTask) => void;
}

/** Every key with its access and its state. */
export const KeyTable = ({ keys, nowMs, onTask }: KeyTableProps) => (
  <Table label="API keys" columns={['Name', 'Starts with', 'Access', 'Created', 'Last used', 'State']}>
    {keys.map((key) => (
      <KeyRow key={key.id} apiKey={key} nowMs={nowMs} onTask={onTask} />
    ))}
  </Table>
);

const KeyRow = ({ apiKey, nowMs, onTask }: Omit<KeyTableProps, 'keys'> & { apiKey: ApiKey }) => {
  const { name, usdot, access, prefix, createdAtMs, createdBy, lastUsedAtMs, revokedAtMs } = apiKey;
  const state = toKeyState(apiKey, nowMs);
  const toAction = (label: string, kind: 'change' | 'rotate' | 'revoke') => (
    <RowAction label={label} of={name} onPress={() => onTask({ kind, key: apiKey })} />
  );
  return (
    <tr data-ended={!state.isUsable}>
      <NameCell name={name}>
        <Small>USDOT {usdot}</Small>
      </NameCell>
      <PrefixCell prefix={prefix} />
      <td data-head="Access">
        {accessText(access, nowMs).map((line) => (
          <div key={line}>{line}</div>
        ))}
      </td>
      <CreatedCell atMs={createdAtMs} by={createdBy} nowMs={nowMs} />
      <LastUsedCell lastUsedAtMs={lastUsedAtMs} nowMs={nowMs} />
      <td data-head="State">
        {state.label}
        {state.more === null ? null : <Small>{state.more}</Small>}
      </td>
      <RowActions>
        {revokedAtMs === null ? (
          <>
            {toAction('Change', 'change')}
            {state.isUsable ? toAction('Rotate', 'rotate') : null}
            {toAction('Revoke', 'revoke')}
          </>
        ) : null}
      </RowActions>
    </tr>
  );
};
