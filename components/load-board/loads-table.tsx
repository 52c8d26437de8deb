import { StatusGlyph } from '@/components/map/status-glyph';
import { IconPhone } from '@tabler/icons-react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { usePlaceOf } from '@/components/fleet-state/sites';
import { WindowTable, type Column } from '@/components/kit/table';
import { usePhone } from '@/components/layout/shell';
import { Link } from '@/components/ui/link';
import { UnitAge } from '@/components/list/unit-row';
import { PhoneNumber } from '@/components/ui/phone-number';
import { HOUR_MS, type TimeRange } from '@/lib/base/time';
import { toCallLink } from '@/lib/identity/phone';
import { useContactOf } from '@/lib/contacts/queries';
import { toCallable, whoText } from '@/lib/contacts/text';
import type { Load } from '@/lib/loads/load';
import {
  attentionText,
  nextStopOf,
  numbersText,
  stateLabel,
  stateText,
  truckOf,
  verdictDetail,
} from '@/lib/loads/text';
import { formatDistance } from '@/lib/view/format';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import { statusText } from '@/lib/view/text';
import { Arrival, LoadLink, NextAppointment } from '@/components/loads/arrival';
import { Attention, useIsStill } from '@/components/loads/attention';
import { LoadVerdict } from '@/components/loads/verdict';
import styles from './board.module.css';
import { unitOf, useTruckName } from '@/components/fleet-state/use-trucks';

const ROW_PX = 78;
const PHONE_ROW_PX = 144;

interface LoadsTableProps {
  loads: readonly Load[];
  nowMs: number;
}

const Line = ({ children, title }: { children: React.ReactNode; title?: string | undefined }) => (
  <span className={`lh-note lh-cut ${styles.second}`} title={title}>
    {children}
  </span>
);

/** The truck that has a load; its name leads to the map. */
export const LoadTruck = ({ load }: { load: Load }) => {
  const usdot = useUsdot();
  const key = truckOf(load);
  const unit = unitOf(useReading().fleet, key);
  const nameOf = useTruckName();
  if (key === null) return <span className="lh-dim">no truck</span>;
  return (
    <Link
      {...toMapLink(`/fleets/${usdot}${toViewSearch({ ...EVERYTHING, unit: key })}`)}
      className="lh-link lh-flex"
    >
      <StatusGlyph status={unit?.status ?? 'silent'} headingDeg={unit?.headingDeg ?? null} size={18} />
      <b>{nameOf(key)}</b>
    </Link>
  );
};

/** Nearer than this a truck is at the gate. */
const NEAR_M = 150;

const stopNumber = ({ next, stops }: Load): string => `${next! + 1} of ${stops.length}`;

/** The way left to the next stop; null where it is not known, or none is left. */
const distanceLeft = ({ window }: Load): string | null =>
  window === null || window.distM < NEAR_M ? null : `${formatDistance(window.distM)} left`;

const NextStop = ({ load }: { load: Load }) => {
  const stop = nextStopOf(load);
  if (stop === null) return <span className="lh-dim">–</span>;
  const rest = [stop.address, distanceLeft(load)].filter(Boolean).join(' · ');
  return (
    <>
      <span className="lh-cut" title={stop.name}>
        <span className="lh-dim">{stopNumber(load)}</span> {stop.name}
      </span>
      <Line title={rest}>{rest}</Line>
    </>
  );
};

/** The reference of a load, with its tags. */
const Reference = ({ load }: { load: Load }) => (
  <span className="lh-cut">
    <LoadLink load={load} /> <span className="lh-note">{load.tags.map((tag) => `#${tag}`).join(' ')}</span>
  </span>
);

const LOAD_COLUMN: Column<Load> = {
  label: 'Load',
  cell: (load) => (
    <>
      <Reference load={load} />
      <Line title={load.customer}>{load.customer}</Line>
      <Line title={numbersText(load)}>{numbersText(load)}</Line>
    </>
  ),
};

interface LoadAtProps {
  load: Load;
  nowMs: number;
}

interface JudgedProps extends LoadAtProps {
  isStill: boolean;
}

/** The verdict of a load, by how much, and what else needs someone. */
const Judged = ({ load, isStill, nowMs }: JudgedProps) => (
  <>
    <LoadVerdict load={load} nowMs={nowMs} />
    <Attention load={load} isStill={isStill} nowMs={nowMs} />
    <span className="lh-note lh-cut" title={verdictDetail(load, nowMs) ?? undefined}>
      {verdictDetail(load, nowMs)}
    </span>
  </>
);

/** When a load is to be at its next stop, and when it will be: as bars, of which the board shows one day, and in words. */
const Times = ({ load, nowMs }: LoadAtProps) =>
  nextStopOf(load) === null ? (
    <span className="lh-dim">–</span>
  ) : (
    <>
      <span className="lh-cut">
        <span className={`lh-dim ${styles.time}`}>Appt.</span> <NextAppointment load={load} nowMs={nowMs} />
      </span>
      <span className="lh-cut">
        <span className={`lh-dim ${styles.time}`}>Arrival</span> <Arrival load={load} nowMs={nowMs} />
      </span>
      <Bars load={load} nowMs={nowMs} />
    </>
  );

/** The hours that bars show before and after now. */
const [BEFORE_MS, AHEAD_MS] = [2 * HOUR_MS, 22 * HOUR_MS];

const Bars = ({ load, nowMs }: LoadAtProps) => {
  const stop = nextStopOf(load);
  if (stop === null) return null;
  const shareOf = (ms: number): number =>
    100 * Math.max(0, Math.min(1, (ms - nowMs + BEFORE_MS) / (BEFORE_MS + AHEAD_MS)));
  const bar = (kind: string, range: TimeRange | null) =>
    range === null || range.toMs < nowMs - BEFORE_MS || range.fromMs > nowMs + AHEAD_MS ? null : (
      <span
        className={styles.bar}
        data-bar={kind}
        data-verdict={load.verdict}
        style={{ left: `${shareOf(range.fromMs)}%`, right: `${100 - shareOf(range.toMs)}%` }}
      />
    );
  return (
    <span className={styles.bars} aria-hidden="true">
      {bar('appointment', stop.appointment)}
      {bar('window', load.state.startsWith('at') ? null : load.window)}
      {bar('now', { fromMs: nowMs, toMs: nowMs })}
    </span>
  );
};

/** What the truck of a load does, where it is, and how old that is. */
const TruckNow = ({ load, nowMs }: LoadAtProps) => {
  const { fleet, skewMs } = useReading();
  const placeOf = usePlaceOf();
  const isPhone = usePhone();
  const unit = unitOf(fleet, nextStopOf(load) === null ? null : truckOf(load));
  if (unit === null || unit.fixAtMs === null) return null;
  const does = statusText(unit, nowMs);
  const place = placeOf(unit) ?? '';
  const age = <UnitAge fixAtMs={unit.fixAtMs} skewMs={skewMs} />;
  if (isPhone)
    return (
      <span className={`lh-note ${styles.pair}`}>
        <span className="lh-cut">{[does, place].filter(Boolean).join(' · ')}</span>
        <span>{age}</span>
      </span>
    );
  return (
    <>
      <Line title={place}>{place}</Line>
      <Line title={does}>
        {does} · fix {age}
      </Line>
    </>
  );
};

/** The first person who can be called about the truck of a load; null: there is none. */
const useCaller = () => {
  const contactOf = useContactOf(useUsdot());
  return (load: Load) => toCallable(contactOf(truckOf(load) ?? ''))[0] ?? null;
};

const TruckAndDriver = ({ load }: { load: Load }) => {
  const contactOf = useContactOf(useUsdot());
  const person = useCaller()(load);
  return (
    <>
      <LoadTruck load={load} />
      <Line>{contactOf(truckOf(load) ?? '')?.driver}</Line>
      {person === null ? null : (
        <span className={styles.phone}>
          <PhoneNumber phone={person.phone} who={whoText(person)} />
        </span>
      )}
    </>
  );
};

const toDeskColumns = (nowMs: number, isStill: (load: Load) => boolean): Column<Load>[] => [
  LOAD_COLUMN,
  { label: 'Truck', widthPx: [144], cell: (load) => <TruckAndDriver load={load} /> },
  {
    label: 'Now',
    widthPx: [254],
    cell: (load) => (
      <>
        <span className="lh-cut" title={stateText(load, nowMs)}>
          {load.state.startsWith('to') ? stateLabel(load.state) : stateText(load, nowMs)}
        </span>
        <TruckNow load={load} nowMs={nowMs} />
      </>
    ),
  },
  { label: 'Next stop', cell: (load) => <NextStop load={load} /> },
  {
    label: 'Appointment and arrival, 8 of 10',
    widthPx: [270],
    cell: (load) => <Times load={load} nowMs={nowMs} />,
  },
  {
    label: 'Verdict',
    widthPx: [210],
    cell: (load) => <Judged load={load} isStill={isStill(load)} nowMs={nowMs} />,
  },
];

/** A load in one cell, whose times have the whole width of a phone. */
const LoadCard = ({ load, isStill, nowMs }: JudgedProps) => (
  <div className={styles.card}>
    <span className={styles.pair}>
      <Reference load={load} />
      <LoadVerdict load={load} nowMs={nowMs} />
    </span>
    <span className={styles.pair}>
      <LoadTruck load={load} />
      {attentionText(load, isStill, nowMs) === null ? (
        <span className="lh-note lh-cut">{verdictDetail(load, nowMs)}</span>
      ) : (
        <Attention load={load} isStill={isStill} nowMs={nowMs} />
      )}
    </span>
    <TruckNow load={load} nowMs={nowMs} />
    <Line>
      {[load.customer || numbersText(load), nextStopOf(load)?.name ?? stateText(load, nowMs)]
        .filter(Boolean)
        .join(' · ')}
    </Line>
    {nextStopOf(load) === null ? null : (
      <>
        <span className="lh-cut">
          <span className="lh-dim">Arrival</span> <Arrival load={load} nowMs={nowMs} />
        </span>
        <span className={styles.pair}>
          <span className="lh-cut">
            <span className="lh-dim">Appt.</span> <NextAppointment load={load} nowMs={nowMs} />
          </span>
          <Call load={load} />
        </span>
      </>
    )}
  </div>
);

/** A link that calls about the truck of a load; renders nothing without a number. */
const Call = ({ load }: { load: Load }) => {
  const person = useCaller()(load);
  return person === null ? null : (
    <a className={styles.call} href={toCallLink(person.phone)} aria-label={`Call ${whoText(person)}`}>
      <IconPhone size={20} stroke={1.75} aria-hidden="true" />
    </a>
  );
};

const toPhoneColumns = (nowMs: number, isStill: (load: Load) => boolean): Column<Load>[] => [
  {
    label: 'Load, next stop and arrival',
    cell: (load) => <LoadCard load={load} isStill={isStill(load)} nowMs={nowMs} />,
  },
];

export const LoadsTable = ({ loads, nowMs }: LoadsTableProps) => {
  const isPhone = usePhone();
  const toColumns = isPhone ? toPhoneColumns : toDeskColumns;
  return (
    <WindowTable
      label="Loads"
      className={styles.table}
      columns={toColumns(nowMs, useIsStill())}
      rows={loads}
      keyOf={({ id }) => id}
      rowPx={isPhone ? PHONE_ROW_PX : ROW_PX}
    />
  );
};
