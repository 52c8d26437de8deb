import { useMemo } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useSearchText } from '@/components/fleet-state/search-text';
import { Choice } from '../choice';
import history from '../history.module.css';
import {
  NO_ANSWER,
  ReportTable,
  toPeriodColumns,
  useCsvFile,
  type AnswerProps,
  type ReportColumn,
} from '../report';
import { Answered, Message } from '@/components/kit/full-page';
import { Link } from '@/components/ui/link';
import {
  FACILITY_GROUPS,
  WEEKDAYS,
  arrivalsOf,
  toFacilitiesCsv,
  type Facilities,
  type FacilityGroup,
  type FacilityRow,
} from '@/lib/facilities/facilities';
import { useFacilities } from '@/lib/facilities/queries';
import {
  FACILITY_LABELS,
  besideFleetText,
  inTimeText,
  moneyText,
  ofArrivalsText,
  weekdaysText,
} from '@/lib/facilities/text';
import { PERIOD_LABELS, REPORT_PERIODS, type ReportPeriod } from '@/lib/reports/periods';
import { formatCount, formatDuration, formatWhole } from '@/lib/view/format';
import { toTextMatcher } from '@/lib/view/search';
import styles from './facilities.module.css';

const NOTES: Record<FacilityGroup, string> = {
  site: 'Stays last from the first fix inside to the last one, and count where fixes show both ends. Appointments are those of loads.',
  customer:
    'Stays of loads at their stops: from the first fix inside to the last one, where fixes show both ends.',
};

const Dim = ({ children }: { children: string }) => <span className="lh-dim">{children}</span>;
const None = () => <Dim>–</Dim>;

/** How long trucks were there on each weekday, as bars from Monday to Sunday. */
const Weekdays = ({ row }: { row: FacilityRow }) => {
  const mostMs = Math.max(1, ...row.weekdayMs);
  const text = weekdaysText(row);
  return (
    <span className={styles.week} role="img" aria-label={text} title={text}>
      {WEEKDAYS.map((day, i) => (
        <span key={day} style={{ height: `${(100 * row.weekdayMs[i]!) / mostMs}%` }} />
      ))}
    </span>
  );
};

const medianTitle = (stays: number): string => `The middle one of ${formatCount(stays, 'stay')}`;
const duration = (ms: number | null) => (ms === null ? <None /> : formatDuration(ms));

type Column = ReportColumn<FacilityRow>;

/** The facility, and the period where there are several. */
const toNameColumns = (
  rows: readonly FacilityRow[],
  { by, each, usdot }: { by: FacilityGroup; each: ReportPeriod; usdot: string },
): Column[] => [
  {
    ...{ id: 'name', label: FACILITY_LABELS[by] },
    valueOf: ({ name }) => name,
    cell: ({ key, name }) =>
      by === 'site' ? (
        <Link className="lh-link" prefetch={false} href={`/fleets/${usdot}/sites/${key}`}>
          {name}
        </Link>
      ) : (
        <b>{name}</b>
      ),
    total: `Fleet: ${formatCount(new Set(rows.map(({ key }) => key)).size, by)}`,
  },
  ...toPeriodColumns<FacilityRow>(each),
];

/** Stays, and how long they are beside those of the fleet in the same period. */
const toStayColumns = (all: readonly FacilityRow[], fleet: FacilityRow | null): Column[] => {
  const fleetOf = new Map(all.map((row) => [row.period, row]));
  return [
    {
      ...{ id: 'visits', label: 'Visits', kind: 'number', widthPx: [84, 58] },
      valueOf: ({ visits }) => visits,
      cell: ({ visits }) => formatWhole(visits),
      total: formatWhole(all.reduce((total, { visits }) => total + visits, 0)),
    },
    {
      ...{ id: 'median', label: 'Stay', kind: 'number', widthPx: [116, 84] },
      valueOf: ({ medianMs }) => medianMs,
      cell: ({ medianMs, stays }) => <span title={medianTitle(stays)}>{duration(medianMs)}</span>,
      total: fleet && <span title={medianTitle(fleet.stays)}>{duration(fleet.medianMs)}</span>,
    },
    {
      ...{ id: 'beside', label: 'vs. fleet', kind: 'number', widthPx: [104, 84], isWide: true },
      valueOf: (row) => (row.medianMs ?? 0) / (fleetOf.get(row.period)?.medianMs ?? Infinity),
      cell: (row) => besideFleetText(row, fleetOf.get(row.period)) ?? <None />,
    },
    {
      ...{ id: 'p90', label: '9 of 10 within', kind: 'number', widthPx: [132, 84], isWide: true },
      valueOf: ({ p90Ms }) => p90Ms,
      cell: ({ p90Ms }) => duration(p90Ms),
      total: fleet && duration(fleet.p90Ms),
    },
  ];
};

/** How often trucks came in time for appointments. */
const toArrivalColumns = (all: readonly FacilityRow[], fleet: FacilityRow | null): Column[] => [
  {
    ...{ id: 'inTime', label: 'On time', kind: 'number', widthPx: [116, 84] },
    valueOf: (row) => (arrivalsOf(row) === 0 ? null : row.inTime / arrivalsOf(row)),
    cell: (row) => <span title={ofArrivalsText(row)}>{inTimeText(row) ?? <None />}</span>,
    total: fleet && <span title={ofArrivalsText(fleet)}>{inTimeText(fleet) ?? '–'}</span>,
  },
  {
    ...{ id: 'arrivals', label: 'Arrivals', kind: 'number', widthPx: [92], isWide: 'desk' },
    valueOf: arrivalsOf,
    cell: (row) => formatWhole(arrivalsOf(row)),
    total: formatWhole(all.reduce((total, row) => total + arrivalsOf(row), 0)),
  },
];

/** What was billed for detention; none where there are no statements. */
const toBilledColumns = (all: readonly FacilityRow[]): Column[] =>
  all.every(({ billedCents }) => billedCents === null)
    ? []
    : [
        {
          ...{ id: 'billed', label: 'Billed', kind: 'number', widthPx: [116, 92], isWide: true },
          valueOf: ({ billedCents }) => billedCents,
          cell: ({ billedCents, statements }) => (
            <span title={formatCount(statements, 'statement')}>{moneyText(billedCents ?? 0)}</span>
          ),
          total: moneyText(all.reduce((total, { billedCents }) => total + (billedCents ?? 0), 0)),
        },
      ];

/** Columns of the facilities, with the figures of the fleet below them. */
const toColumns = (
  { rows, all }: Pick<Facilities, 'rows' | 'all'>,
  question: { by: FacilityGroup; each: ReportPeriod; usdot: string },
): Column[] => {
  // Several periods have no common median.
  const fleet = all.length === 1 ? all[0]! : null;
  return [
    ...toNameColumns(rows, question),
    ...toStayColumns(all, fleet),
    ...toArrivalColumns(all, fleet),
    ...toBilledColumns(all),
    {
      ...{ id: 'week', label: 'Mon–Sun', widthPx: [112, 84], isWide: true },
      valueOf: ({ weekdayMs }) => -weekdayMs.reduce((total, ms) => total + ms, 0),
      cell: (row) => <Weekdays row={row} />,
      total: fleet && <Weekdays row={fleet} />,
    },
  ];
};

/** Sites and customers by what was recorded of stays there. */
export const FacilityReport = ({
  range,
  figures: { facilitiesBy: by, each },
  onFigures,
  onFile,
}: Pick<AnswerProps, 'range' | 'figures' | 'onFigures' | 'onFile'>) => {
  const usdot = useUsdot();
  const query = useFacilities(usdot, { ...range, by, each });
  const [text] = useSearchText();
  const shown = useMemo(() => {
    const matches = toTextMatcher(text);
    return query.data?.rows.filter(({ name }) => matches([name]));
  }, [query.data, text]);
  useCsvFile(shown, onFile, (rows) => ({ name: 'facilities', toText: () => toFacilitiesCsv(rows, by) }));
  return (
    <>
      <div className={`lh-flex ${history.tools}`}>
        <Choice
          label="By"
          value={by}
          choices={FACILITY_GROUPS.map((value) => ({ value, label: FACILITY_LABELS[value] }))}
          onChoose={(value) => onFigures({ facilitiesBy: value as FacilityGroup })}
        />
        <Choice
          label="For"
          value={each}
          choices={REPORT_PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] }))}
          onChoose={(value) => onFigures({ each: value as ReportPeriod })}
        />
        <p>{NOTES[by]}</p>
      </div>
      <Answered query={query} failure={NO_ANSWER}>
        {({ all }) =>
          shown === undefined || shown.length === 0 ? (
            <Message title={text === '' ? 'No visits.' : `Nothing matches “${text.trim()}”.`}>
              <p>
                {by === 'site'
                  ? 'No truck came to a site on these days.'
                  : 'No truck came to a stop of a load on these days.'}
              </p>
            </Message>
          ) : (
            <ReportTable
              label={`Facilities by ${by}`}
              columns={toColumns({ rows: shown, all }, { by, each, usdot })}
              rows={shown}
              keyOf={({ key, period }) => `${period} ${key}`}
              firstBy="visits"
            />
          )
        }
      </Answered>
    </>
  );
};
