'use client';

import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import formStyles from '@/components/desk/send-form.module.css';
import { Dialog } from '@/components/desk/dialog';
import { SecretLine } from '@/components/desk/secret-line';
import { SendForm } from '@/components/desk/send-form';
import { useDeviceChanges } from '@/lib/queries/devices';
import type { IngestToken } from '@/lib/wire/api-keys';

interface DialogProps {
  usdot: string;
  onClose: () => void;
}

const toText = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();

export const AddVehicle = ({ usdot, onClose }: DialogProps) => {
  const { add } = useDeviceChanges();
  return (
    <Dialog onClose={onClose} title="Add a vehicle" isHeld={false}>
      <SendForm
        labels={{ vin: 'VIN', truckNumber: 'Truck number', deviceId: 'Device id' }}
        action="Add the vehicle"
        onCancel={onClose}
        send={async (fields) => {
          await add.mutateAsync({
            usdot,
            vin: toText(fields, 'vin'),
            truckNumber: toText(fields, 'truckNumber') || null,
            deviceId: toText(fields, 'deviceId') || null,
          });
          onClose();
        }}
      >
        <TextInput name="vin" label="VIN" spellCheck={false} autoCapitalize="characters" data-autofocus />
        <TextInput name="truckNumber" label="Truck number" />
        <TextInput
          name="deviceId"
          label="Device id"
          description="What ties a report to the vehicle: the same text in the app or tracker."
          spellCheck={false}
        />
      </SendForm>
    </Dialog>
  );
};

/** A token for trackers that are set up by hand. */
export const AddToken = ({ usdot, onClose }: DialogProps) => {
  const { createToken } = useDeviceChanges();
  const [token, setToken] = useState<string | null>(null);
  return (
    <Dialog
      onClose={onClose}
      title={token === null ? 'Add an ingest token' : 'Copy the token'}
      isHeld={token !== null}
    >
      {token === null ? (
        <SendForm
          labels={{ name: 'Name' }}
          action="Add the token"
          onCancel={onClose}
          send={async (fields) =>
            setToken((await createToken.mutateAsync({ usdot, name: toText(fields, 'name') })).token)
          }
        >
          <TextInput name="name" label="Name" description="Which devices use it." data-autofocus />
        </SendForm>
      ) : (
        <div className={formStyles.form}>
          <p>
            Copy it now: <b>it is shown this once.</b>
          </p>
          <SecretLine label="Ingest token" text={token} />
          <SecretLine
            label="Address for apps that take nothing else"
            text={`${window.location.origin}/tracking/ingest/${token}/osmand`}
          />
          <div className={formStyles.foot}>
            <Button onClick={onClose}>Done</Button>
          </div>
        </div>
      )}
    </Dialog>
  );
};

export const RevokeToken = ({ token, onClose }: { token: IngestToken; onClose: () => void }) => {
  const { revokeToken } = useDeviceChanges();
  return (
    <Dialog onClose={onClose} title={`Revoke “${token.name}”`} isHeld={false}>
      <SendForm
        labels={{}}
        action="Revoke the token"
        isDangerous
        onCancel={onClose}
        send={async () => {
          await revokeToken.mutateAsync(token.id);
          onClose();
        }}
      >
        <p>
          Devices that report by <b>{token.name}</b> are refused at once. This cannot be undone.
        </p>
      </SendForm>
    </Dialog>
  );
};
