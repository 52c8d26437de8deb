'use client';

import { Button, NativeSelect, Skeleton, TextInput } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { AdminPage } from '@/components/admin/admin-page';
import styles from '@/components/admin/admin-page.module.css';
import { useDevices } from '@/lib/devices/queries';
import { findDevices } from '@/lib/devices/device-search';
import type { IngestToken } from '@/lib/api-keys/schema';
import type { Devices } from '@/lib/devices/schema';
import { ConnectPhone } from './connect-phone';
import { AddToken, AddVehicle, ChangeVehicle, RevokeToken } from './device-dialogs';
import { DeviceTable } from './device-table';
import type { DeviceTask } from './device-table';
import own from './devices-page.module.css';
import { ImportVehicles } from './import-vehicles';
import { TokenTable } from './token-table';

type Task =
  | { kind: 'vehicle' | 'import' | 'token' }
  | { kind: DeviceTask; vin: string }
  | { kind: 'revoke'; token: IngestToken };

/** The vehicles of a carrier and what reports for them. */
export const DevicesPage = () => {
  const [usdot, setUsdot] = useState<string | null>(null);
  const { data, error } = useDevices(usdot);
  const [task, setTask] = useState<Task | null>(null);
  const hasCarrier = data !== undefined && data.usdot !== '';
  return (
    <AdminPage
      title="Devices"
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconFileImport size={17} stroke={1.75} />}
            disabled={!hasCarrier}
            onClick={() => setTask({ kind: 'import' })}
          >
            Import a CSV
          </Button>
          <Button
            leftSection={<IconPlus size={18} stroke={2} />}
            disabled={!hasCarrier}
            onClick={() => setTask({ kind: 'vehicle' })}
          >
            Add a vehicle
          </Button>
        </>
      }
      lead="A report finds its vehicle by the device id that both have. A phone is connected by a QR code."
      error={error}
    >
      {data === undefined ? (
        error === null && <Skeleton height={240} radius="md" />
      ) : (
        <>
          <Vehicles data={data} onUsdot={setUsdot} onTask={setTask} />
          <Tokens data={data} onTask={setTask} />
        </>
      )}
      {task === null || data === undefined ? null : (
        <TaskDialog task={task} data={data} onClose={() => setTask(null)} />
      )}
    </AdminPage>
  );
};

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
      <div className={own.filter}>
        {carriers.length > 1 ? (
          <NativeSelect
            label="Carrier"
            value={usdot}
            data={carriers.map((each) => ({
              value: each.usdot,
              label: `${each.companyName}, USDOT ${each.usdot}`,
            }))}
            onChange={(event) => onUsdot(event.currentTarget.value)}
          />
        ) : null}
        {devices.length === 0 ? null : (
          <TextInput
            type="search"
            label="Find a vehicle"
            placeholder="Truck number, VIN or device"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </div>
      {devices.length === 0 ? (
        <p className={styles.nothing}>There is no vehicle yet. Add one, or import a CSV file.</p>
      ) : found.length === 0 ? (
        <p className={styles.nothing} role="status">
          No vehicle has that.
        </p>
      ) : (
        <DeviceTable devices={found} nowMs={nowMs} onTask={(kind, vin) => onTask({ kind, vin })} />
      )}
    </>
  );
};

const Tokens = ({ data: { usdot, tokens, nowMs }, onTask }: PartProps) => (
  <>
    <div className={styles.top}>
      <h2 className={styles.head}>Ingest tokens</h2>
      <div className={styles.actions}>
        <Button variant="default" disabled={usdot === ''} onClick={() => onTask({ kind: 'token' })}>
          Add a token
        </Button>
      </div>
    </div>
    <p className={styles.lead}>
      With a token a device reports positions of this carrier’s vehicles, and reads nothing. Each phone that
      is connected here has one of its own.
    </p>
    {tokens.length === 0 ? (
      <p className={styles.nothing}>There is no token yet.</p>
    ) : (
      <TokenTable tokens={tokens} nowMs={nowMs} onRevoke={(token) => onTask({ kind: 'revoke', token })} />
    )}
  </>
);

const TaskDialog = ({ task, data, onClose }: { task: Task; data: Devices; onClose: () => void }) => {
  const { usdot, devices, nowMs } = data;
  switch (task.kind) {
    case 'vehicle':
      return <AddVehicle usdot={usdot} onClose={onClose} />;
    case 'import':
      return <ImportVehicles usdot={usdot} onClose={onClose} />;
    case 'token':
      return <AddToken usdot={usdot} onClose={onClose} />;
    case 'revoke':
      return <RevokeToken token={task.token} onClose={onClose} />;
    case 'change': {
      const device = devices.find(({ vin }) => vin === task.vin);
      return device === undefined ? null : <ChangeVehicle usdot={usdot} device={device} onClose={onClose} />;
    }
    case 'connect': {
      const device = devices.find(({ vin }) => vin === task.vin);
      if (device?.deviceId == null) return null;
      const { deviceId } = device;
      return <ConnectPhone usdot={usdot} device={{ ...device, deviceId }} nowMs={nowMs} onClose={onClose} />;
    }
  }
};
