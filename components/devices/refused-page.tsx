'use client';

import { Button, NativeSelect } from '@mantine/core';
import Link from 'next/link';
import { useState } from 'react';
import { PageFrame, Empty, Loaded, Section } from '@/components/kit/page-frame';
import { Table, Breakable, RowAction, RowActions, Small } from '@/components/kit/table';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import { listUnknownDevices, refusalText, type UnknownDevice } from '@/lib/devices/refusals';
import { useDeviceChanges, useDevices, useRefusals } from '@/lib/devices/queries';
import type { Device, Refusal, Refusals } from '@/lib/devices/schema';
import { formatMoment } from '@/lib/view/format';
import { CarrierSelect } from './carrier-select';

/** Reports that were refused, and the devices that no vehicle has. */
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
    {unknown.length === 0 ? (
      <Empty>No unknown device has reported.</Empty>
    ) : (
      <Table label="Unknown devices" columns={['Device ID', 'Reports', 'Last report', 'Token']}>
        {unknown.map(({ deviceId, reports, atMs, tokenName }) => (
          <tr key={deviceId}>
            <td className="lh-code">
              <Breakable text={deviceId} />
            </td>
            <td data-head="Reports">{reports}</td>
            <td data-head="Last report">{formatMoment(atMs, nowMs)}</td>
            <td data-head="Token">
              <Breakable text={tokenName} />
            </td>
            <RowActions>
              <RowAction label="Assign…" of={deviceId} onPress={() => onAssign(deviceId)} />
            </RowActions>
          </tr>
        ))}
      </Table>
    )}
  </Section>
);

const RefusalTable = ({ data: { refusals, nowMs } }: { data: Refusals }) => (
  <Section title="Last refusals">
    {refusals.length === 0 ? (
      <Empty>No report was refused.</Empty>
    ) : (
      <Table label="Last refusals" columns={['Time', 'Reason', 'Token']} hasActions={false}>
        {refusals.map((refusal, index) => (
          <RefusalRow key={`${refusal.atMs} ${index}`} refusal={refusal} nowMs={nowMs} />
        ))}
      </Table>
    )}
  </Section>
);

const RefusalRow = ({ refusal, nowMs }: { refusal: Refusal; nowMs: number }) => (
  <tr>
    <td data-head="Time">{formatMoment(refusal.atMs, nowMs)}</td>
    <td data-head="Reason">
      {refusalText(refusal.code)}
      <Small>
        <Breakable text={refusal.deviceId ?? refusal.detail} />
      </Small>
    </td>
    <td data-head="Token">
      <Breakable text={refusal.tokenName} />
      <Small>{refusal.protocol}</Small>
    </td>
  </tr>
);

interface AssignDialogProps {
  usdot: string;
  deviceId: string;
  devices: readonly Device[];
  onClose: () => void;
}

const toLabel = ({ truckNumber, vin, deviceId }: Device): string =>
  `${truckNumber ?? vin}${deviceId === null ? '' : `, replaces ${deviceId}`}`;

/** Gives a device to a vehicle, first of all to one that has none. */
const AssignDialog = ({ usdot, deviceId, devices, onClose }: AssignDialogProps) => {
  const { change } = useDeviceChanges();
  const sorted = [...devices].sort((a, b) => Number(a.deviceId !== null) - Number(b.deviceId !== null));
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
