'use client';

import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { useState } from 'react';
import styles from '@/components/desk/desk-page.module.css';
import { useDevices } from '@/lib/queries/devices';
import type { IngestToken } from '@/lib/wire/api-keys';
import type { Devices } from '@/lib/wire/devices';
import { ConnectPhone } from './connect-phone';
import { AddToken, AddVehicle, RevokeToken } from './device-dialogs';
import { DeviceTable } from './device-table';
import { ImportVehicles } from './import-vehicles';
import { TokenTable } from './token-table';

type Task =
  | { kind: 'vehicle' | 'import' | 'token' }
  | { kind: 'connect'; vin: string }
  | { kind: 'revoke'; token: IngestToken };

/** The vehicles of a carrier and what reports for them. */
export const DevicesPage = () => {
  const [usdot, setUsdot] = useState<string | null>(null);
  const { data, error } = useDevices(usdot);
  const [task, setTask] = useState<Task | null>(null);
  const hasCarrier = data !== undefined && data.usdot !== '';
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <h1 className={styles.title}>Devices</h1>
        <div className={styles.actions}>
          <Button variant="default" disabled={!hasCarrier} onClick={() => setTask({ kind: 'import' })}>
            Import a CSV
          </Button>
          <Button disabled={!hasCarrier} onClick={() => setTask({ kind: 'vehicle' })}>
            Add a vehicle
          </Button>
        </div>
      </div>
      {data !== undefined && data.carriers.length > 1 ? (
        <NativeSelect
          label="Carrier"
          value={data.usdot}
          data={data.carriers.map((each) => ({
            value: each.usdot,
            label: `${each.companyName}, USDOT ${each.usdot}`,
          }))}
          onChange={(event) => setUsdot(event.currentTarget.value)}
        />
      ) : null}
      {error === null ? null : (
        <p className={styles.failure} role="alert">
          {error.message}
        </p>
      )}
      {data === undefined ? (
        error === null && <Skeleton height={240} radius="md" />
      ) : (
        <Told data={data} onTask={setTask} />
      )}
      {task === null || data === undefined ? null : (
        <TaskDialog task={task} data={data} onClose={() => setTask(null)} />
      )}
    </div>
  );
};

const Told = ({ data, onTask }: { data: Devices; onTask: (task: Task) => void }) => {
  const { devices, tokens, nowMs } = data;
  return (
    <>
      {devices.length === 0 ? (
        <p className={styles.nothing}>There is no vehicle yet. Add one, or import a CSV file.</p>
      ) : (
        <DeviceTable devices={devices} nowMs={nowMs} onConnect={(vin) => onTask({ kind: 'connect', vin })} />
      )}
      <div className={styles.top}>
        <h2 className={styles.head}>Ingest tokens</h2>
        <Button variant="default" disabled={data.usdot === ''} onClick={() => onTask({ kind: 'token' })}>
          Add a token
        </Button>
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
};

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
    case 'connect': {
      const device = devices.find(({ vin }) => vin === task.vin);
      if (device?.deviceId == null) return null;
      const { deviceId } = device;
      return <ConnectPhone usdot={usdot} device={{ ...device, deviceId }} nowMs={nowMs} onClose={onClose} />;
    }
  }
};
