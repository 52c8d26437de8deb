import { TextInput } from '@mantine/core';
import { FormDialog } from '@/components/kit/dialog';
import type { IngestToken } from '@/lib/api-keys/schema';
import { useDeviceChanges } from '@/lib/devices/queries';
import { newTokenSchema, vehicleSchema, type Device, type Vehicle } from '@/lib/devices/schema';

interface DialogProps {
  usdot: string;
  onClose: () => void;
}

const toVehicle = (values: Record<keyof Vehicle, string>): Vehicle => ({
  usdot: values.usdot,
  vin: values.vin.trim(),
  truckNumber: values.truckNumber.trim() || null,
  deviceId: values.deviceId.trim() || null,
});

export const VehicleDialog = ({ usdot, device, onClose }: DialogProps & { device?: Device }) => {
  const { add, change } = useDeviceChanges();
  const { vin = '', truckNumber = null, deviceId = null } = device ?? {};
  const isNew = device === undefined;
  return (
    <FormDialog
      title={isNew ? 'Add a vehicle' : `Change ${truckNumber ?? vin}`}
      action={isNew ? 'Add the vehicle' : 'Save'}
      onClose={onClose}
      initialValues={{ usdot, vin, truckNumber: truckNumber ?? '', deviceId: deviceId ?? '' }}
      toInput={toVehicle}
      schema={vehicleSchema}
      send={isNew ? add.mutateAsync : change.mutateAsync}
    >
      {({ field }) => (
        <>
          {isNew ? (
            <TextInput
              label="VIN"
              spellCheck={false}
              autoCapitalize="characters"
              data-autofocus
              {...field('vin')}
            />
          ) : (
            <p>
              VIN <span className="lh-code">{vin}</span>
            </p>
          )}
          <TextInput label="Truck number" {...field('truckNumber')} />
          <TextInput
            label="Device ID"
            description="Enter the same ID in the app or tracker. Leave empty if nothing reports for this vehicle."
            spellCheck={false}
            data-autofocus={isNew ? undefined : true}
            {...field('deviceId')}
          />
        </>
      )}
    </FormDialog>
  );
};

export const AddToken = ({ usdot, onClose }: DialogProps) => {
  const { createToken } = useDeviceChanges();
  return (
    <FormDialog
      title="Add an ingest token"
      action="Add the token"
      onClose={onClose}
      initialValues={{ name: '' }}
      toInput={({ name }) => ({ usdot, name: name.trim() })}
      schema={newTokenSchema}
      send={createToken.mutateAsync}
      once={{
        title: 'Copy the token',
        secrets: ({ token }) => [
          { label: 'Ingest token', text: token },
          {
            label: 'Address for apps that accept only an address',
            text: `${window.location.origin}/tracking/ingest/${token}/osmand`,
          },
        ],
        about: () => (
          <>
            Copy it now: <b>it is shown only once.</b>
          </>
        ),
      }}
    >
      {({ field }) => (
        <TextInput label="Name" description="Which devices use it." data-autofocus {...field('name')} />
      )}
    </FormDialog>
  );
};

export const RevokeToken = ({ token, onClose }: { token: IngestToken; onClose: () => void }) => {
  const { revokeToken } = useDeviceChanges();
  return (
    <FormDialog
      title={`Revoke “${token.name}”`}
      action="Revoke the token"
      isDangerous
      onClose={onClose}
      send={() => revokeToken.mutateAsync(token.id)}
    >
      <p>
        Reports from devices that use <b>{token.name}</b> are refused at once. This cannot be undone.
      </p>
    </FormDialog>
  );
};
