import { Checkbox, NativeSelect, Stack, Text, TextInput, Textarea } from '@mantine/core';
import type { FormFields } from '@/components/ui/api-form';
import { toLocalTime } from '@/components/ui/local-time';
import {
  ENDPOINT_NAMES,
  type ApiKey,
  type EndpointName,
  type NewKey,
  type ServedCarrier,
} from '@/lib/api-keys/schema';
import { ENDPOINT_LABELS } from './key-text';

/** The values of the fields. */
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

/** The values of the fields for a key; null: for a new key of the first carrier. */
export const toKeyValues = (key: ApiKey | null, carriers: readonly ServedCarrier[]): KeyValues => {
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

/** The key in the format of the request. */
export const toKeyInput = ({ usdot, name, access }: KeyValues): NewKey => {
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

/** A key's name and access. */
export const KeyFields = ({ form: { field }, carriers }: KeyFieldsProps) => (
  <>
    <TextInput label="Name" description="What the key is for." data-autofocus {...field('name')} />
    {carriers === null ? null : (
      <NativeSelect
        label="Carrier"
        data={carriers.map(({ usdot, companyName }) => ({
          value: usdot,
          label: `${companyName}, USDOT ${usdot}`,
        }))}
        {...field('usdot')}
      />
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
