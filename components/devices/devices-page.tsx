'use client';

import { Button } from '@mantine/core';
import { IconDownload, IconFileImport } from '@tabler/icons-react';
import { Link } from '@/components/ui/link';
import { useState } from 'react';
import { AddButton, PageFrame, Empty, Loaded, Section, IconButton } from '@/components/kit/page-frame';
import {
  Name,
  PREFIX_COLUMN,
  RevokeAction,
  RowAction,
  Table,
  WindowTable,
  createdColumn,
  lastUsedColumn,
  revokedColumn,
  type Column,
} from '@/components/kit/table';
import { usePhone } from '@/components/layout/shell';
import type { IngestToken } from '@/lib/api-keys/schema';
import { toVehicleCsvUrl, useDevices } from '@/lib/devices/queries';
import type { Devices, Device } from '@/lib/devices/schema';
import { formatMoment } from '@/lib/view/format';
import { CarrierSelect } from '@/components/kit/fleet-fields';
import { ConnectPhone } from './connect-phone';
import { AddToken, RemoveVehicle, RevokeToken, VehicleDialog } from './device-dialogs';
import { ImportVehicles } from './import-vehicles';
import { usePageText } from '@/components/fleet-state/search-text';
import { toTextMatcher } from '@/lib/view/search';

/** The trucks that have each word of a search in a number, a name or the device id; all for an empty text. */
export const findDevices = (devices: Device[], typed: string): Device[] => {
  const matches = toTextMatcher(typed);
  return devices.filter(({ truckNumber, vin, deviceId, plateNumber, make, model }) =>
    matches([truckNumber, vin, deviceId, plateNumber, make, model].filter((text) => text != null)),
  );
};

type Task =
  | { kind: 'vehicle' | 'import' | 'token' }
  | { kind: DeviceTask; vin: string }
  | { kind: 'revoke'; token: IngestToken };

interface DevicesPageProps {
  /** Where phones may reach this server, the likeliest first. */
  phoneOrigins: readonly string[];
}

export const DevicesPage = ({ phoneOrigins }: DevicesPageProps) => {
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
          <IconButton
            Icon={IconFileImport}
            disabled={!hasCarrier}
            onClick={() => setTask({ kind: 'import' })}
          >
            Import a file
          </IconButton>
          {hasCarrier && data.devices.length > 0 ? (
            <IconButton component="a" Icon={IconDownload} href={toVehicleCsvUrl(data.usdot)} download>
              Save as CSV
            </IconButton>
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
        <TaskDialog {...{ task, data, phoneOrigins }} onClose={() => setTask(null)} />
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
        vehicles there. The roster of each fleet shows which vehicles report and which have gone silent, and
        imports whom to call about them.
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
  const [typed] = usePageText();
  const found = findDevices(devices, typed);
  return (
    <>
      <CarrierSelect carriers={carriers} usdot={usdot} onUsdot={onUsdot} />
      {devices.length === 0 ? (
        <Empty>No vehicles yet. Add one, or import an Excel or CSV file.</Empty>
      ) : found.length === 0 ? (
        <Empty role="status">No trucks match.</Empty>
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
    <TokenTable tokens={tokens} nowMs={nowMs} onRevoke={(token) => onTask({ kind: 'revoke', token })} />
  </Section>
);

interface TaskDialogProps extends DevicesPageProps {
  task: Task;
  data: Devices;
  onClose: () => void;
}

const TaskDialog = ({ task, data, phoneOrigins, onClose }: TaskDialogProps) => {
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
      return device === undefined ? null : (
        <VehicleDialog
          usdot={usdot}
          device={device}
          contact={data.contacts.find(({ unit }) => unit === device.vin) ?? null}
          onClose={onClose}
        />
      );
    case 'remove':
      return device === undefined ? null : <RemoveVehicle usdot={usdot} device={device} onClose={onClose} />;
    case 'connect':
      return device === undefined ? null : (
        <ConnectPhone {...{ usdot, device, nowMs, onClose }} phoneOrigins={phoneOrigins} />
      );
  }
};

const ROW_PX = 52;
/** A card on a phone: a line for each cell, and its buttons. */
const CARD_PX = 204;

type DeviceTask = 'change' | 'connect' | 'remove';

interface DeviceTableProps {
  devices: readonly Device[];
  nowMs: number;
  onTask: (task: DeviceTask, vin: string) => void;
}

const toColumns = (nowMs: number): Column<Device>[] => [
  {
    label: 'Vehicle',
    isBare: true,
    cell: ({ truckNumber, vin }) => (
      <>
        <Name>{truckNumber ?? 'No number'}</Name> <span className="lh-code">{vin}</span>
      </>
    ),
    small: ({ year, make, model }) => [year, make, model].filter(Boolean).join(' ') || null,
  },
  {
    label: 'Device',
    cell: ({ deviceId }) =>
      deviceId === null ? <span className="lh-dim">none</span> : <span className="lh-code">{deviceId}</span>,
  },
  {
    label: 'Last report',
    cell: ({ reportedAtMs, heardAtMs }) =>
      reportedAtMs !== null ? formatMoment(reportedAtMs, nowMs) : heardAtMs === null ? 'Never' : null,
    small: ({ reportedAtMs, heardAtMs }) =>
      heardAtMs === null || heardAtMs <= (reportedAtMs ?? 0)
        ? null
        : `${formatMoment(heardAtMs, nowMs)}, without a position`,
  },
  {
    label: 'Battery',
    cell: ({ batteryPercent }) => (batteryPercent === null ? 'unknown' : `${Math.round(batteryPercent)} %`),
  },
];

/** Every vehicle with its device; only the rows in view are drawn, since a fleet may have a hundred thousand. */
const DeviceTable = ({ devices, nowMs, onTask }: DeviceTableProps) => (
  <WindowTable
    label="Vehicles and devices"
    columns={toColumns(nowMs)}
    rows={devices}
    keyOf={({ vin }) => vin}
    rowPx={usePhone() ? CARD_PX : ROW_PX}
    isBoxed
    actions={({ vin, truckNumber }) => {
      const name = truckNumber ?? vin;
      return (
        <>
          <RowAction label="Change" of={name} onPress={() => onTask('change', vin)} />
          <RowAction label="Connect a phone" of={`to ${name}`} onPress={() => onTask('connect', vin)} />
          <RowAction label="Remove" of={name} onPress={() => onTask('remove', vin)} />
        </>
      );
    }}
  />
);

interface TokenTableProps {
  tokens: readonly IngestToken[];
  nowMs: number;
  onRevoke: (token: IngestToken) => void;
}

const TokenTable = ({ tokens, nowMs, onRevoke }: TokenTableProps) => (
  <Table
    label="Ingest tokens"
    empty="No tokens yet."
    columns={[
      { label: 'Name', name: ({ name }) => name },
      PREFIX_COLUMN,
      createdColumn<IngestToken>(nowMs, ({ createdBy }) => createdBy),
      lastUsedColumn(nowMs),
      revokedColumn(nowMs),
    ]}
    rows={tokens}
    keyOf={({ id }) => id}
    isEnded={({ revokedAtMs }) => revokedAtMs !== null}
    actions={(token) => <RevokeAction row={token} onRevoke={onRevoke} />}
  />
);
