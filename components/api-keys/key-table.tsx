'use client';

import { Button } from '@mantine/core';
import styles from '@/components/desk/desk-page.module.css';
import { momentWords } from '@/lib/view/clock';
import type { ApiKey } from '@/lib/wire/api-keys';
import type { KeyTask } from './key-dialogs';
import { accessWords, stateWords } from './key-words';

interface KeyTableProps {
  keys: ApiKey[];
  nowMs: number;
  onTask: (task: KeyTask) => void;
}

/** Every key with what it may do and what became of it. */
export const KeyTable = ({ keys, nowMs, onTask }: KeyTableProps) => (
  // A table that is wider than the screen is reached by the keyboard too.
  <div className={styles.scroller} tabIndex={0} role="region" aria-label="API keys">
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Begins with</th>
          <th scope="col">Access</th>
          <th scope="col">Made</th>
          <th scope="col">Last used</th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="lh-unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} nowMs={nowMs} onTask={onTask} />
        ))}
      </tbody>
    </table>
  </div>
);

const KeyRow = ({ apiKey, nowMs, onTask }: Omit<KeyTableProps, 'keys'> & { apiKey: ApiKey }) => {
  const { name, usdot, prefix, access, createdBy, createdAtMs, lastUsedAtMs, revokedAtMs } = apiKey;
  const state = stateWords(apiKey, nowMs);
  return (
    <tr data-ended={!state.isUsable}>
      <td>
        <span className={styles.name}>{name}</span>
        <span className={styles.small}>USDOT {usdot}</span>
      </td>
      <td className={styles.mono}>{prefix === null ? 'not known' : `${prefix}…`}</td>
      <td>
        {accessWords(access, nowMs).map((line) => (
          <div key={line}>{line}</div>
        ))}
      </td>
      <td>
        {momentWords(createdAtMs, nowMs)}
        {createdBy === null ? null : <span className={styles.small}>{createdBy}</span>}
      </td>
      <td>{lastUsedAtMs === null ? 'Never' : momentWords(lastUsedAtMs, nowMs)}</td>
      <td>
        {state.words}
        {state.more === null ? null : <span className={styles.small}>{state.more}</span>}
      </td>
      <td>
        {revokedAtMs === null ? (
          <div className={styles.rowActions}>
            {(['change', 'rotate', 'revoke'] as const)
              .filter((kind) => kind !== 'rotate' || state.isUsable)
              .map((kind) => (
                <Button
                  key={kind}
                  size="xs"
                  variant="default"
                  aria-label={`${ACTIONS[kind]} ${name}`}
                  onClick={() => onTask({ kind, key: apiKey })}
                >
                  {ACTIONS[kind]}
                </Button>
              ))}
          </div>
        ) : null}
      </td>
    </tr>
  );
};

const ACTIONS = { change: 'Change', rotate: 'Rotate', revoke: 'Revoke' };
