'use client';

import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { BareButton } from '@/components/ui/bare-button';
import { FlagLabels, UnitAge } from '@/components/list/unit-row';
import { StatusGlyph } from '@/components/map/status-glyph';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { NearLink } from '@/components/ui/near-link';
import { useNowMs } from '@/components/ui/use-now';
import { useRowWindow } from '@/components/ui/use-row-window';
import type { RosterLine, RosterOrder } from '@/lib/roster/roster';
import { unitName } from '@/lib/view/unit-name';
import { readUnitRow } from '@/lib/view/unit-row';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import { vinVehicleText } from '@/lib/identity/decode-vin';
import { PAST_STATUS_LABELS, STATUS_LABELS, pastText, statusText } from '@/lib/view/text';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './roster-table.module.css';

const ROW_PX = 44;
const OVERSCAN = 12;

const COLUMNS: readonly { by: RosterOrder['by'] | null; label: string; className: string | undefined }[] = [
  { by: 'truck', label: 'Truck', className: styles.truck },
  { by: 'vin', label: 'VIN', className: styles.vin },
  { by: 'state', label: 'Status', className: styles.status },
  { by: null, label: 'Vehicle', className: styles.wide },
  { by: null, label: 'Plate', className: styles.wide },
  { by: 'fix', label: 'Last fix', className: styles.age },
];

interface RosterTableProps {
  fleet: Fleet;
  lines: readonly RosterLine[];
  skewMs: number;
  order: RosterOrder;
  onOrder: (order: RosterOrder) => void;
}

/** The roster as a table; only the lines in view are in the page. */
export const RosterTable = ({ fleet, lines, skewMs, order, onOrder }: RosterTableProps) => {
  const { scroller, indexes, abovePx, belowPx } = useRowWindow(lines.length, ROW_PX, OVERSCAN);
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      tabIndex={0}
      role="region"
      aria-label="Vehicles of the roster"
    >
      <table className={styles.table} aria-rowcount={lines.length + 1}>
        <thead>
          <tr>
            {COLUMNS.map(({ by, label, className }) => (
              <th
                key={label}
                scope="col"
                className={className}
                aria-sort={by === null ? undefined : toAriaSort(by, order)}
              >
                {by === null ? label : <OrderButton by={by} label={label} order={order} onOrder={onOrder} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {abovePx > 0 ? <tr aria-hidden="true" style={{ height: abovePx }} /> : null}
          {indexes.map((index) => {
            const line = lines[index];
            return line ? (
              <Line key={line.key} fleet={fleet} line={line} index={index} skewMs={skewMs} />
            ) : null;
          })}
          {belowPx > 0 ? <tr aria-hidden="true" style={{ height: belowPx }} /> : null}
        </tbody>
      </table>
    </div>
  );
};

const toAriaSort = (by: RosterOrder['by'], order: RosterOrder) =>
  order.by !== by ? 'none' : order.isDescending ? 'descending' : 'ascending';

interface OrderButtonProps {
  by: RosterOrder['by'];
  label: string;
  order: RosterOrder;
  onOrder: (order: RosterOrder) => void;
}

const OrderButton = ({ by, label, order, onOrder }: OrderButtonProps) => {
  const isOwn = order.by === by;
  const Icon = order.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <BareButton
      className={styles.order}
      onClick={() => onOrder({ by, isDescending: isOwn && !order.isDescending })}
    >
      {label}
      {isOwn ? <Icon size={14} stroke={2} aria-hidden="true" /> : null}
    </BareButton>
  );
};

interface LineProps {
  fleet: Fleet;
  line: RosterLine;
  index: number;
  skewMs: number;
}

const Line = ({ fleet, line, index, skewMs }: LineProps) => {
  const usdot = useUsdot();
  const nowMs = useNowMs() + skewMs;
  const old = useOldCopy();
  const unit = line.row === null ? null : readUnitRow(fleet, line.row);
  const identity = unit?.identity;
  const link =
    line.vin === null
      ? toMapLink(`/fleets/${usdot}${toViewSearch({ ...EVERYTHING, unit: line.key })}`)
      : { href: `/fleets/${usdot}/units/${encodeURIComponent(line.vin)}` };
  const status = unit?.status ?? 'silent';
  return (
    <tr aria-rowindex={index + 2} className={styles.line} data-state={line.state}>
      <td className={styles.truck}>
        <NearLink {...link} className={styles.open}>
          <StatusGlyph status={status} headingDeg={unit?.headingDeg ?? null} size={18} />
          <b>{identity ? unitName(identity) : (line.vin?.slice(-6) ?? line.key)}</b>
        </NearLink>
      </td>
      <td className={`${styles.vin} lh-code`}>{line.vin ?? <span className={styles.none}>no VIN</span>}</td>
      <td className={styles.status}>
        <span className={styles.what} data-status={status}>
          {(old === null ? STATUS_LABELS : PAST_STATUS_LABELS)[status]}
          {unit === null
            ? ' · never seen'
            : ` · ${old === null ? statusText(unit, nowMs) : pastText(unit, old)}`}
        </span>
        <FlagLabels flags={unit?.flags ?? []} />
      </td>
      <td className={styles.wide}>
        {[identity?.year, identity?.make, identity?.model].filter(Boolean).join(' ') || (
          <ByVin label={line.vin === null ? null : vinVehicleText(line.vin, nowMs)} />
        )}
      </td>
      <td className={styles.wide}>
        {[identity?.plateState, identity?.plateNumber].filter(Boolean).join(' · ') || <None />}
      </td>
      <td className={styles.age}>
        {unit?.fixAtMs == null ? <None /> : <UnitAge fixAtMs={unit.fixAtMs} skewMs={skewMs} />}
      </td>
    </tr>
  );
};

/** The vehicle by its VIN, where the provider does not name it; labeled as such. */
const ByVin = ({ label }: { label: string | null }) =>
  label === null ? (
    <None />
  ) : (
    <span className={styles.none}>
      {label} <span className={styles.source}>by its VIN</span>
    </span>
  );

const None = () => <span className={styles.none}>–</span>;
