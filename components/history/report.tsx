import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useMemo, type ReactNode } from 'react';
import { toTextMatcher } from '@/lib/view/search';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useSearchText } from '@/components/fleet-state/search-text';
import { Failure, Message } from '@/components/kit/full-page';
import { WindowTable, type Column, useSorted } from '@/components/kit/table';
import { Link } from '@/components/ui/link';
import { parseVin } from '@/lib/identity/vin';
import { formatWhole } from '@/lib/view/format';
import { useReport } from '@/lib/reports/queries';
import type { ReportedDay } from '@/lib/reports/reports';
import type { CivilDay } from '@/lib/trips/days';
import type { ReportPeriod } from '@/lib/reports/periods';
import styles from './history.module.css';
import type { MapTiles } from '@/lib/map/schema';
import type { HistoryRange, FiguresAddress, WhoAddress } from './use-history-address';

export const NO_ANSWER = 'There is no answer.';

/** The answer as a file, which the head of the page saves. */
export interface CsvFile {
  /** Begins its name. */
  name: string;
  toText: () => string;
}

/** The props of an answer to a question about the past. */
export interface AnswerProps {
  range: HistoryRange;
  who: WhoAddress;
  figures: FiguresAddress;
  tiles: MapTiles | null;
  onWho: (change: Partial<WhoAddress>) => void;
  onFigures: (change: Partial<FiguresAddress>) => void;
  /** Takes the answer as a file; null while there is none. */
  onFile: (file: CsvFile | null) => void;
}

/** Offers the answer as a file as long as there is one. */
export const useCsvFile = <Data,>(
  data: Data | undefined,
  onFile: (file: CsvFile | null) => void,
  toFile: (data: Data) => CsvFile,
): void => {
  const offer = useEffectEvent((answer: Data | undefined): void =>
    onFile(answer === undefined ? null : toFile(answer)),
  );
  useEffect(() => {
    offer(data);
    return () => offer(undefined);
  }, [data]);
};

interface ReportProps extends Pick<AnswerProps, 'range' | 'onFile'> {
  /** Begins the name of the file. */
  name: string;
  note: string;
  toCsv: (days: readonly ReportedDay[]) => string;
  children: (days: readonly ReportedDay[]) => ReactNode;
}

/** What useReportLines returns. */
interface ReportLines<Data> {
  data: Data | undefined;
  error: Error | null;
  share: number;
  isFetching: boolean;
  refetch: () => unknown;
  cancel: () => void;
}

interface ReportedProps<Data> {
  report: ReportLines<Data>;
  children: (data: Data) => ReactNode;
}

/** A report once it has come; until then how far it is, or why there is none. */
export const Reported = <Data,>({ report, children }: ReportedProps<Data>) => {
  const { data, error, share, isFetching, refetch, cancel } = report;
  if (data !== undefined) return children(data);
  if (isFetching) return <Waiting share={share} onCancel={cancel} />;
  if (error !== null) return <Failure title={NO_ANSWER} text={error.message} query={report} />;
  return (
    <Message title="Canceled.">
      <Button variant="default" onClick={() => void refetch()}>
        Try again
      </Button>
    </Message>
  );
};

/** In place of a report of days without any figure. */
export const NothingRecorded = ({ range: { unit, tag } }: Pick<AnswerProps, 'range'>) => (
  <Message title="Nothing was recorded.">
    <p>
      {unit === null && tag === null
        ? 'No truck reported on these days, or they were not recorded.'
        : 'The chosen trucks did not report on these days, or they were not recorded.'}
    </p>
  </Message>
);

/** The recorded days of a range, once they have come, with their file. */
export const Report = ({ range, name, note, toCsv, onFile, children }: ReportProps) => {
  const report = useReport(useUsdot(), range);
  const { data } = report;
  const [query, setQuery] = useSearchText();
  const shown = useMemo(() => {
    const matches = toTextMatcher(query);
    return data?.filter((day) => matches([day.name]));
  }, [data, query]);
  useCsvFile(shown, onFile, (days) => ({ name, toText: () => toCsv(days) }));
  return (
    <Reported report={report}>
      {(days) =>
        days.length === 0 ? (
          <NothingRecorded range={range} />
        ) : shown === undefined || shown.length === 0 ? (
          <NoTruck query={query} onClear={() => setQuery('')} />
        ) : (
          <>
            <div className={`lh-flex ${styles.tools}`}>
              <p>{note}</p>
            </div>
            {children(shown)}
          </>
        )
      }
    </Reported>
  );
};

/** In place of a list without any truck that the search field names. */
export const NoTruck = ({ query, onClear }: { query: string; onClear: () => void }) => (
  <Message title={`No truck in this list matches “${query.trim()}”.`}>
    <Button variant="default" onClick={onClear}>
      Clear search
    </Button>
  </Message>
);

const Waiting = ({ share, onCancel }: { share: number; onCancel: () => void }) => (
  <div className={styles.waiting} aria-busy="true">
    <p role="status">Reading the recording…</p>
    <progress value={share} aria-label="Days that are done" />
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
  </div>
);

const ROW_PX = 38;

export type ReportColumn<Row> = Column<Row> & { id: string; valueOf: (row: Row) => string | number | null };

interface ReportTableProps<Row> {
  label: string;
  columns: readonly ReportColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  firstBy: string;
  className?: string | undefined;
  /** Rows that follow a row, as when it is expanded. */
  after?: (row: Row) => readonly Row[];
}

export const ReportTable = <Row,>({ rows, firstBy, after, ...table }: ReportTableProps<Row>) => {
  const { sorted, ...order } = useSorted(rows, table.columns, firstBy);
  return (
    <WindowTable
      {...table}
      {...order}
      rows={after === undefined ? sorted : sorted.flatMap((row) => [row, ...after(row)])}
      rowPx={ROW_PX}
    />
  );
};

/** The first day of a period; on a phone without its year. */
const Period = ({ day }: { day: CivilDay }) => (
  <>
    <span className={styles.narrow}>{day.slice(0, 5)}</span>
    {day.slice(5)}
  </>
);

/** The column of the period of a figure; none where there is one period alone. */
export const toPeriodColumns = <Row extends { period: CivilDay }>(each: ReportPeriod): ReportColumn<Row>[] =>
  each === 'range'
    ? []
    : [
        {
          ...{ id: 'period', label: each === 'day' ? 'Day' : 'From', widthPx: [104, 58] },
          valueOf: ({ period }) => period,
          cell: ({ period }) => <Period day={period} />,
        },
      ];

/** On a phone the number alone. */
export const TruckCount = ({ count }: { count: number }) => (
  <>
    {formatWhole(count)} <span className={styles.narrow}>{count === 1 ? 'truck' : 'trucks'}</span>
  </>
);

/** A unit's name, which leads to its day; one without a VIN has no page. */
export const UnitLink = ({ unit, day }: { unit: { key: string; name: string }; day: CivilDay }) => {
  const usdot = useUsdot();
  return parseVin(unit.key) === null ? (
    <b>{unit.name}</b>
  ) : (
    <Link href={`/fleets/${usdot}/units/${unit.key}?view=day&day=${day}`} className="lh-link">
      <b>{unit.name}</b>
    </Link>
  );
};
