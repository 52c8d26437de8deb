'use client';

import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import deskStyles from '@/components/desk/desk-page.module.css';
import { momentWords } from '@/lib/view/clock';
import type { Device } from '@/lib/wire/devices';
import styles from './device-table.module.css';

const ROW_PX = 52;
const OVERSCAN = 8;

interface DeviceTableProps {
  devices: Device[];
  nowMs: number;
  onConnect: (vin: string) => void;
}

/** Every vehicle with its device; only the rows in view are drawn, since a fleet may have a hundred thousand. */
export const DeviceTable = ({ devices, nowMs, onConnect }: DeviceTableProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are used in this render alone
  const virtual = useVirtualizer({
    count: devices.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const rows = virtual.getVirtualItems();
  const aboveCount = rows[0]?.index ?? 0;
  const belowPx = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      tabIndex={0}
      role="region"
      aria-label="Vehicles and devices"
    >
      <table className={deskStyles.table} aria-rowcount={devices.length + 1}>
        <thead>
          <tr>
            <th scope="col">Vehicle</th>
            <th scope="col">Device</th>
            <th scope="col">Last report</th>
            <th scope="col">Battery</th>
            <th scope="col">
              <span className="lh-unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {aboveCount > 0 ? <tr style={{ height: aboveCount * ROW_PX }} aria-hidden="true" /> : null}
          {rows.map(({ index }) => (
            <DeviceRow
              key={devices[index]!.vin}
              row={index}
              device={devices[index]!}
              nowMs={nowMs}
              onConnect={onConnect}
            />
          ))}
          {belowPx > 0 ? <tr style={{ height: belowPx }} aria-hidden="true" /> : null}
        </tbody>
      </table>
    </div>
  );
};

type DeviceRowProps = Omit<DeviceTableProps, 'devices'> & { row: number; device: Device };

const DeviceRow = ({ row, device, nowMs, onConnect }: DeviceRowProps) => {
  const { vin, truckNumber, deviceId, reportedAtMs, batteryPercent } = device;
  return (
    <tr aria-rowindex={row + 2} style={{ height: ROW_PX }}>
      <td>
        <span className={deskStyles.name}>{truckNumber ?? 'No number'}</span>{' '}
        <span className={deskStyles.mono}>{vin}</span>
      </td>
      <td className={deskStyles.mono}>{deviceId ?? 'none'}</td>
      <td>{reportedAtMs === null ? 'Never' : momentWords(reportedAtMs, nowMs)}</td>
      <td>{batteryPercent === null ? '' : `${Math.round(batteryPercent)} %`}</td>
      <td>
        <div className={deskStyles.rowActions}>
          <Button
            size="xs"
            variant="default"
            disabled={deviceId === null}
            aria-label={`Connect a phone to ${truckNumber ?? vin}`}
            onClick={() => onConnect(vin)}
          >
            Connect a phone
          </Button>
        </div>
      </td>
    </tr>
  );
};
