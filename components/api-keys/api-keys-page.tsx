'use client';

import { useState } from 'react';
import { AddButton, PageFrame, Loaded, Section, Steps } from '@/components/kit/page-frame';
import { PREFIX_COLUMN, RowAction, Table, createdColumn, lastUsedColumn } from '@/components/kit/table';
import { useApiKeys } from '@/lib/api-keys/queries';
import type { ApiKey } from '@/lib/api-keys/schema';
import { KeyDialog, type KeyTask } from './key-dialogs';
import { LoadKeys } from './load-keys';
import { accessText, toKeyState } from './key-text';

export const ApiKeysPage = () => {
  const query = useApiKeys();
  const { data } = query;
  const [task, setTask] = useState<KeyTask | null>(null);
  return (
    <PageFrame
      title="API keys"
      actions={
        <AddButton disabled={!data || data.carriers.length === 0} onClick={() => setTask({ kind: 'add' })}>
          Add a key
        </AddButton>
      }
      lead={
        <>
          With a key and its provider token, your programs can read a fleet from this server’s tracking API.
          They cannot change anything. The API is documented at <a href="/tracking/docs">/tracking/docs</a>.
        </>
      }
      error={query.error}
    >
      <Loaded query={query}>
        {({ keys, nowMs }) => <KeyTable keys={keys} nowMs={nowMs} onTask={setTask} />}
      </Loaded>
      <LoadKeys />
      {task === null || data === undefined ? null : (
        <KeyDialog task={task} carriers={data.carriers} onClose={() => setTask(null)} />
      )}
    </PageFrame>
  );
};

/** The page for fleets that are read from a provider, where their keys are created. */
export const ProviderKeysPage = ({ hosts }: { hosts: string[] }) => (
  <PageFrame
    title="API keys"
    lead={
      <>
        Linehaul reads your trucks from <b>{hosts.join(', ')}</b>. You create keys there, not on this server.
      </>
    }
  >
    <Section title="Create a key at the provider" isCard>
      <Steps>
        <li>Sign in to the provider’s dashboard.</li>
        <li>
          In its left sidebar, open <b>More → API Keys</b>.
        </li>
        <li>
          Choose <b>Add a key</b> at the top right, give the key a name and its access settings, and submit.
        </li>
        <li>
          You get two secrets, the API key and the provider token. Set them in the server’s environment as{' '}
          <code className="lh-code">TRACKING_API_KEY</code> and{' '}
          <code className="lh-code">TRACKING_PROVIDER_TOKEN</code>, and restart the server. Never type them
          into a page.
        </li>
      </Steps>
    </Section>
    <LoadKeys />
  </PageFrame>
);

interface KeyTableProps {
  keys: readonly ApiKey[];
  nowMs: number;
  onTask: (task: KeyTask) => void;
}

const KeyTable = ({ keys, nowMs, onTask }: KeyTableProps) => (
  <Table
    label="API keys"
    empty="No keys yet."
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
