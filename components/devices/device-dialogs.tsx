'use client';

import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { ApiForm, ConfirmForm } from '@/components/ui/api-form';
import type { FormFields } from '@/components/ui/api-form';
import { ShownOnce } from '@/components/ui/shown-once';
import { useDeviceChanges } from '@/lib/devices/queries';
import type { IngestToken } from '@/lib/api-keys/schema';
import { newTokenSchema, vehicleSchema } from '@/lib/devices/schema';
import type { Device, Vehicle } from '@/lib/devices/schema';

interface DialogProps {
  usdot: string;
  onClose: () => void;
}

/** The truck number, as drivers say it, and the device that reports for the vehicle. */
const VehicleFields = ({ form: { field }, isNew }: { form: FormFields; isNew: boolean }) => (
  <>
    <TextInput label="Truck number" {...field('truckNumber')} />
    <TextInput
      label="Device id"
      description="What ties a report to the vehicle: the same text in the app or tracker. Empty: nothing reports for it."
      spellCheck={false}
      data-autofocus={isNew ? undefined : true}
      {...field('deviceId')}
    />
  </>
);

const toVehicle = (values: Record<keyof Vehicle, string>): Vehicle => ({
  usdot: values.usdot,
  vin: values.vin.trim(),
  truckNumber: values.truckNumber.trim() || null,
  deviceId: values.deviceId.trim() || null,
});

export const AddVehicle = ({ usdot, onClose }: DialogProps) => {
  const { add } = useDeviceChanges();
  return (
    <Dialog onClose={onClose} title="Add a vehicle" isHeld={false}>
      <ApiForm
        action="Add the vehicle"
        onCancel={onClose}
        initialValues={{ usdot, vin: '', truckNumber: '', deviceId: '' }}
        toInput={toVehicle}
        schema={vehicleSchema}
        send={async (input) => {
          await add.mutateAsync(input);
          onClose();
        }}
      >
        {(form) => (
          <>
            <TextInput
              label="VIN"
              spellCheck={false}
              autoCapitalize="characters"
              data-autofocus
              {...form.field('vin')}
            />
            <VehicleFields form={form} isNew />
          </>
        )}
      </ApiForm>
    </Dialog>
  );
};

/** Changes the truck number or device of a known vehicle. */
export const ChangeVehicle = ({ usdot, device, onClose }: DialogProps & { device: Device }) => {
  const { change } = useDeviceChanges();
  const { vin, truckNumber, deviceId } = device;
  return (
    <Dialog onClose={onClose} title={`Change ${truckNumber ?? vin}`} isHeld={false}>
      <ApiForm
        action="Save"
        onCancel={onClose}
        initialValues={{ usdot, vin, truckNumber: truckNumber ?? '', deviceId: deviceId ?? '' }}
        toInput={toVehicle}
        schema={vehicleSchema}
        send={async (input) => {
          await change.mutateAsync(input);
          onClose();
        }}
      >
        {(form) => (
          <>
            <p>
              VIN <span className="lh-code">{vin}</span>
            </p>
            <VehicleFields form={form} isNew={false} />
          </>
        )}
      </ApiForm>
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
        <ApiForm
          action="Add the token"
          onCancel={onClose}
          initialValues={{ name: '' }}
          toInput={({ name }) => ({ usdot, name: name.trim() })}
          schema={newTokenSchema}
          send={async (input) => setToken((await createToken.mutateAsync(input)).token)}
        >
          {({ field }) => (
            <TextInput label="Name" description="Which devices use it." data-autofocus {...field('name')} />
          )}
        </ApiForm>
      ) : (
        <ShownOnce
          texts={[
            { label: 'Ingest token', text: token },
            {
              label: 'Address for apps that take nothing else',
              text: `${window.location.origin}/tracking/ingest/${token}/osmand`,
            },
          ]}
          onClose={onClose}
        >
          Copy it now: <b>it is shown this once.</b>
        </ShownOnce>
      )}
    </Dialog>
  );
};

export const RevokeToken = ({ token, onClose }: { token: IngestToken; onClose: () => void }) => {
  const { revokeToken } = useDeviceChanges();
  return (
    <Dialog onClose={onClose} title={`Revoke “${token.name}”`} isHeld={false}>
      <ConfirmForm
        action="Revoke the token"
        isDangerous
        onClose={onClose}
        send={() => revokeToken.mutateAsync(token.id)}
      >
        <p>
          Devices that report by <b>{token.name}</b> are refused at once. This cannot be undone.
        </p>
      </ConfirmForm>
    </Dialog>
  );
};
