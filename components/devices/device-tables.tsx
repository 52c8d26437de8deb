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
import type { Device } from '@/lib/devices/schema';
import { formatMoment } from '@/lib/view/format';

const ROW_PX = 52;
/** A card on a phone: a line for each cell, and its buttons. */
const CARD_PX = 184;

/** The actions on a vehicle of the table. */
export type DeviceTask = 'change' | 'connect';

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
export const DeviceTable = ({ devices, nowMs, onTask }: DeviceTableProps) => (
  <WindowTable
    label="Vehicles and devices"
    columns={toColumns(nowMs)}
    rows={devices}
    keyOf={({ vin }) => vin}
    rowPx={usePhone() ? CARD_PX : ROW_PX}
    isBoxed
    actions={({ vin, truckNumber, deviceId }) => {
      const name = truckNumber ?? vin;
      return (
        <>
          <RowAction label="Change" of={name} onPress={() => onTask('change', vin)} />
          {deviceId === null ? (
            <RowAction label="Set a device" of={`of ${name}`} onPress={() => onTask('change', vin)} />
          ) : (
            <RowAction label="Connect a phone" of={`to ${name}`} onPress={() => onTask('connect', vin)} />
          )}
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

/** The tokens by which devices report. */
export const TokenTable = ({ tokens, nowMs, onRevoke }: TokenTableProps) => (
  <Table
    label="Ingest tokens"
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
