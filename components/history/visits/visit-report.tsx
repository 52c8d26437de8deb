import { Link } from '@/components/ui/link';
import { useMemo } from 'react';
import { toTextMatcher } from '@/lib/view/search';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useSearchText } from '@/components/fleet-state/search-text';
import { Answered, Message } from '@/components/kit/full-page';
import { formatCount, formatDuration, formatMoment, formatWhole } from '@/lib/view/format';
import {
  atLeastText,
  isAtLeast,
  stayedMs,
  sumStays,
  toVisitReportCsv,
  type ReportedVisit,
} from '@/lib/sites/visit-report';
import { dayOf } from '@/lib/trips/days';
import { useVisitReport } from '@/lib/sites/page-queries';
import { LEARNED_LATER } from '@/lib/sites/text';
import styles from '../history.module.css';
import {
  NO_ANSWER,
  NoTruck,
  ReportTable,
  TruckCount,
  UnitLink,
  useCsvFile,
  type AnswerProps,
  type ReportColumn,
} from '../report';
import type { HistoryRange } from '../use-history-address';

const NOTE =
  'Visits on these days, also those that began before or go on after them, between the first and the last fix at the site. Times are in your time zone.';

const Dim = ({ children }: { children: string }) => <span className="lh-dim">{children}</span>;

const toColumns = (
  rows: readonly ReportedVisit[],
  { zone, toMs }: HistoryRange,
  usdot: string,
): ReportColumn<ReportedVisit>[] => {
  const time = (id: 'arrivedMs' | 'leftMs', label: string): ReportColumn<ReportedVisit> => ({
    ...{ id, label, widthPx: [170, 132] },
    valueOf: (row) => row[id],
    cell: (row) => {
      if (row[id] === null) return <Dim>still there</Dim>;
      const at = formatMoment(row[id], toMs, zone);
      const isKnown = (id === 'arrivedMs' ? row.arrivedAfterMs : row.leftByMs) !== null;
      return isKnown ? at : `${id === 'arrivedMs' ? 'by' : 'after'} ${at}`;
    },
  });
  return [
    {
      ...{ id: 'name', label: 'Truck', widthPx: [150, 74] },
      valueOf: ({ name }) => name,
      cell: ({ unit, name, arrivedMs }) => (
        <UnitLink unit={{ key: unit, name }} day={dayOf(arrivedMs, zone)} />
      ),
      total: <TruckCount count={new Set(rows.map(({ unit }) => unit)).size} />,
    },
    {
      ...{ id: 'site', label: 'Site', widthPx: [360, 140] },
      valueOf: ({ siteName }) => siteName,
      cell: ({ siteId, siteName }) => (
        <Link className="lh-link" prefetch={false} href={`/fleets/${usdot}/sites/${siteId}`}>
          {siteName}
        </Link>
      ),
      total: formatCount(rows.length, 'visit'),
    },
    time('arrivedMs', 'Arrived'),
    time('leftMs', 'Left'),
    {
      ...{ id: 'stayed', label: 'Stayed', kind: 'number', widthPx: [110, 92] },
      valueOf: (row) => stayedMs(row),
      cell: (row) =>
        row.leftMs === null ? <Dim>–</Dim> : `${isAtLeast(row) ? '≥ ' : ''}${formatDuration(stayedMs(row)!)}`,
      total: formatDuration(sumStays(rows)),
    },
    {
      ...{ id: 'origin', label: 'Note', isWide: true },
      valueOf: ({ isLearnedLater }) => Number(isLearnedLater),
      cell: ({ isLearnedLater }) => (isLearnedLater ? <Dim>{LEARNED_LATER}</Dim> : null),
    },
  ];
};

/** The visits of trucks to the sites of the fleet. */
export const SiteVisitReport = ({ range, onFile }: Pick<AnswerProps, 'range' | 'onFile'>) => {
  const usdot = useUsdot();
  const query = useVisitReport(usdot, range, range);
  const [text, setText] = useSearchText();
  const all = query.data?.visits;
  const shown = useMemo(() => {
    const matches = toTextMatcher(text);
    return all?.filter(({ name, siteName }) => matches([name, siteName]));
  }, [all, text]);
  useCsvFile(shown, onFile, (visits) => ({
    name: 'site-visits',
    toText: () => toVisitReportCsv(visits, range.zone),
  }));
  if (all !== undefined && all.length > 0 && shown?.length === 0)
    return <NoTruck query={text} onClear={() => setText('')} />;
  return (
    <Answered query={query} failure={NO_ANSWER}>
      {({ visits, hasMore }) =>
        visits.length === 0 ? (
          <Message title="No visits.">
            <p>
              No truck was at a site on these days.{' '}
              <Link className="lh-link" href={`/fleets/${usdot}/sites`} prefetch={false}>
                Sites
              </Link>
            </p>
          </Message>
        ) : (
          <>
            <div className={`lh-flex ${styles.tools}`}>
              <p>
                {NOTE} {atLeastText(shown!)}
                {hasMore ? ` The first ${formatWhole(visits.length)} visits: choose fewer days.` : null}
              </p>
            </div>
            <ReportTable
              label="Visits to sites"
              columns={toColumns(shown!, range, usdot)}
              rows={shown!}
              keyOf={({ unit, siteId, arrivedMs }) => `${unit} ${siteId} ${arrivedMs}`}
              firstBy="arrivedMs"
              className={styles.visits}
            />
          </>
        )
      }
    </Answered>
  );
};
