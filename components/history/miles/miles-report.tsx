import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import {
  toMiles,
  toMilesCsv,
  type ReportedDay,
  type StateMiles,
  type UnitMiles,
} from '@/lib/reports/reports';
import stateNames from '@/lib/gazetteer/state-names.json';
import { formatCount } from '@/lib/view/format';
import { METERS_PER_MILE } from '@/lib/geo/units';
import styles from '../history.module.css';
import { Report, ReportTable, UnitLink, type AnswerProps, type ReportColumn } from '../report';

const NOTE =
  'Miles are a minimum: straight lines between fixes. Gap miles lie across times without fixes. Not an IFTA filing; use it to check one.';

const toText = (meters: number): string => (meters / METERS_PER_MILE).toLocaleString('en-US', ONE_DIGIT);
const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

const stateName = (state: string): string =>
  state === '' ? 'Over water or outside the US' : (stateNames as Partial<Record<string, string>>)[state]!;

interface Meters {
  drivenM: number;
  bridgedM: number;
}

/** The columns of miles, with their sums over `all`. */
const toMilesColumns = <Row extends Meters>(all: readonly Meters[]): ReportColumn<Row>[] => {
  const column = (id: keyof Meters, label: string): ReportColumn<Row> => ({
    ...{ id, label, kind: 'number', widthPx: [104, 82] },
    valueOf: (row) => row[id],
    cell: (row) => toText(row[id]),
    total: toText(all.reduce((sum, each) => sum + each[id], 0)),
  });
  return [column('drivenM', 'Miles'), column('bridgedM', 'Gap miles')];
};

const StateTable = ({ states }: { states: readonly StateMiles[] }) => {
  const totalM = states.reduce((sum, { drivenM }) => sum + drivenM, 0);
  const mostM = Math.max(1, ...states.map(({ drivenM }) => drivenM));
  const columns: ReportColumn<StateMiles>[] = [
    {
      ...{ id: 'state', label: 'State' },
      valueOf: ({ state }) => stateName(state),
      cell: ({ state }) => (
        <>
          <b>{state}</b> {stateName(state)}
        </>
      ),
      total: 'All',
    },
    ...toMilesColumns<StateMiles>(states),
    {
      ...{ id: 'share', label: 'Share', isWide: true },
      valueOf: ({ drivenM }) => -drivenM,
      cell: ({ drivenM }) => (
        <div className={styles.share}>
          <span style={{ width: `${(100 * drivenM) / mostM}%` }} />
          {((100 * drivenM) / Math.max(1, totalM)).toFixed(1)}%
        </div>
      ),
    },
  ];
  return (
    <ReportTable
      label="Miles by state"
      columns={columns}
      rows={states}
      keyOf={({ state }) => state}
      firstBy="drivenM"
    />
  );
};

/** A unit, or one of its states below it. */
type UnitRow = Meters & { unit: UnitMiles; state: string | null };

const UnitTable = ({ units, lastDay }: { units: readonly UnitMiles[]; lastDay: string }) => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(
    () =>
      units.map((unit): UnitRow => ({ unit, state: null, drivenM: unit.drivenM, bridgedM: unit.bridgedM })),
    [units],
  );
  const toggle = (key: string): void => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  const columns: ReportColumn<UnitRow>[] = [
    {
      ...{ id: 'unit', label: 'Truck' },
      valueOf: ({ unit }) => unit.name,
      cell: ({ unit, state }) =>
        state === null ? (
          <>
            <Toggle isOpen={open.has(unit.key)} name={unit.name} onToggle={() => toggle(unit.key)} />
            <UnitLink unit={unit} day={lastDay} />
          </>
        ) : (
          <span className={styles.nested}>
            <b>{state}</b> {stateName(state)}
          </span>
        ),
      total: formatCount(units.length, 'truck'),
    },
    ...toMilesColumns<UnitRow>(units),
    {
      ...{ id: 'states', label: 'States', isWide: true },
      valueOf: ({ unit }) => -unit.states.length,
      cell: ({ unit, state }) =>
        state === null ? unit.states.map((each) => each.state || 'outside').join(' ') : null,
    },
  ];
  return (
    <ReportTable
      label="Miles of each truck"
      columns={columns}
      rows={rows}
      keyOf={({ unit, state }) => `${unit.key} ${state ?? ''}`}
      firstBy="unit"
      after={({ unit }) => (open.has(unit.key) ? unit.states.map((each) => ({ ...each, unit })) : [])}
    />
  );
};

const Toggle = ({ isOpen, name, onToggle }: { isOpen: boolean; name: string; onToggle: () => void }) => {
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <BareButton
      className={styles.toggle}
      aria-expanded={isOpen}
      aria-label={`States of ${name}`}
      onClick={onToggle}
    >
      <Icon size={16} aria-hidden="true" />
    </BareButton>
  );
};

const Miles = ({ days }: { days: readonly ReportedDay[] }) => {
  const { states, units } = useMemo(() => toMiles(days), [days]);
  return (
    <div className={styles.columns}>
      <section className={styles.column} aria-label="By state">
        <h2>By state</h2>
        <StateTable states={states} />
      </section>
      <section className={styles.column} aria-label="By truck">
        <h2>By truck</h2>
        <UnitTable units={units} lastDay={days.at(-1)!.day} />
      </section>
    </div>
  );
};

export const MilesReport = ({ range, onFile }: Pick<AnswerProps, 'range' | 'onFile'>) => (
  <Report
    range={range}
    onFile={onFile}
    name="miles"
    note={NOTE}
    toCsv={(days) => toMilesCsv(toMiles(days).units)}
  >
    {(days) => <Miles days={days} />}
  </Report>
);
