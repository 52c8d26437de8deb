import { FlagLabels, UnitAge } from '@/components/list/unit-row';
import { StatusGlyph } from '@/components/map/status-glyph';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { WindowTable, type Column } from '@/components/kit/table';
import { Link } from '@/components/ui/link';
import { PhoneNumber } from '@/components/ui/phone-number';
import { usePlaces } from '@/components/ui/use-places';
import { useNowMs } from '@/components/ui/use-now';
import { useContactOf } from '@/lib/contacts/queries';
import type { RosterLine, RosterOrder } from '@/lib/roster/roster';
import { unitName } from '@/lib/view/unit-name';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import { vinVehicleText } from '@/lib/identity/decode-vin';
import { PAST_STATUS_LABELS, STATUS_LABELS, pastText, statusText } from '@/lib/view/text';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './roster.module.css';

const ROW_PX = 44;

interface RosterTableProps {
  fleet: Fleet;
  lines: readonly RosterLine[];
  skewMs: number;
  order: RosterOrder;
  onOrder: (order: RosterOrder) => void;
}

const None = () => <span className="lh-dim">–</span>;

interface UnitStatusProps {
  /** Null: one that never reported. */
  unit: UnitRow | null;
  nowMs: number;
}

/** The evidence of a unit's status, beside which its flag is never cut; the status itself is the sign before its name, and read out. */
const UnitStatus = ({ unit, nowMs }: UnitStatusProps) => {
  const old = useOldCopy();
  const label = (old === null ? STATUS_LABELS : PAST_STATUS_LABELS)[unit?.status ?? 'silent'];
  const text = unit === null ? 'never seen' : old === null ? statusText(unit, nowMs) : pastText(unit, old);
  return (
    <span className={styles.state}>
      {text.toLowerCase().startsWith(label.toLowerCase()) ? null : (
        <span className="visually-hidden">{label}: </span>
      )}
      <span className={`lh-cut ${styles.status}`}>{text}</span> <FlagLabels flags={unit?.flags ?? []} />
    </span>
  );
};

const VIN_COLUMN: Column<RosterLine> = {
  id: 'vin',
  label: 'VIN',
  widthPx: [164],
  isWide: true,
  cell: ({ vin }) =>
    vin === null ? <span className="lh-dim">no VIN</span> : <span className="lh-code">{vin}</span>,
};

/** The driver of each truck. */
const toContactColumns = (contactOf: ReturnType<typeof useContactOf>): Column<RosterLine>[] => [
  {
    label: 'Driver',
    widthPx: [150],
    className: styles.contact,
    isWide: true,
    cell: ({ key }) => contactOf(key)?.driver || <None />,
  },
  {
    label: 'Phone',
    widthPx: [176],
    className: styles.contact,
    isWide: true,
    cell: ({ key }) => {
      const { driver = '', driverPhone = '' } = contactOf(key) ?? {};
      return driverPhone === '' ? <None /> : <PhoneNumber phone={driverPhone} who={driver || 'the driver'} />;
    },
  },
];

const useColumns = ({ fleet, skewMs }: RosterTableProps): Column<RosterLine>[] => {
  const usdot = useUsdot();
  const nowMs = useNowMs() + skewMs;
  const contactOf = useContactOf(usdot);
  const placeAt = usePlaces();
  const unitOf = ({ row }: RosterLine) => (row === null ? null : readUnitRow(fleet, row));
  return [
    {
      id: 'truck',
      label: 'Truck',
      widthPx: [112, 118],
      cell: (line) => <Truck line={line} unit={unitOf(line)} usdot={usdot} />,
    },
    VIN_COLUMN,
    {
      id: 'state',
      label: 'Status',
      cell: (line) => <UnitStatus unit={unitOf(line)} nowMs={nowMs} />,
    },
    ...toContactColumns(contactOf),
    {
      label: 'Place',
      isWide: true,
      cell: (line) => {
        const position = unitOf(line)?.position ?? null;
        return position === null || placeAt === null ? <None /> : placeAt(position);
      },
    },
    {
      label: 'Make and model',
      widthPx: [216],
      isWide: 'desk',
      cell: (line) => <Vehicle vin={line.vin} unit={unitOf(line)} nowMs={nowMs} />,
    },
    {
      label: 'Plate',
      widthPx: [136],
      isWide: 'desk',
      cell: (line) => {
        const { plateState, plateNumber } = unitOf(line)?.identity ?? {};
        return [plateState, plateNumber].filter(Boolean).join(' · ') || <None />;
      },
    },
    {
      id: 'fix',
      label: 'Last fix',
      kind: 'number',
      widthPx: [104, 84],
      cell: (line) => {
        const fixAtMs = unitOf(line)?.fixAtMs;
        return fixAtMs == null ? <None /> : <UnitAge fixAtMs={fixAtMs} skewMs={skewMs} />;
      },
    },
  ];
};

export const RosterTable = (props: RosterTableProps) => {
  const { lines, order, onOrder } = props;
  return (
    <WindowTable
      label="Trucks of the roster"
      columns={useColumns(props)}
      rows={lines}
      keyOf={({ key }) => key}
      rowPx={ROW_PX}
      order={order}
      onOrder={(id) =>
        onOrder({ by: id as RosterOrder['by'], isDescending: order.by === id && !order.isDescending })
      }
    />
  );
};

/** The truck's name, which leads to its page; one without a VIN is shown on the map. */
const Truck = ({ line, unit, usdot }: { line: RosterLine; unit: UnitRow | null; usdot: string }) => {
  const { vin, key } = line;
  const link =
    vin === null
      ? toMapLink(`/fleets/${usdot}${toViewSearch({ ...EVERYTHING, unit: key })}`)
      : { href: `/fleets/${usdot}/units/${encodeURIComponent(vin)}` };
  return (
    <Link {...link} className="lh-link lh-flex">
      <StatusGlyph status={unit?.status ?? 'silent'} headingDeg={unit?.headingDeg ?? null} size={18} />
      <b>{unit === null ? (vin?.slice(-6) ?? key) : unitName(unit.identity)}</b>
    </Link>
  );
};

/** Year, make and model; where the provider does not name them, by the VIN and labeled as such. */
const Vehicle = ({ vin, unit, nowMs }: { vin: string | null; unit: UnitRow | null; nowMs: number }) => {
  const { year, make, model } = unit?.identity ?? {};
  const named = [year, make, model].filter(Boolean).join(' ');
  if (named !== '') return named;
  const byVin = vin === null ? null : vinVehicleText(vin, nowMs);
  return byVin === null ? (
    <None />
  ) : (
    // Each such line would repeat it, and cut what differs.
    <i className="lh-dim" title="By its VIN">
      {byVin}
      <span className="visually-hidden"> by its VIN</span>
    </i>
  );
};
