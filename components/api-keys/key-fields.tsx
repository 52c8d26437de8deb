import { Checkbox, Input, NativeSelect, TextInput, Textarea } from '@mantine/core';
import { useId } from 'react';
import type { FormFields } from '@/components/ui/api-form';
import { ENDPOINT_NAMES } from '@/lib/api-keys/schema';
import type { ApiKey, EndpointName, NewKey, ServedCarrier } from '@/lib/api-keys/schema';
import styles from './key-fields.module.css';
import { ENDPOINT_WORDS } from './key-text';

/** As `<input type="datetime-local">` has it, in the browser's zone. */
const toLocalTime = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** A key and its access as the fields hold them. */
export interface KeyValues {
  usdot: string;
  name: string;
  access: {
    endpoints: readonly EndpointName[];
    expiresAtMs: string;
    allowedNetworks: string;
    requestsPerMinute: string;
  };
}

/** The fields' values of a key; of a new one for the first carrier with null. */
export const toKeyValues = (key: ApiKey | null, carriers: readonly ServedCarrier[]): KeyValues => {
  const { endpoints, expiresAtMs, allowedNetworks, requestsPerMinute } = key?.access ?? {};
  return {
    usdot: key?.usdot ?? carriers[0]?.usdot ?? '',
    name: key?.name ?? '',
    access: {
      endpoints: endpoints ?? ENDPOINT_NAMES,
      expiresAtMs: expiresAtMs == null ? '' : toLocalTime(expiresAtMs),
      allowedNetworks: allowedNetworks?.join('\n') ?? '',
      requestsPerMinute: requestsPerMinute?.toString() ?? '',
    },
  };
};

/** The key as the server reads it. */
export const toKeyInput = ({ usdot, name, access }: KeyValues): NewKey => {
  const networks = access.allowedNetworks.split(/[\s,]+/).filter(Boolean);
  const requests = access.requestsPerMinute.trim();
  return {
    usdot,
    name: name.trim(),
    access: {
      endpoints: [...access.endpoints],
      expiresAtMs: access.expiresAtMs === '' ? null : new Date(access.expiresAtMs).getTime(),
      allowedNetworks: networks.length === 0 ? null : networks,
      requestsPerMinute: requests === '' ? null : Number(requests),
    },
  };
};

interface KeyFieldsProps {
  form: FormFields<KeyValues>;
  /** The carriers to choose from; null where the key has one. */
  carriers: readonly ServedCarrier[] | null;
}

/** A key's name and what it may do. */
export const KeyFields = ({ form, carriers }: KeyFieldsProps) => {
  const { field } = form;
  return (
    <>
      <TextInput
        label="Name"
        description="What the key is for, to recognize it by."
        data-autofocus
        {...field('name')}
      />
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
      <EndpointFields form={form} />
      <TextInput
        type="datetime-local"
        label="Expires"
        description="In your own time. Empty: never."
        {...field('access.expiresAtMs')}
      />
      <Textarea
        label="Allowed addresses"
        description="One per line: an address, or a block such as 203.0.113.0/24. Empty: from anywhere."
        rows={2}
        spellCheck={false}
        {...field('access.allowedNetworks')}
      />
      <TextInput
        label="Requests per minute"
        description="Empty: no limit."
        inputMode="numeric"
        {...field('access.requestsPerMinute')}
      />
    </>
  );
};

const ENDPOINTS_PATH = 'access.endpoints';

const EndpointFields = ({ form: { values, field, setValue } }: Pick<KeyFieldsProps, 'form'>) => {
  const { error } = field(ENDPOINTS_PATH);
  const errorId = useId();
  const { endpoints } = values.access;
  const toggle = (name: EndpointName): void =>
    setValue(
      ENDPOINTS_PATH,
      ENDPOINT_NAMES.filter((each) => endpoints.includes(each) !== (each === name)),
    );
  return (
    <fieldset
      className={styles.endpoints}
      aria-describedby={error ? errorId : undefined}
      data-path={ENDPOINTS_PATH}
    >
      <legend className={styles.legend}>Endpoints</legend>
      {ENDPOINT_NAMES.map((name) => (
        <Checkbox
          key={name}
          label={
            <>
              {ENDPOINT_WORDS[name].words} <code className={styles.path}>{ENDPOINT_WORDS[name].path}</code>
            </>
          }
          checked={endpoints.includes(name)}
          onChange={() => toggle(name)}
        />
      ))}
      {error ? <Input.Error id={errorId}>{error}</Input.Error> : null}
    </fieldset>
  );
};
