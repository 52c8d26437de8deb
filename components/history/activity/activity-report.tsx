import { SEGMENT_LABELS, formatHours } from '@/lib/past/text';
import { toActivityCsv, type ReportedDay } from '@/lib/reports/reports';
import { toWallClock } from '@/lib/trips/days';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { formatMinute, formatWhole } from '@/lib/view/format';
import { Report, ReportTable, TruckCount, UnitLink, type AnswerProps, type ReportColumn } from '../report';
import styles from '../history.module.css';
import type { HistoryRange } from '../use-history-address';
import { MINUTE_MS } from '@/lib/base/time';

const NOTE =
  'Miles are a minimum: straight lines between fixes. Gap miles lie across times without fixes. Days are in your time zone.';

const DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'numeric', day: 'numeric' });
const WEEKDAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short' });

const TIMES = [
  ['moving', 'movingMs', 'Driving'],
  ['stopped', 'stoppedMs', 'Stopped'],
  ['silent', 'silentMs', 'Truck silent'],
  ['notRecorded', 'notRecordedMs', 'Not recorded'],
] as const;

const toWholeMiles = (meters: number): string => formatWhole(Math.round(meters / METERS_PER_MILE));

const None = () => <span className="lh-dim">–</span>;

/** The shares of a day that a unit drove, stood and so on, with the shapes of the bar of its day. */
const Shares = ({ row }: { row: ReportedDay }) => {
  const totalMs = TIMES.reduce((sum, [, field]) => sum + row[field], 0);
  const known = TIMES.filter(([, field]) => row[field] > 0);
  const text = known.map(([kind, field]) => `${SEGMENT_LABELS[kind]} ${formatHours(row[field])}`).join(', ');
  return (
    <div className={styles.bar} role="img" aria-label={text} title={text}>
      {known.map(([kind, field]) => (
        <span
          key={kind}
          className="lh-time"
          data-kind={kind}
          style={{ width: `${(100 * row[field]) / totalMs}%` }}
        />
      ))}
    </div>
  );
};

const DAY_COLUMN: ReportColumn<ReportedDay> = {
  ...{ id: 'day', label: 'Day', widthPx: [104, 54] },
  valueOf: (row) => row.day,
  cell: ({ day }) => (
    <>
      <span className={styles.weekday}>{WEEKDAY.format(Date.parse(day))}</span> {DAY.format(Date.parse(day))}
    </>
  ),
};

const toColumns = (
  rows: readonly ReportedDay[],
  { from, to, zone }: HistoryRange,
): ReportColumn<ReportedDay>[] => {
  const sum = (
    field: 'movingMs' | 'stoppedMs' | 'silentMs' | 'notRecordedMs' | 'stops' | 'drivenM' | 'bridgedM',
  ) => rows.reduce((total, row) => total + row[field], 0);
  const time = (id: 'firstMs' | 'lastMs', label: string): ReportColumn<ReportedDay> => ({
    ...{ id, label, kind: 'number', widthPx: [96] },
    // Sorted by the time of day.
    valueOf: (row) => (row[id] === null ? null : toWallClock(row[id], zone).slice(11)),
    cell: (row) => (row[id] === null ? <None /> : formatMinute(row[id], zone)),
  });
  return [
    {
      ...{ id: 'name', label: 'Truck', widthPx: [128, 74] },
      valueOf: ({ name }) => name,
      cell: (row) => <UnitLink unit={row} day={row.day} />,
      total: <TruckCount count={new Set(rows.map(({ key }) => key)).size} />,
    },
    ...(from === to ? [] : [DAY_COLUMN]),
    time('firstMs', 'First motion'),
    time('lastMs', 'Last motion'),
    {
      ...{ id: 'shares', label: 'Shares' },
      valueOf: ({ movingMs }) => -movingMs,
      cell: (row) => <Shares row={row} />,
    },
    ...TIMES.map(([kind, field, label]): ReportColumn<ReportedDay> => ({
      ...{ id: field, label, kind: 'number' },
      mark: <i className={`lh-time ${styles.mark}`} data-kind={kind} aria-hidden="true" />,
      widthPx: [118],
      valueOf: (row) => row[field],
      cell: (row) => (row[field] < MINUTE_MS ? <None /> : formatHours(row[field])),
      total: formatHours(sum(field)),
    })),
    {
      ...{ id: 'stops', label: 'Stops', kind: 'number', widthPx: [76] },
      valueOf: ({ stops }) => stops,
      cell: ({ stops }) => stops,
      total: formatWhole(sum('stops')),
    },
    {
      ...{ id: 'miles', label: 'Miles', kind: 'number', widthPx: [104, 82] },
      valueOf: ({ drivenM }) => drivenM,
      cell: ({ drivenM }) => toWholeMiles(drivenM),
      total: toWholeMiles(sum('drivenM')),
    },
    {
      ...{ id: 'gapMiles', label: 'Gap miles', kind: 'number', widthPx: [104, 82] },
      valueOf: ({ bridgedM }) => bridgedM,
      cell: ({ bridgedM }) => (bridgedM < METERS_PER_MILE / 2 ? <None /> : toWholeMiles(bridgedM)),
      total: toWholeMiles(sum('bridgedM')),
    },
  ];
};

export const ActivityReport = ({ range, onFile }: Pick<AnswerProps, 'range' | 'onFile'>) => (
  <Report
    range={range}
    onFile={onFile}
    name="activity"
    note={NOTE}
    toCsv={(days) => toActivityCsv(days, range.zone)}
  >
    {(days) => (
      <ReportTable
        label="Activity of each truck and day"
        columns={toColumns(days, range)}
        rows={days}
        keyOf={({ key, day }) => `${key} ${day}`}
        firstBy="name"
        className={styles.activity}
      />
    )}
  </Report>
);
