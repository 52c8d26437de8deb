'use client';

import { Button, NativeSelect } from '@mantine/core';
import { Link } from '@/components/ui/link';
import { useState } from 'react';
import { PageFrame, Loaded, Section } from '@/components/kit/page-frame';
import { Breakable, RowAction, Table } from '@/components/kit/table';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import { listUnknownDevices, refusalText, type UnknownDevice } from '@/lib/devices/refusals';
import { useDeviceChanges, useDevices, useRefusals } from '@/lib/devices/queries';
import { isOwnDeviceId, type Device, type Refusals } from '@/lib/devices/schema';
import { formatMoment } from '@/lib/view/format';
import { CarrierSelect } from '@/components/kit/fleet-fields';

export const RefusedPage = () => {
  const [usdot, setUsdot] = useState<string | null>(null);
  const query = useRefusals(usdot);
  const devices = useDevices(usdot).data?.devices;
  const [deviceId, setDeviceId] = useState<string | null>(null);
  return (
    <PageFrame
      title="Refused reports"
      lead="What devices sent and Linehaul did not store: the last 100 for each ingest token. Secrets are hidden."
      actions={
        <Button component={Link} href="/devices" prefetch={false} variant="default">
          Devices
        </Button>
      }
      error={query.error}
    >
      <Loaded query={query} heightPx={240}>
        {(data) => (
          <>
            <CarrierSelect carriers={data.carriers} usdot={data.usdot} onUsdot={setUsdot} />
            {/* Without the vehicles, a device that was assigned since would look unknown. */}
            {devices === undefined ? null : (
              <Unknown
                unknown={listUnknownDevices(data.refusals, devices)}
                nowMs={data.nowMs}
                onAssign={setDeviceId}
              />
            )}
            <RefusalTable data={data} />
            {deviceId === null || devices === undefined ? null : (
              <AssignDialog
                usdot={data.usdot}
                deviceId={deviceId}
                devices={devices}
                onClose={() => setDeviceId(null)}
              />
            )}
          </>
        )}
      </Loaded>
    </PageFrame>
  );
};

interface UnknownProps {
  unknown: readonly UnknownDevice[];
  nowMs: number;
  onAssign: (deviceId: string) => void;
}

const Unknown = ({ unknown, nowMs, onAssign }: UnknownProps) => (
  <Section
    title="Unknown devices"
    lead="They report with a token of yours, but no vehicle has their device ID. Assign each to its vehicle: its next report is stored."
  >
    <Table
      label="Unknown devices"
      empty="No unknown device has reported."
      columns={[
        {
          label: 'Device ID',
          isBare: true,
          className: 'lh-code',
          cell: (each) => <Breakable text={each.deviceId} />,
        },
        { label: 'Reports', cell: ({ reports }) => reports },
        { label: 'Last report', cell: ({ atMs }) => formatMoment(atMs, nowMs) },
        { label: 'Token', cell: ({ tokenName }) => <Breakable text={tokenName} /> },
      ]}
      rows={unknown}
      keyOf={({ deviceId }) => deviceId}
      actions={({ deviceId }) => (
        <RowAction label="Assign…" of={deviceId} onPress={() => onAssign(deviceId)} />
      )}
    />
  </Section>
);

const RefusalTable = ({ data: { refusals, nowMs } }: { data: Refusals }) => (
  <Section title="Last refusals">
    <Table
      label="Last refusals"
      empty="No report was refused."
      columns={[
        { label: 'Time', cell: ({ atMs }) => formatMoment(atMs, nowMs) },
        {
          label: 'Reason',
          cell: ({ code }) => refusalText(code),
          small: ({ deviceId, detail }) => deviceId ?? detail,
        },
        {
          label: 'Token',
          cell: ({ tokenName }) => <Breakable text={tokenName} />,
          small: ({ protocol }) => protocol,
        },
      ]}
      rows={refusals}
      keyOf={(refusal) => `${refusal.atMs} ${refusals.indexOf(refusal)}`}
    />
  </Section>
);

interface AssignDialogProps {
  usdot: string;
  deviceId: string;
  devices: readonly Device[];
  onClose: () => void;
}

/** Whether a vehicle has no device but the identifier that it was given here. */
const hasNone = ({ vin, deviceId }: Pick<Device, 'vin' | 'deviceId'>): boolean =>
  deviceId === null || isOwnDeviceId(vin, deviceId);

const toLabel = ({ truckNumber, vin, deviceId }: Device): string =>
  `${truckNumber ?? vin}${hasNone({ vin, deviceId }) ? '' : `, replaces ${deviceId}`}`;

/** Gives a device to a vehicle, first of all to one that has none. */
const AssignDialog = ({ usdot, deviceId, devices, onClose }: AssignDialogProps) => {
  const { change } = useDeviceChanges();
  const sorted = [...devices].sort((a, b) => Number(hasNone(b)) - Number(hasNone(a)));
  const options = sorted.map((device) => ({ value: device.vin, label: toLabel(device) }));
  const title = `Assign ${deviceId}`;
  if (options.length === 0)
    return (
      <Dialog title={title} onClose={onClose}>
        <p>
          There is no vehicle yet. Add one on the <Link href="/devices">Devices</Link> page first.
        </p>
      </Dialog>
    );
  return (
    <FormDialog
      title={title}
      action="Assign"
      onClose={onClose}
      initialValues={{ vin: options[0]?.value ?? '' }}
      toInput={({ vin }) => ({
        usdot,
        vin,
        truckNumber: devices.find((each) => each.vin === vin)?.truckNumber ?? null,
        deviceId,
      })}
      send={change.mutateAsync}
    >
      {({ field }) => <NativeSelect label="Vehicle" data={options} data-autofocus {...field('vin')} />}
    </FormDialog>
  );
};
