'use client';

import {
  TableHead,
  Table,
  CreatedCell,
  LastUsedCell,
  NameCell,
  PrefixCell,
  RevocableCells,
  RowAction,
  RowActions,
  Small,
} from '@/components/kit/table';
import page from '@/components/kit/table.module.css';
import { usePhone } from '@/components/layout/shell';
import { useRowWindow } from '@/components/ui/use-row-window';
import type { IngestToken } from '@/lib/api-keys/schema';
import type { Device } from '@/lib/devices/schema';
import { formatMoment } from '@/lib/view/format';
import styles from './devices.module.css';

const ROW_PX = 52;
/** A card on a phone: a line for each cell, and its buttons. */
const CARD_PX = 184;
const OVERSCAN = 8;

/** The actions on a vehicle of the table. */
export type DeviceTask = 'change' | 'connect';

interface DeviceTableProps {
  devices: Device[];
  nowMs: number;
  onTask: (task: DeviceTask, vin: string) => void;
}

/** Every vehicle with its device; only the rows in view are drawn, since a fleet may have a hundred thousand. */
export const DeviceTable = ({ devices, nowMs, onTask }: DeviceTableProps) => {
  const rowPx = usePhone() ? CARD_PX : ROW_PX;
  const { scroller, indexes, abovePx, belowPx } = useRowWindow(devices.length, rowPx, OVERSCAN);
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      tabIndex={0}
      role="region"
      aria-label="Vehicles and devices"
    >
      <table className={`${page.table} ${page.cards} ${styles.table}`} aria-rowcount={devices.length + 1}>
        <TableHead columns={['Vehicle', 'Device', 'Last report', 'Battery']} />
        <tbody>
          {abovePx > 0 ? <tr style={{ height: abovePx }} aria-hidden="true" /> : null}
          {indexes.map((index) => (
            <DeviceRow
              key={devices[index]!.vin}
              row={index}
              rowPx={rowPx}
              device={devices[index]!}
              nowMs={nowMs}
              onTask={onTask}
            />
          ))}
          {belowPx > 0 ? <tr style={{ height: belowPx }} aria-hidden="true" /> : null}
        </tbody>
      </table>
    </div>
  );
};

type DeviceRowProps = Omit<DeviceTableProps, 'devices'> & { row: number; rowPx: number; device: Device };

const DeviceRow = ({ row, rowPx, device, nowMs, onTask }: DeviceRowProps) => {
  const { vin, truckNumber, deviceId, reportedAtMs, heardAtMs, batteryPercent } = device;
  const isHeardOnly = heardAtMs !== null && heardAtMs > (reportedAtMs ?? 0);
  const name = truckNumber ?? vin;
  return (
    <tr aria-rowindex={row + 2} style={{ height: rowPx }}>
      <td>
        <span className={page.name}>{truckNumber ?? 'No number'}</span> <span className="lh-code">{vin}</span>
      </td>
      <td data-head="Device" className={deviceId === null ? styles.none : 'lh-code'}>
        {deviceId ?? 'none'}
      </td>
      <td data-head="Last report">
        {reportedAtMs !== null ? formatMoment(reportedAtMs, nowMs) : isHeardOnly ? null : 'Never'}
        {isHeardOnly ? <Small>{formatMoment(heardAtMs, nowMs)}, without a position</Small> : null}
      </td>
      <td data-head="Battery">{batteryPercent === null ? 'unknown' : `${Math.round(batteryPercent)} %`}</td>
      <RowActions>
        <RowAction label="Change" of={name} onPress={() => onTask('change', vin)} />
        {deviceId === null ? (
          <RowAction label="Set a device" of={`of ${name}`} onPress={() => onTask('change', vin)} />
        ) : (
          <RowAction label="Connect a phone" of={`to ${name}`} onPress={() => onTask('connect', vin)} />
        )}
      </RowActions>
    </tr>
  );
};

interface TokenTableProps {
  tokens: IngestToken[];
  nowMs: number;
  onRevoke: (token: IngestToken) => void;
}

/** The tokens by which devices report. */
export const TokenTable = ({ tokens, nowMs, onRevoke }: TokenTableProps) => (
  <Table label="Ingest tokens" columns={['Name', 'Starts with', 'Created', 'Last used', 'State']}>
    {tokens.map((token) => (
      <tr key={token.id} data-ended={token.revokedAtMs !== null}>
        <NameCell name={token.name} />
        <PrefixCell prefix={token.prefix} />
        <CreatedCell atMs={token.createdAtMs} by={token.createdBy} nowMs={nowMs} />
        <LastUsedCell lastUsedAtMs={token.lastUsedAtMs} nowMs={nowMs} />
        <RevocableCells {...token} nowMs={nowMs} onRevoke={() => onRevoke(token)} />
      </tr>
    ))}
  </Table>
);
