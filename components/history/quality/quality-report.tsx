import { useMemo } from 'react';
import { useHasOtherFleets, useUsdot } from '@/components/fleet-state/fleet-context';
import { useSearchText } from '@/components/fleet-state/search-text';
import {
  NO_ANSWER,
  NoTruck,
  NothingRecorded,
  Reported,
  UnitLink,
  toPeriodColumns,
  useCsvFile,
  type AnswerProps,
  type ReportColumn,
} from '../report';
import { Choice } from '../choice';
import type { HistoryRange, FiguresAddress } from '../use-history-address';
import { Failure } from '@/components/kit/full-page';
import { WindowTable, useSorted } from '@/components/kit/table';
import {
  QUALITY_GROUPS,
  coveredOf,
  toQualityCsv,
  type QualityGroup,
  type QualityRow,
} from '@/lib/data-quality/quality';
import { useQuality } from '@/lib/data-quality/queries';
import { GROUP_LABELS, joinFigures, secondsText, shareText } from '@/lib/data-quality/text';
import { useFleetList } from '@/lib/fleets/queries';
import { PERIOD_LABELS, REPORT_PERIODS, type ReportPeriod } from '@/lib/reports/periods';
import { ALL_UNITS } from '@/lib/reports/chosen';
import { formatCount, formatWhole } from '@/lib/view/format';
import { toTextMatcher } from '@/lib/view/search';
import { carrierText } from '@/lib/view/text';
import history from '../history.module.css';
import styles from './quality.module.css';

const NOTE =
  'Each figure is of what was recorded on these days, and says from how many fixes. Fix to sight includes the wait for the next poll.';

const ROW_PX = 38;

/** A row, and which fleet's it is; null: the fleet of the page. */
type ListedRow = QualityRow & { fleet: string | null };

const nameOf = ({ fleet, name, period }: ListedRow, each: ReportPeriod): string =>
  [...(fleet === null ? [] : [`USDOT ${fleet}`]), name, ...(each === 'range' ? [] : [period])].join(' · ');

const keyOf = ({ fleet, key, period }: ListedRow): string => `${fleet ?? ''} ${period} ${key}`;

/** The figures of the fleet, and those of another one below them; `rows` undefined: the fleet's have not come. */
const useRows = (usdot: string, range: HistoryRange, { by, each, fleet }: FiguresAddress) => {
  const report = useQuality(usdot, { ...range, by, each });
  const other = useQuality(fleet === usdot ? null : fleet, { ...range, ...ALL_UNITS, by, each });
  const rows = useMemo(
    () =>
      report.data && [
        ...report.data.map((row): ListedRow => ({ ...row, fleet: null })),
        ...(other.data ?? []).map((row): ListedRow => ({ ...row, fleet })),
      ],
    [report.data, other.data, fleet],
  );
  return { report, other, rows };
};

export const QualityReport = (props: Pick<AnswerProps, 'range' | 'figures' | 'onFigures' | 'onFile'>) => {
  const { range, figures, onFigures, onFile } = props;
  const { fleet, each } = figures;
  const { report, other, rows } = useRows(useUsdot(), range, figures);
  const [text, setText] = useSearchText();
  const shown = useMemo(() => {
    const matches = toTextMatcher(text);
    return rows?.filter(({ name }) => matches([name]));
  }, [rows, text]);
  useCsvFile(shown, onFile, (listed) => ({
    name: 'data-quality',
    toText: () =>
      toQualityCsv(
        listed.map((row) => ({ ...row, name: nameOf(row, 'range') })),
        each,
      ),
  }));
  return (
    <>
      <Choices {...{ figures, onFigures }} />
      <Reported report={report}>
        {(own) =>
          own.length === 0 ? (
            <NothingRecorded range={range} />
          ) : shown === undefined || shown.length === 0 ? (
            <NoTruck query={text} onClear={() => setText('')} />
          ) : (
            <>
              {fleet !== null && other.error !== null ? (
                <Failure title={NO_ANSWER} text={`USDOT ${fleet}: ${other.error.message}`} query={other} />
              ) : null}
              <div className={styles.columns}>
                <QualityTable rows={shown} {...{ range, figures }} />
                <SideBySide rows={rows!} figures={figures} onChoose={onFigures} />
              </div>
            </>
          )
        }
      </Reported>
    </>
  );
};

/** What the figures are of; another choice forgets which were beside each other. */
const Choices = ({ figures: { by, each, fleet }, onFigures }: Pick<AnswerProps, 'figures' | 'onFigures'>) => {
  const choose = (change: Partial<FiguresAddress>): void => onFigures({ ...change, one: null, other: null });
  return (
    <div className={`lh-flex ${history.tools}`}>
      <Choice
        label="By"
        value={by}
        choices={QUALITY_GROUPS.map((value) => ({ value, label: GROUP_LABELS[value] }))}
        onChoose={(value) => choose({ by: value as QualityGroup })}
      />
      <Choice
        label="For"
        value={each}
        choices={REPORT_PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] }))}
        onChoose={(value) => choose({ each: value as ReportPeriod })}
      />
      <OtherFleet fleet={fleet} onChoose={(value) => choose({ fleet: value })} />
      <p>{NOTE}</p>
    </div>
  );
};

/** Another fleet of the viewer, whose figures are listed below those of this one. */
const OtherFleet = ({
  fleet,
  onChoose,
}: Pick<FiguresAddress, 'fleet'> & { onChoose: (fleet: string | null) => void }) => {
  const usdot = useUsdot();
  const isWanted = useHasOtherFleets();
  const { data } = useFleetList(isWanted);
  const others = (data?.fleets ?? []).filter((each) => each.usdot !== usdot);
  if (!isWanted || others.length === 0) return null;
  return (
    <Choice
      label="And fleet"
      value={fleet ?? ''}
      choices={[
        { value: '', label: 'None' },
        ...others.map((each) => ({
          value: each.usdot,
          label: carrierText(each.usdot, each.account).name,
        })),
      ]}
      onChoose={(value) => onChoose(value || null)}
    />
  );
};

const Dim = ({ children }: { children: string }) => <span className="lh-dim">{children}</span>;

/** A figure that is sorted by its value; a dash where there is none. */
const toColumn = (
  id: string,
  label: string,
  valueOf: (row: ListedRow) => number | null,
  toText: (value: number) => string,
  isWide: boolean | 'desk' = false,
): ReportColumn<ListedRow> => ({
  ...{ id, label, kind: 'number', widthPx: [112, 84], valueOf, isWide },
  cell: (row) => {
    const value = valueOf(row);
    return value === null ? <Dim>–</Dim> : toText(value);
  },
});

/** How often faults were raised, of all kinds. */
const faultsOf = ({ raised }: QualityRow): number => raised.reduce((sum, times) => sum + times, 0);

const toColumns = (
  rows: readonly ListedRow[],
  { by, each }: FiguresAddress,
  { to }: HistoryRange,
): ReportColumn<ListedRow>[] => [
  {
    ...{ id: 'name', label: GROUP_LABELS[by] },
    valueOf: ({ fleet, name, period }) => `${fleet ?? ''}${name} ${period}`,
    cell: (row) =>
      by === 'truck' && row.fleet === null ? <UnitLink unit={row} day={to} /> : <b>{nameOf(row, 'range')}</b>,
    total: formatCount(
      new Set(rows.map(({ fleet, key }) => `${fleet} ${key}`)).size,
      GROUP_LABELS[by].toLowerCase(),
    ),
  },
  ...toPeriodColumns<ListedRow>(each),
  toColumn('fixes', 'Fixes', ({ fixes }) => fixes, formatWhole, true),
  toColumn('p50', 'Fix to sight', ({ delay }) => delay?.p50S ?? null, secondsText, each !== 'range'),
  toColumn('p95', '95% within', ({ delay }) => delay?.p95S ?? null, secondsText),
  toColumn('interval', 'While driving', ({ interval }) => interval?.p50S ?? null, secondsText, 'desk'),
  toColumn('covered', 'Covered', coveredOf, shareText),
  toColumn('faults', 'Faults', faultsOf, (times) => `${formatWhole(times)}×`, 'desk'),
];

const QualityTable = ({
  rows,
  range,
  figures,
}: Pick<AnswerProps, 'range' | 'figures'> & { rows: readonly ListedRow[] }) => {
  const columns = toColumns(rows, figures, range);
  const { sorted, ...order } = useSorted(rows, columns, 'name');
  return (
    <section className={styles.column} aria-label="Figures">
      <WindowTable label="Data quality" {...{ columns, keyOf, ...order }} rows={sorted} rowPx={ROW_PX} />
    </section>
  );
};

interface SideBySideProps {
  rows: readonly ListedRow[];
  figures: FiguresAddress;
  onChoose: (change: Partial<FiguresAddress>) => void;
}

/** All figures of one row beside those of another. */
const SideBySide = ({ rows, figures, onChoose }: SideBySideProps) => {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const largest = rows.toSorted((a, b) => b.fixes - a.fixes);
  const one = byKey.get(figures.one ?? '') ?? largest[0]!;
  const other = byKey.get(figures.other ?? '') ?? largest.find((row) => row !== one) ?? null;
  const choices = rows.map((row) => ({ value: keyOf(row), label: nameOf(row, figures.each) }));
  return (
    <section className={styles.column} aria-label="Side by side">
      <div className={styles.sideHead}>
        <h2>{other === null ? 'All figures' : 'Side by side'}</h2>
        {other === null ? null : (
          <>
            <Choice
              label="Left"
              value={keyOf(one)}
              choices={choices}
              onChoose={(value) => onChoose({ one: value, other: keyOf(other) })}
            />
            <Choice
              label="Right"
              value={keyOf(other)}
              choices={choices}
              onChoose={(value) => onChoose({ one: keyOf(one), other: value })}
            />
          </>
        )}
      </div>
      <div className="lh-scroll" tabIndex={0} role="region" aria-label="All figures">
        <table className={styles.side}>
          <thead>
            <tr>
              <th scope="col">Figure</th>
              {[one, ...(other === null ? [] : [other])].map((row) => (
                <th key={keyOf(row)} scope="col">
                  {nameOf(row, figures.each)}
                  <small>{`${formatCount(row.units, 'truck')}, ${formatCount(row.fixes, 'fix', 'fixes')}`}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {joinFigures(one, other).map(({ label, cells }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {cells.map((cell, i) => (
                  <td key={i}>
                    {cell === null ? <Dim>none</Dim> : <b>{cell.value}</b>}
                    {cell === null ? null : <small>{cell.of}</small>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
