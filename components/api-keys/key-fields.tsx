'use client';

import { Checkbox, Input } from '@mantine/core';
import { useId } from 'react';
import { LongTextField, SelectField, TextField, useFault } from '@/components/ui/form-fields';
import { ENDPOINT_NAMES } from '@/lib/api-keys/schema';
import type { ApiKey, EndpointName, KeyAccess, ServedCarrier } from '@/lib/api-keys/schema';
import styles from './key-fields.module.css';
import { ENDPOINT_WORDS } from './key-text';

/** As `<input type="datetime-local">` has it, in the browser's zone. */
const toLocalTime = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

interface KeyFieldsProps {
  /** Null for a new one. */
  held: ApiKey | null;
  carriers: ServedCarrier[];
}

/** A key's name and what it may do. */
export const KeyFields = ({ held, carriers }: KeyFieldsProps) => {
  const { endpoints = null, allowedNetworks, requestsPerMinute, expiresAtMs } = held?.access ?? {};
  return (
    <>
      <TextField
        name="name"
        label="Name"
        description="What the key is for, to recognise it by."
        defaultValue={held?.name ?? ''}
        data-autofocus
      />
      {held === null ? (
        <SelectField
          name="usdot"
          label="Carrier"
          data={carriers.map(({ usdot, companyName }) => ({
            value: usdot,
            label: `${companyName}, USDOT ${usdot}`,
          }))}
        />
      ) : null}
      <EndpointFields chosen={endpoints} />
      <TextField
        name="expires"
        toldAs="access.expiresAtMs"
        type="datetime-local"
        label="Expires"
        description="In your own time. Empty: never."
        defaultValue={expiresAtMs == null ? '' : toLocalTime(expiresAtMs)}
      />
      <LongTextField
        name="networks"
        toldAs="access.allowedNetworks"
        label="Allowed addresses"
        description="One a line: an address, or a block such as 203.0.113.0/24. Empty: from anywhere."
        rows={2}
        spellCheck={false}
        defaultValue={allowedNetworks?.join('\n') ?? ''}
      />
      <TextField
        name="requests"
        toldAs="access.requestsPerMinute"
        label="Requests per minute"
        description="Empty: as many as it likes."
        inputMode="numeric"
        defaultValue={requestsPerMinute ?? ''}
      />
    </>
  );
};

/** `chosen`: null for all. */
const EndpointFields = ({ chosen }: { chosen: readonly EndpointName[] | null }) => {
  const fault = useFault('access.endpoints');
  const faultId = useId();
  return (
    <fieldset className={styles.endpoints} aria-describedby={fault === null ? undefined : faultId}>
      <legend className={styles.legend}>Endpoints</legend>
      {ENDPOINT_NAMES.map((name) => (
        <Checkbox
          key={name}
          name="endpoint"
          value={name}
          label={
            <>
              {ENDPOINT_WORDS[name].words} <code className={styles.path}>{ENDPOINT_WORDS[name].path}</code>
            </>
          }
          defaultChecked={chosen === null || chosen.includes(name)}
        />
      ))}
      {fault === null ? null : <Input.Error id={faultId}>{fault}</Input.Error>}
    </fieldset>
  );
};

const toText = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

const toNetworks = (text: string): string[] | null => {
  const networks = text.split(/[\s,]+/).filter(Boolean);
  return networks.length === 0 ? null : networks;
};

/** What was typed into the fields. */
export const readKeyFields = (fields: FormData): { usdot: string; name: string; access: KeyAccess } => {
  const expires = toText(fields, 'expires');
  const requests = toText(fields, 'requests');
  return {
    usdot: toText(fields, 'usdot'),
    name: toText(fields, 'name'),
    access: {
      endpoints: fields.getAll('endpoint') as EndpointName[],
      expiresAtMs: expires === '' ? null : new Date(expires).getTime(),
      allowedNetworks: toNetworks(toText(fields, 'networks')),
      requestsPerMinute: requests === '' ? null : Number(requests),
    },
  };
};
