import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '@/components/kit/dialog';
import { AddButton, Loaded, Section } from '@/components/kit/page-frame';
import { PREFIX_COLUMN, RevokeAction, Table, createdColumn, lastUsedColumn } from '@/components/kit/table';
import { ProblemNote } from '@/components/ui/problem-note';
import { useLoadKeyChanges, useLoadKeys } from '@/lib/api-keys/queries';
import { newLoadKeySchema, type IssuedLoadKey, type LoadKey } from '@/lib/api-keys/schema';
import { useFleetList } from '@/lib/fleets/queries';
import { formatMoment } from '@/lib/view/format';

type Task = { kind: 'add' } | { kind: 'revoke'; key: LoadKey };

/** The keys by which programs write loads. */
export const LoadKeys = () => {
  const query = useLoadKeys();
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <Section
      title="Keys for loads"
      lead="With a key for loads, your TMS makes, changes and removes the loads of one fleet at /api/v1/loads. It can read or change nothing else. A key ends when its maker is no longer a manager of the fleet."
      actions={<AddButton onClick={() => setTask({ kind: 'add' })}>Add a load key</AddButton>}
    >
      {query.error === null ? null : <ProblemNote role="alert">{query.error.message}</ProblemNote>}
      <Loaded query={query} heightPx={90}>
        {({ keys, nowMs }) => (
          <LoadKeyTable keys={keys} nowMs={nowMs} onRevoke={(key) => setTask({ kind: 'revoke', key })} />
        )}
      </Loaded>
      {task?.kind === 'add' ? <AddLoadKey onClose={close} /> : null}
      {task?.kind === 'revoke' ? <RevokeLoadKey loadKey={task.key} onClose={close} /> : null}
    </Section>
  );
};

const stateText = ({ revokedAtMs, expiresAtMs }: LoadKey, nowMs: number): string => {
  if (revokedAtMs !== null) return `Revoked ${formatMoment(revokedAtMs, nowMs)}`;
  if (expiresAtMs === null) return 'In use';
  return `${expiresAtMs <= nowMs ? 'Expired' : 'In use until'} ${formatMoment(expiresAtMs, nowMs)}`;
};

interface LoadKeyTableProps {
  keys: readonly LoadKey[];
  nowMs: number;
  onRevoke: (key: LoadKey) => void;
}

const LoadKeyTable = ({ keys, nowMs, onRevoke }: LoadKeyTableProps) => (
  <Table
    label="Keys for loads"
    empty="No keys for loads yet."
    columns={[
      { label: 'Name', name: ({ name }) => name, small: ({ usdot }) => `USDOT ${usdot}` },
      PREFIX_COLUMN,
      createdColumn<LoadKey>(nowMs, ({ createdBy }) => createdBy),
      lastUsedColumn(nowMs),
      { label: 'State', cell: (key) => stateText(key, nowMs) },
    ]}
    rows={keys}
    keyOf={({ id }) => id}
    isEnded={({ revokedAtMs, expiresAtMs }) => revokedAtMs !== null || (expiresAtMs ?? Infinity) <= nowMs}
    actions={(key) => <RevokeAction row={key} onRevoke={onRevoke} />}
  />
);

const toCurl = (origin: string, { key }: IssuedLoadKey): string =>
  [
    `curl -X PUT ${origin}/api/v1/loads/8841 \\`,
    `  -H 'authorization: Bearer ${key}' -H 'content-type: application/json' \\`,
    `  -d '{"customer":"Peachtree Paper","stops":[{"kind":"delivery","place":{"name":"Dock 4","lat":32.78,"lng":-96.8}}]}'`,
  ].join('\n');

const AddLoadKey = ({ onClose }: { onClose: () => void }) => {
  const { create } = useLoadKeyChanges();
  const fleets = useFleetList(true).data?.fleets;
  if (fleets === undefined) return null;
  // The first fleets may be listed only once the dialog is open.
  const first = fleets[0]?.usdot ?? '';
  return (
    <FormDialog
      title="Add a load key"
      action="Add the key"
      onClose={onClose}
      initialValues={{ name: '', usdot: '', expires: '' }}
      toInput={({ name, usdot, expires }) => ({
        ...{ name: name.trim(), usdot: usdot.trim() || first },
        expiresAtMs: expires === '' ? null : new Date(expires).getTime(),
      })}
      schema={newLoadKeySchema}
      send={create.mutateAsync}
      once={{
        title: 'Copy the key for loads',
        secrets: (issued) => [
          { label: 'Key for loads', text: issued.key },
          { label: 'Try it', text: toCurl(window.location.origin, issued) },
        ],
        about: () => (
          <>
            Copy it now: <b>it is shown only once.</b> Linehaul stores only what it needs to recognize it.
            Keep it on a server, never in a web page or an app.
          </>
        ),
      }}
    >
      {({ values, field }) => (
        <>
          <TextInput label="Name" description="The program that uses it." data-autofocus {...field('name')} />
          {fleets.length === 0 ? (
            <TextInput label="USDOT number" inputMode="numeric" {...field('usdot')} />
          ) : (
            <NativeSelect
              label="Fleet"
              data={fleets.map(({ usdot, account }) => ({
                value: usdot,
                label: account === null ? `USDOT ${usdot}` : `${account.companyName}, USDOT ${usdot}`,
              }))}
              {...field('usdot')}
              value={values.usdot || first}
            />
          )}
          <TextInput
            type="datetime-local"
            label="Expires"
            description="In your time zone. Leave empty if the key never expires."
            {...field('expires')}
          />
        </>
      )}
    </FormDialog>
  );
};

const RevokeLoadKey = ({ loadKey, onClose }: { loadKey: LoadKey; onClose: () => void }) => {
  const { revoke } = useLoadKeyChanges();
  return (
    <FormDialog
      title={`Revoke “${loadKey.name}”`}
      action="Revoke the key"
      isDangerous
      onClose={onClose}
      send={() => revoke.mutateAsync(loadKey.id)}
    >
      <p>
        Programs that use <b>{loadKey.name}</b> stop working at once. Their loads stay. This cannot be undone.
      </p>
    </FormDialog>
  );
};
