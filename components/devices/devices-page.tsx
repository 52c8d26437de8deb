'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { IconDownload, IconFileImport } from '@tabler/icons-react';
import Link from 'next/link';
import { useState } from 'react';
import { AddButton, PageFrame, Empty, Loaded, Section } from '@/components/kit/page-frame';
import type { IngestToken } from '@/lib/api-keys/schema';
import { findDevices } from '@/lib/devices/device-search';
import { toVehicleCsvUrl, useDevices } from '@/lib/devices/queries';
import type { Devices } from '@/lib/devices/schema';
import { CarrierSelect } from './carrier-select';
import { ConnectPhone } from './connect-phone';
import { AddToken, RevokeToken, VehicleDialog } from './device-dialogs';
import { DeviceTable, TokenTable, type DeviceTask } from './device-tables';
import { ImportVehicles } from './import-vehicles';

type Task =
  | { kind: 'vehicle' | 'import' | 'token' }
  | { kind: DeviceTask; vin: string }
  | { kind: 'revoke'; token: IngestToken };

/** The vehicles of a carrier, their devices, and the tokens by which devices report. */
export const DevicesPage = () => {
  const [usdot, setUsdot] = useState<string | null>(null);
  const query = useDevices(usdot);
  const { data } = query;
  const [task, setTask] = useState<Task | null>(null);
  const hasCarrier = data !== undefined && data.usdot !== '';
  return (
    <PageFrame
      title="Devices"
      actions={
        <>
          <Button component={Link} href="/refused-reports" prefetch={false} variant="default">
            Refused reports
          </Button>
          <Button
            variant="default"
            leftSection={<IconFileImport size={17} stroke={1.75} />}
            disabled={!hasCarrier}
            onClick={() => setTask({ kind: 'import' })}
          >
            Import a file
          </Button>
          {hasCarrier && data.devices.length > 0 ? (
            <Button
              component="a"
              variant="default"
              leftSection={<IconDownload size={17} stroke={1.75} />}
              href={toVehicleCsvUrl(data.usdot)}
              download
            >
              Save as CSV
            </Button>
          ) : null}
          <AddButton disabled={!hasCarrier} onClick={() => setTask({ kind: 'vehicle' })}>
            Add a vehicle
          </AddButton>
        </>
      }
      lead="The device ID in a report tells Linehaul which vehicle sent it. Connect a driver’s phone with a QR code."
      error={query.error}
    >
      <Loaded query={query} heightPx={240}>
        {(devices) => (
          <>
            <Vehicles data={devices} onUsdot={setUsdot} onTask={setTask} />
            <Tokens data={devices} onTask={setTask} />
          </>
        )}
      </Loaded>
      {task === null || data === undefined ? null : (
        <TaskDialog task={task} data={data} onClose={() => setTask(null)} />
      )}
    </PageFrame>
  );
};

/** The page for fleets that are read from a provider, to which their devices report. */
export const ProviderDevicesPage = ({ hosts }: { hosts: string[] }) => (
  <PageFrame
    title="Devices"
    lead={
      <>
        Linehaul reads your trucks from <b>{hosts.join(', ')}</b>. Their devices report there, and you add
        vehicles there. The roster of each fleet shows which vehicles report and which have gone silent.
      </>
    }
  />
);

interface PartProps {
  data: Devices;
  onTask: (task: Task) => void;
}

const Vehicles = ({ data, onUsdot, onTask }: PartProps & { onUsdot: (usdot: string) => void }) => {
  const { usdot, carriers, devices, nowMs } = data;
  const [typed, setTyped] = useState('');
  const found = findDevices(devices, typed);
  return (
    <>
      <Group gap={12} align="end">
        <CarrierSelect carriers={carriers} usdot={usdot} onUsdot={onUsdot} />
        {devices.length === 0 ? null : (
          <TextInput
            type="search"
            label="Find a vehicle"
            flex="1 1 240px"
            maw={320}
            placeholder="Truck number, VIN or device"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Group>
      {devices.length === 0 ? (
        <Empty>No vehicles yet. Add one, or import an Excel or CSV file.</Empty>
      ) : found.length === 0 ? (
        <Empty role="status">No vehicles match.</Empty>
      ) : (
        <DeviceTable devices={found} nowMs={nowMs} onTask={(kind, vin) => onTask({ kind, vin })} />
      )}
    </>
  );
};

const Tokens = ({ data: { usdot, tokens, nowMs }, onTask }: PartProps) => (
  <Section
    title="Ingest tokens"
    lead="With a token, a device can report positions of this carrier’s vehicles. It cannot read anything. Each phone that you connect here gets its own token."
    actions={
      <Button variant="default" disabled={usdot === ''} onClick={() => onTask({ kind: 'token' })}>
        Add a token
      </Button>
    }
  >
    {tokens.length === 0 ? (
      <Empty>No tokens yet.</Empty>
    ) : (
      <TokenTable tokens={tokens} nowMs={nowMs} onRevoke={(token) => onTask({ kind: 'revoke', token })} />
    )}
  </Section>
);

const TaskDialog = ({ task, data, onClose }: { task: Task; data: Devices; onClose: () => void }) => {
  const { usdot, devices, nowMs } = data;
  const device = 'vin' in task ? devices.find(({ vin }) => vin === task.vin) : undefined;
  switch (task.kind) {
    case 'vehicle':
      return <VehicleDialog usdot={usdot} onClose={onClose} />;
    case 'import':
      return <ImportVehicles usdot={usdot} onClose={onClose} />;
    case 'token':
      return <AddToken usdot={usdot} onClose={onClose} />;
    case 'revoke':
      return <RevokeToken token={task.token} onClose={onClose} />;
    case 'change':
      return device === undefined ? null : <VehicleDialog usdot={usdot} device={device} onClose={onClose} />;
    case 'connect': {
      if (device?.deviceId == null) return null;
      const { deviceId } = device;
      return <ConnectPhone usdot={usdot} device={{ ...device, deviceId }} nowMs={nowMs} onClose={onClose} />;
    }
  }
};
