import { Stack, TextInput } from '@mantine/core';
import { ContactFields, toContactValues, type ContactValues } from '@/components/kit/contact-fields';
import { FormDialog } from '@/components/kit/dialog';
import styles from '@/components/kit/fields.module.css';
import type { FormFields } from '@/components/ui/api-form';
import type { IngestToken } from '@/lib/api-keys/schema';
import { useDeviceChanges } from '@/lib/devices/queries';
import { newTokenSchema, vehicleSchema, type Device, type Vehicle } from '@/lib/devices/schema';

interface DialogProps {
  usdot: string;
  onClose: () => void;
}

const VEHICLE_FIELDS = [
  ...(['truckNumber', 'deviceId', 'plateState', 'plateNumber'] as const),
  ...(['year', 'make', 'model', 'assetType', 'fuelType'] as const),
  ...(['registeredUsdot', 'registeredMcNumber'] as const),
];
type VehicleValues = Record<(typeof VEHICLE_FIELDS)[number] | 'usdot' | 'vin', string> & {
  contact: ContactValues;
};

const toVehicle = ({ usdot, vin, contact, ...values }: VehicleValues): Vehicle => {
  const { year, ...texts } = values;
  const read = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.trim() || null]),
  ) as Omit<Vehicle, 'usdot' | 'vin' | 'year' | 'contact'>;
  return { usdot, vin: vin.trim(), ...read, year: year.trim() === '' ? null : Number(year), contact };
};

interface VehicleDialogProps extends DialogProps {
  /** The vehicle that is changed; none: a new one is added. */
  device?: Device;
  contact?: ContactValues | null;
}

export const VehicleDialog = ({ usdot, device, contact = null, onClose }: VehicleDialogProps) => {
  const { add, change } = useDeviceChanges();
  const isNew = device === undefined;
  const held = VEHICLE_FIELDS.map((name) => [name, String(device?.[name] ?? '')]);
  return (
    <FormDialog
      title={isNew ? 'Add a vehicle' : `Change ${device.truckNumber ?? device.vin}`}
      action={isNew ? 'Add the vehicle' : 'Save'}
      onClose={onClose}
      initialValues={
        {
          ...Object.fromEntries(held),
          ...{ usdot, vin: device?.vin ?? '', contact: toContactValues(contact) },
        } as VehicleValues
      }
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
              VIN <span className="lh-code">{device.vin}</span>
            </p>
          )}
          <TextInput
            label="Truck number"
            data-autofocus={isNew ? undefined : true}
            {...field('truckNumber')}
          />
          <VehicleFields field={field} isOpen={!isNew} />
        </>
      )}
    </FormDialog>
  );
};

/** What a truck is besides its numbers, whom to call about it, and its device: a new truck needs none of it. */
const VehicleFields = ({ field, isOpen }: Pick<FormFields, 'field'> & { isOpen: boolean }) => (
  <>
    <details className={styles.more} open={isOpen}>
      <summary>Plate, make and fuel</summary>
      <Stack gap={8}>
        <div className={styles.pair}>
          <TextInput label="Plate" {...field('plateNumber')} />
          <TextInput label="State of the plate" placeholder="TX" {...field('plateState')} />
          <TextInput label="Make" description="The VIN fills in an empty make and year." {...field('make')} />
          <TextInput label="Model" description="As the maker calls it." {...field('model')} />
          <TextInput label="Year" inputMode="numeric" placeholder="2022" {...field('year')} />
          <TextInput label="Fuel" placeholder="Diesel" {...field('fuelType')} />
        </div>
        <TextInput label="Type" placeholder="Tractor" {...field('assetType')} />
        <div className={styles.pair}>
          <TextInput
            label="Registered to USDOT"
            description="Only if it is another carrier’s."
            inputMode="numeric"
            {...field('registeredUsdot')}
          />
          <TextInput
            label="Its MC number"
            description="Of the carrier it is registered to."
            placeholder="MC-990001"
            {...field('registeredMcNumber')}
          />
        </div>
      </Stack>
    </details>
    <details className={styles.more} open={isOpen}>
      <summary>Contacts</summary>
      <Stack gap={12}>
        <ContactFields field={field} path="contact." />
      </Stack>
    </details>
    <details className={styles.more} open={isOpen}>
      <summary>Device</summary>
      <TextInput
        label="Device ID"
        description="The ID that a tracker reports. Leave it empty for a phone: the vehicle then has an ID of its own, which the QR code brings to the phone."
        spellCheck={false}
        {...field('deviceId')}
      />
    </details>
  </>
);

export const RemoveVehicle = ({ usdot, device, onClose }: DialogProps & { device: Device }) => {
  const { remove } = useDeviceChanges();
  const name = device.truckNumber ?? device.vin;
  return (
    <FormDialog
      title={`Remove ${name}?`}
      action="Remove the vehicle"
      isDangerous
      onClose={onClose}
      send={() => remove.mutateAsync({ usdot, vin: device.vin })}
    >
      <p>
        <b>{name}</b> leaves the fleet with its contacts and its last position, and reports of its device are
        refused. What was recorded stays in the history. This cannot be undone.
      </p>
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
