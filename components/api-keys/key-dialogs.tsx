import { NativeSelect, Checkbox, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { FormDialog } from '@/components/kit/dialog';
import { toCarrierOptions } from '@/components/kit/fleet-fields';
import type { FormFields } from '@/components/ui/api-form';
import { toLocalTime } from '@/components/ui/weekly-hours/weekly-hours';
import { useKeyChanges } from '@/lib/api-keys/queries';
import {
  keyChangeSchema,
  newKeySchema,
  rotationSchema,
  type ApiKey,
  type IssuedKey,
  type ServedCarrier,
  ENDPOINT_NAMES,
  type EndpointName,
  type NewKey,
} from '@/lib/api-keys/schema';
import { DAY_MS, HOUR_MS } from '@/lib/base/time';
import { ENDPOINT_LABELS } from './key-text';

export type KeyTask = { kind: 'add' } | { kind: 'change' | 'rotate' | 'revoke'; key: ApiKey };

interface KeyDialogProps {
  task: KeyTask;
  carriers: ServedCarrier[];
  onClose: () => void;
}

export const KeyDialog = ({ task, carriers, onClose }: KeyDialogProps) => {
  const { create, change, revoke } = useKeyChanges();
  switch (task.kind) {
    case 'add':
      return (
        <FormDialog
          title="Add a key"
          action="Add the key"
          onClose={onClose}
          initialValues={toKeyValues(null, carriers)}
          toInput={toKeyInput}
          schema={newKeySchema}
          send={create.mutateAsync}
          once={SHOWN_KEY}
        >
          {(form) => <KeyFields form={form} carriers={carriers} />}
        </FormDialog>
      );
    case 'change':
      return (
        <FormDialog
          title={`Change “${task.key.name}”`}
          action="Save"
          onClose={onClose}
          initialValues={toKeyValues(task.key, carriers)}
          toInput={(values) => {
            const { name, access } = toKeyInput(values);
            return { name, access };
          }}
          schema={keyChangeSchema}
          send={(input) => change.mutateAsync({ id: task.key.id, change: input })}
        >
          {(form) => <KeyFields form={form} carriers={null} />}
        </FormDialog>
      );
    case 'rotate':
      return <RotateKey apiKey={task.key} onClose={onClose} />;
    case 'revoke':
      return (
        <FormDialog
          title={`Revoke “${task.key.name}”`}
          action="Revoke the key"
          isDangerous
          onClose={onClose}
          send={() => revoke.mutateAsync(task.key.id)}
        >
          <p>
            Programs that use <b>{task.key.name}</b> stop working at once. This cannot be undone.
          </p>
        </FormDialog>
      );
  }
};

const OVERLAPS = [
  { value: '0', label: 'Stop working at once' },
  { value: String(HOUR_MS), label: 'Work for one more hour' },
  { value: String(DAY_MS), label: 'Work for one more day' },
  { value: String(7 * DAY_MS), label: 'Work for one more week' },
];

const RotateKey = ({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) => {
  const { rotate } = useKeyChanges();
  return (
    <FormDialog
      title={`Rotate “${apiKey.name}”`}
      action="Create new secrets"
      onClose={onClose}
      initialValues={{ overlapMs: String(DAY_MS) }}
      toInput={({ overlapMs }) => ({ overlapMs: Number(overlapMs) })}
      schema={rotationSchema}
      send={(input) => rotate.mutateAsync({ id: apiKey.id, ...input })}
      once={SHOWN_KEY}
    >
      {({ field }) => (
        <>
          <p>The key keeps its name and settings, and gets a new API key and provider token.</p>
          <NativeSelect label="The old secrets" data={OVERLAPS} {...field('overlapMs')} />
        </>
      )}
    </FormDialog>
  );
};

/** The path at which the web application mounts the tracking service. */
const TRACKING_PATH = '/tracking';

const toCurl = (origin: string, { apiKey, providerToken }: IssuedKey): string =>
  [
    `curl ${origin}${TRACKING_PATH}/api/carrier \\`,
    `  -H 'x-api-key: ${apiKey}' \\`,
    `  -H 'provider-token: ${providerToken}'`,
  ].join('\n');

const SHOWN_KEY = {
  title: 'Copy the key and its token',
  secrets: (issued: IssuedKey) => [
    { label: 'API key', text: issued.apiKey },
    { label: 'Provider token', text: issued.providerToken },
    { label: 'Try it', text: toCurl(window.location.origin, issued) },
  ],
  about: () => (
    <>
      Copy both now: <b>they are shown only once.</b> Linehaul stores only what it needs to recognize them.
      Keep them on a server, never in a web page or an app.
    </>
  ),
};

interface KeyValues {
  usdot: string;
  name: string;
  access: {
    endpoints: readonly EndpointName[];
    expiresAtMs: string;
    allowedNetworks: string;
    requestsPerMinute: string;
  };
}

const toKeyValues = (key: ApiKey | null, carriers: readonly ServedCarrier[]): KeyValues => {
  const { endpoints, expiresAtMs, allowedNetworks, requestsPerMinute } = key?.access ?? {};
  return {
    usdot: key?.usdot ?? carriers[0]?.usdot ?? '',
    name: key?.name ?? '',
    access: {
      endpoints: endpoints ?? [...ENDPOINT_NAMES],
      expiresAtMs: expiresAtMs == null ? '' : toLocalTime(expiresAtMs),
      allowedNetworks: allowedNetworks?.join('\n') ?? '',
      requestsPerMinute: requestsPerMinute?.toString() ?? '',
    },
  };
};

const toKeyInput = ({ usdot, name, access }: KeyValues): NewKey => {
  const networks = access.allowedNetworks.split(/[\s,]+/).filter(Boolean);
  const requests = access.requestsPerMinute.trim();
  return {
    usdot,
    name: name.trim(),
    access: {
      endpoints: ENDPOINT_NAMES.filter((name) => access.endpoints.includes(name)),
      expiresAtMs: access.expiresAtMs === '' ? null : new Date(access.expiresAtMs).getTime(),
      allowedNetworks: networks.length === 0 ? null : networks,
      requestsPerMinute: requests === '' ? null : Number(requests),
    },
  };
};

interface KeyFieldsProps {
  form: FormFields<KeyValues>;
  /** The carriers to choose from; null if the key already has one. */
  carriers: readonly ServedCarrier[] | null;
}

const KeyFields = ({ form: { field }, carriers }: KeyFieldsProps) => (
  <>
    <TextInput label="Name" description="What the key is for." data-autofocus {...field('name')} />
    {carriers === null ? null : (
      <NativeSelect label="Carrier" data={toCarrierOptions(carriers)} {...field('usdot')} />
    )}
    <Checkbox.Group label="Endpoints" {...field('access.endpoints')}>
      <Stack gap={8} mt={8}>
        {ENDPOINT_NAMES.map((name) => (
          <Checkbox
            key={name}
            value={name}
            label={
              <>
                {ENDPOINT_LABELS[name].label}{' '}
                <Text component="code" c="dimmed" ff="monospace" fz={12}>
                  {ENDPOINT_LABELS[name].path}
                </Text>
              </>
            }
          />
        ))}
      </Stack>
    </Checkbox.Group>
    <TextInput
      type="datetime-local"
      label="Expires"
      description="In your time zone. Leave empty if the key never expires."
      {...field('access.expiresAtMs')}
    />
    <Textarea
      label="Allowed addresses"
      description="One per line: an IP address, or a block such as 203.0.113.0/24. Leave empty to allow any address."
      rows={2}
      spellCheck={false}
      {...field('access.allowedNetworks')}
    />
    <TextInput
      label="Requests per minute"
      description="Leave empty for no limit."
      inputMode="numeric"
      {...field('access.requestsPerMinute')}
    />
  </>
);
