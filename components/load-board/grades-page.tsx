'use client';

import { useQuery } from '@tanstack/react-query';
import { useMounted } from '@mantine/hooks';
import { Link } from '@/components/ui/link';
import { Notices } from '@/components/fleet-shell/notices';
import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { Answered, FullPage, LoadingLines, Message, PageHead, Segments } from '@/components/kit/full-page';
import { Table, type Column } from '@/components/kit/table';
import { toQuery, useAddress } from '@/components/ui/use-address';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import {
  GRADED_DAYS,
  readGrades,
  type FleetGrades,
  type LeadGrades,
  type MissedWindow,
} from '@/lib/loads/grades';
import { loadsKey } from '@/lib/loads/queries';
import { stopMoment } from '@/lib/loads/text';
import { formatCount, formatDuration } from '@/lib/view/format';
import styles from './board.module.css';
import { useTruckName } from '@/components/fleet-state/use-trucks';

type Days = (typeof GRADED_DAYS)[number];
const USUAL_DAYS: Days = 30;

/** With fewer arrivals chance alone moves the share by over seven points. */
const FEW = 30;

const leadText = (leadMs: number): string =>
  leadMs < HOUR_MS ? `${leadMs / MINUTE_MS} min` : `${leadMs / HOUR_MS} h`;

/** A share with how far chance alone moves it. */
const shareText = ({ held, arrivals }: LeadGrades): string => {
  if (arrivals < FEW) return 'Too few to tell';
  const percent = Math.round((100 * held) / arrivals);
  return `${percent}% ± ${Math.ceil(100 * Math.sqrt(0.16 / arrivals))}`;
};

const LEAD_COLUMNS: readonly Column<LeadGrades>[] = [
  { label: 'Shown before arrival', name: ({ leadMs }) => leadText(leadMs) },
  { label: 'Held', kind: 'number', cell: shareText },
  { label: 'Arrivals', kind: 'number', cell: ({ arrivals }) => arrivals },
  { label: 'Came before it', kind: 'number', cell: ({ early }) => early },
  { label: 'Came after it', kind: 'number', cell: ({ late }) => late },
  { label: 'Half were at most this wide', kind: 'number', cell: ({ widthMs }) => formatDuration(widthMs) },
];

const toWorstColumns = (
  usdot: string,
  nowMs: number,
  nameOf: (unit: string) => string,
): Column<MissedWindow>[] => {
  const timeOf = (ms: number, { timeZone }: MissedWindow): string => stopMoment(ms, nowMs, timeZone);
  return [
    {
      label: 'Load',
      cell: ({ loadId, reference }) => <Link href={`/fleets/${usdot}/loads/${loadId}`}>{reference}</Link>,
    },
    { label: 'Truck', cell: ({ unit }) => nameOf(unit) },
    { label: 'Stop', cell: ({ stop }) => stop },
    { label: 'Shown before arrival', kind: 'number', cell: ({ leadMs }) => leadText(leadMs) },
    { label: 'Window', cell: (row) => `${timeOf(row.fromMs, row)} – ${timeOf(row.toMs, row)}` },
    { label: 'Arrived', cell: (row) => timeOf(row.arrivedMs, row) },
    {
      label: 'Missed by',
      kind: 'number',
      cell: ({ missedMs }) => `${formatDuration(Math.abs(missedMs))} ${missedMs < 0 ? 'early' : 'late'}`,
    },
  ];
};

const useDays = () =>
  useAddress<{ days: Days }>({
    parse: (search) => ({
      days: GRADED_DAYS.find((days) => String(days) === search.get('days')) ?? USUAL_DAYS,
    }),
    toSearch: ({ days }) => toQuery({ days: days === USUAL_DAYS ? null : String(days) }),
  });

/** How well the arrival windows of a fleet's loads held. */
export const GradesPage = () => {
  // Times and the address are the browser's.
  const isMounted = useMounted();
  return (
    <FullPage notices={<Notices />} isScrolled>
      {isMounted ? <Grades /> : <PageHead title="Arrival grades" />}
    </FullPage>
  );
};

const Grades = () => {
  const usdot = useUsdot();
  const [{ days }, show] = useDays();
  const query = useQuery({
    queryKey: [...loadsKey(usdot), 'grades', days],
    queryFn: ({ signal }) => readGrades(usdot, days, signal),
  });
  return (
    <>
      <PageHead
        back={<Link href={`/fleets/${usdot}/loads`}>Loads</Link>}
        title="Arrival grades"
        about={<p>Each window is to hold 8 of 10 arrivals: 78 to 82%.</p>}
      >
        <Segments
          label="Days"
          segments={GRADED_DAYS.map((each) => ({
            label: `${each} days`,
            isChosen: each === days,
            onChoose: () => show({ days: each }),
          }))}
        />
      </PageHead>
      <Answered query={query} failure="The grades could not be loaded." loading={<LoadingLines />}>
        {(grades) => <GradeTables grades={grades} days={days} />}
      </Answered>
    </>
  );
};

const GradeTables = ({ grades: { leads, worst }, days }: { grades: FleetGrades; days: Days }) => {
  const usdot = useUsdot();
  const nowMs = Math.floor(useServerNowMs() / MINUTE_MS) * MINUTE_MS;
  const nameOf = useTruckName();
  if (leads.length === 0)
    return (
      <Message title={`No arrival was graded in the last ${days} days.`}>
        <p>A window is graded once its truck has arrived at a stop of a load.</p>
      </Message>
    );
  return (
    <div className={styles.grades}>
      <Table
        label="How often windows held"
        columns={LEAD_COLUMNS}
        rows={leads}
        keyOf={({ leadMs }) => leadMs}
      />
      <p>
        With fewer than {FEW} arrivals the share says nothing. Windows are corrected by these grades: they get
        wider after misses, and narrower while they hold.
      </p>
      <h2>Worst cases</h2>
      <p>{formatCount(worst.length, 'window')} that missed by the most.</p>
      <Table
        label="Worst cases"
        columns={toWorstColumns(usdot, nowMs, nameOf)}
        rows={worst}
        keyOf={({ loadId, position, leadMs }) => `${loadId} ${position} ${leadMs}`}
        empty="Every window held."
      />
    </div>
  );
};
