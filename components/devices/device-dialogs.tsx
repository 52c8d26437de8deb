'use client';

import { useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { TextField } from '@/components/ui/form-fields';
import { SendForm } from '@/components/ui/send-form';
import { ShownOnce } from '@/components/ui/shown-once';
import { useDeviceChanges } from '@/lib/devices/queries';
import type { IngestToken } from '@/lib/api-keys/schema';
import type { Device } from '@/lib/devices/schema';

interface DialogProps {
  usdot: string;
  onClose: () => void;
}

const toText = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();

/** What ties a vehicle to its driver's words and to its device's reports. */
const VehicleFields = ({ held }: { held: Device | null }) => (
  <>
    <TextField name="truckNumber" label="Truck number" defaultValue={held?.truckNumber ?? ''} />
    <TextField
      name="deviceId"
      label="Device id"
      description="What ties a report to the vehicle: the same text in the app or tracker. Empty: nothing reports for it."
      spellCheck={false}
      defaultValue={held?.deviceId ?? ''}
      data-autofocus={held === null ? undefined : true}
    />
  </>
);

const readVehicleFields = (fields: FormData) => ({
  truckNumber: toText(fields, 'truckNumber') || null,
  deviceId: toText(fields, 'deviceId') || null,
});

export const AddVehicle = ({ usdot, onClose }: DialogProps) => {
  const { add } = useDeviceChanges();
  return (
    <Dialog onClose={onClose} title="Add a vehicle" isHeld={false}>
      <SendForm
        action="Add the vehicle"
        onCancel={onClose}
        send={async (fields) => {
          await add.mutateAsync({ usdot, vin: toText(fields, 'vin'), ...readVehicleFields(fields) });
          onClose();
        }}
      >
        <TextField name="vin" label="VIN" spellCheck={false} autoCapitalize="characters" data-autofocus />
        <VehicleFields held={null} />
      </SendForm>
    </Dialog>
  );
};

/** Another truck number or device for a vehicle that is known. */
export const ChangeVehicle = ({ usdot, device, onClose }: DialogProps & { device: Device }) => {
  const { change } = useDeviceChanges();
  const { vin, truckNumber } = device;
  return (
    <Dialog onClose={onClose} title={`Change ${truckNumber ?? vin}`} isHeld={false}>
      <SendForm
        action="Save"
        onCancel={onClose}
        send={async (fields) => {
          await change.mutateAsync({ usdot, vin, ...readVehicleFields(fields) });
          onClose();
        }}
      >
        <p>
          VIN <span className="lh-code">{vin}</span>
        </p>
        <VehicleFields held={device} />
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
          action="Add the token"
          onCancel={onClose}
          send={async (fields) =>
            setToken((await createToken.mutateAsync({ usdot, name: toText(fields, 'name') })).token)
          }
        >
          <TextField name="name" label="Name" description="Which devices use it." data-autofocus />
        </SendForm>
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
      <SendForm
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
