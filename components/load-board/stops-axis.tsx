import type { CSSProperties, ReactNode } from 'react';
import { isGraded } from '@/lib/arrivals/grades';
import { VerdictSign } from '@/components/loads/verdict';
import { PhoneNumber } from '@/components/ui/phone-number';
import type { LaterStop } from '@/lib/arrivals/later-stops';
import { HOUR_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';
import { parsePhone } from '@/lib/identity/phone';
import type { Load, LoadInFull, LoadStop } from '@/lib/loads/load';
import {
  STOP_KIND_LABELS,
  appointmentText,
  arrivalText,
  departureText,
  freeTimeText,
  noWindowText,
  toBoardVerdict,
  verdictLabel,
  windowText,
} from '@/lib/loads/text';
import {
  formatDay,
  formatDistance,
  formatDuration,
  formatHour,
  formatMinute,
  formatMoment,
  formatZonedMoment,
} from '@/lib/view/format';
import type { BoardVerdict } from '@/lib/view/load-verdicts';
import { freeRangeOf } from '@/lib/arrivals/free-time';
import { hoursWithin } from '@/lib/trips/days';
import { StatementButton } from '@/components/statements/statement-button';
import styles from './load-page.module.css';

const QUARTER_MS = 15 * MINUTE_MS;

/** The times of a load that the axis shows, with room at both ends. */
const toAxis = (load: LoadInFull, nowMs: number): TimeRange => {
  const { stops, judged, window, later, endedMs } = load;
  const times = [
    ...stops.flatMap(({ appointment }) => (appointment ? [appointment.fromMs, appointment.toMs] : [])),
    ...judged.flatMap(({ visit }) => (visit ? [visit.arrivedMs, visit.leftMs ?? nowMs] : [])),
    ...[window, ...later.map((each) => each?.window)].flatMap((each) =>
      each ? [each.fromMs, each.toMs] : [],
    ),
    endedMs ?? nowMs,
  ];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const roomMs = Math.max(HOUR_MS / 2, (last - first) * 0.04);
  // The hours below are counted from its beginning.
  const fromMs = Math.floor((first - roomMs) / QUARTER_MS) * QUARTER_MS;
  return { fromMs, toMs: last + roomMs };
};

/** What the axis of a load shows, and the color of its window in words. */
const toLegend = (load: LoadInFull): (readonly [bar: string, text: string])[] => {
  const { stops, judged } = load;
  const late = WINDOW_NOTES[toBoardVerdict(load)];
  const lines = {
    appointment: stops.some(({ appointment }) => appointment !== null) && 'appointment',
    window:
      windowOf(load) !== null && `arrival window, holds 8 of 10${late === undefined ? '' : `: ${late}`}`,
    later: load.later.some((later) => later?.window != null) && 'about when it arrives at a later stop',
    stay: judged.some(({ visit }) => visit !== null) && 'at the stop',
    free: stops.some((stop, i) => freeRangeOf(stop, judged[i]?.visit ?? null) !== null) && 'free time',
    now: 'now',
  };
  return Object.entries(lines).filter((line): line is [string, string] => line[1] !== false);
};

const WINDOW_NOTES: Partial<Record<BoardVerdict, string>> = {
  late: 'late',
  atRisk: 'may be late',
  onTime: 'on time',
};

/** The window of the next stop, as long as its truck is not there. */
const windowOf = ({ next, judged, window }: Load): Load['window'] =>
  next === null || judged[next]?.visit ? null : window;

/** Where the text of an hour stands, which an end of the axis would cut: half of a day's text is 3 em wide. */
const placeHour = (share: number, isDay: boolean): CSSProperties => {
  const half = isDay ? '3em' : '1.7em';
  return { left: `clamp(${half}, ${share}%, 100% - ${half})` };
};

/** "Sun, Nov 29"; a phone has no room for the weekday. */
const DayMark = ({ day }: { day: string }) => (
  <>
    <span className={styles.long}>{day.slice(0, 5)}</span>
    {day.slice(5)}
  </>
);

const readZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The name of the viewer's zone: "CST". */
const zoneName = (atMs: number): string => formatZonedMoment(atMs, atMs, readZone()).split(' ').at(-1)!;

/** Whether the clock of a stop shows another time than the viewer's. */
const isElsewhere = ({ timeZone }: LoadStop, atMs: number): boolean =>
  formatMinute(atMs, timeZone) !== formatMinute(atMs);

/** A step of the hours below the axis: about eight of them. */
const toEveryHours = ({ fromMs, toMs }: TimeRange): number =>
  [1, 2, 3, 6, 12, 24].find((hours) => (toMs - fromMs) / (hours * HOUR_MS) <= 8) ?? 24;

/** The stops of a load on one time axis: appointments as outlines, windows and stays as bars. */
export const StopsAxis = ({ load, nowMs }: { load: LoadInFull; nowMs: number }) => {
  const axis = toAxis(load, nowMs);
  const shareOf = (atMs: number): number => (100 * (atMs - axis.fromMs)) / (axis.toMs - axis.fromMs);
  const place = ({ fromMs, toMs }: TimeRange): CSSProperties => ({
    left: `${shareOf(fromMs)}%`,
    width: `${Math.max(0.4, shareOf(toMs) - shareOf(fromMs))}%`,
  });
  const hours =
    axis.toMs - axis.fromMs > 14 * 24 * HOUR_MS
      ? []
      : hoursWithin(axis.fromMs, axis.toMs, readZone(), toEveryHours(axis));
  return (
    <section className={styles.axis} aria-label="Stops">
      <ol className="lh-list">
        {load.stops.map((stop, i) => (
          <li key={i} className={styles.stop} data-next={load.next === i || undefined}>
            <StopText load={load} stop={stop} i={i} nowMs={nowMs} />
            <Lane load={load} i={i} nowMs={nowMs} place={place}>
              <span className={styles.moment} style={{ left: `${shareOf(nowMs)}%` }} />
            </Lane>
          </li>
        ))}
      </ol>
      <div className={styles.stop} aria-hidden="true">
        <span />
        <div className={styles.hours}>
          {hours.map((atMs) => {
            const isDay = new Date(atMs).getHours() === 0;
            return (
              <span key={atMs} style={placeHour(shareOf(atMs), isDay)}>
                {isDay ? <DayMark day={formatDay(atMs, nowMs)} /> : formatHour(atMs)}
              </span>
            );
          })}
        </div>
      </div>
      <p className={`lh-note ${styles.legend}`}>
        {toLegend(load).map(([bar, text]) => (
          <span key={bar}>
            <span className={styles.key} data-bar={bar} data-verdict={toBoardVerdict(load)} /> {text}
          </span>
        ))}
        {load.stops.some((stop) => isElsewhere(stop, nowMs)) ? (
          <span>Hours of the axis are by your clock ({zoneName(nowMs)}).</span>
        ) : null}
      </p>
    </section>
  );
};

interface LaneProps {
  load: LoadInFull;
  i: number;
  nowMs: number;
  place: (range: TimeRange) => CSSProperties;
  children: ReactNode;
}

const Lane = ({ load, i, nowMs, place, children }: LaneProps) => {
  const stop = load.stops[i]!;
  const visit = load.judged[i]?.visit ?? null;
  const window = load.next === i ? windowOf(load) : null;
  const later = load.later[i] ?? null;
  const bar = (kind: string, range: TimeRange | null) =>
    range === null ? null : (
      <span
        className={styles.bar}
        data-bar={kind}
        data-verdict={later?.verdict ?? toBoardVerdict(load)}
        style={place(range)}
      />
    );
  return (
    <div className={styles.lane} aria-hidden="true">
      {bar('free', freeRangeOf(stop, visit))}
      {bar('appointment', stop.appointment)}
      {bar('window', window)}
      {bar('later', later?.window ?? null)}
      {bar(
        'stay',
        visit === null
          ? null
          : {
              fromMs: visit.arrivedAfterMs ?? visit.arrivedMs,
              toMs: visit.leftByMs ?? visit.leftMs ?? nowMs,
            },
      )}
      {children}
    </div>
  );
};

/** What is known of the arrival at a stop. */
const stayText = (load: LoadInFull, i: number, nowMs: number): string => {
  const { visit = null, isPassed = false } = load.judged[i] ?? {};
  const { timeZone } = load.stops[i]!;
  if (visit !== null) {
    const left = departureText(visit, nowMs, timeZone);
    return `Arrived ${arrivalText(visit, nowMs, timeZone)}${left === null ? ', there now' : `; left ${left}`}`;
  }
  if (isPassed) return 'No visit was seen here before the truck was at a later stop.';
  const later = load.later[i]?.window;
  if (later) return `Arrives about ${windowText(later, nowMs, timeZone)}, after the stop before`;
  if (load.next !== i) return load.endedMs === null ? 'After the stop before' : 'No visit was seen.';
  return load.window === null
    ? `No estimate: ${noWindowText(load)}`
    : `Arrives ${windowText(load.window, nowMs, timeZone)}`;
};

/** What the way left was found by. */
const WAY_TEXTS: Readonly<Record<NonNullable<Load['window']>['by'], string>> = {
  usual: 'as trucks drove here before',
  engine: 'by the routing engine',
  roads: 'over roads that this fleet drives',
  interstates: 'along interstates',
  line: 'by a straight line and a quarter',
};

/** What an arrival window stands on. */
const basisText = (window: NonNullable<Load['window']>, nowMs: number): string => {
  const { by, distM, fixAtMs, grades, restMs } = window;
  return [
    `${formatDistance(distM)} left, ${WAY_TEXTS[by]}`,
    restMs !== undefined &&
      `includes ${formatDuration(restMs)} of rest by the limits on driving hours, as no logbook is read`,
    `position of ${formatMoment(fixAtMs, nowMs)}`,
    isGraded(window) ? `corrected by ${grades} earlier windows` : 'not yet corrected by earlier windows',
  ]
    .filter(Boolean)
    .join(' · ');
};

/** A later stop without a window, or without an appointment, has nothing more to say. */
const isSaid = (later: LaterStop | null | undefined): later is LaterStop =>
  later?.verdict === 'late' || later?.verdict === 'atRisk' || later?.verdict === 'onTime';

interface StopTextProps {
  load: LoadInFull;
  stop: LoadStop;
  i: number;
  nowMs: number;
}

const StopText = ({ load, stop, i, nowMs }: StopTextProps) => {
  const visit = load.judged[i]?.visit ?? null;
  const window = load.next === i && visit === null ? load.window : null;
  const free = freeTimeText(stop, visit, nowMs);
  const later = load.later[i];
  return (
    <div className={styles.stopText}>
      <p>
        <span className="lh-dim">
          {i + 1} · {STOP_KIND_LABELS[stop.kind]}
        </span>{' '}
        <b>{stop.name}</b>
        {stop.siteId === null ? <span className="lh-problem"> Its site was removed.</span> : null}
      </p>
      {stop.address === '' ? null : <p className="lh-note">{stop.address}</p>}
      <p>
        <span className="lh-dim">Appointment</span> {appointmentText(stop, nowMs)}
        {free === null ? null : (
          <>
            {' '}
            <span className="lh-dim">· Free time</span> <span className="lh-nowrap">{free}</span>
          </>
        )}
      </p>
      <p className={styles.stay}>
        {stayText(load, i, nowMs)}
        {isSaid(later) ? (
          <VerdictSign verdict={later.verdict} label={verdictLabel(later.verdict, stop, false, nowMs)} />
        ) : null}
      </p>
      {window === null ? null : <p className="lh-note">{basisText(window, nowMs)}</p>}
      {visit === null || visit.leftMs === null || stop.siteId === null ? null : (
        <p>
          <StatementButton stay={{ loadId: load.id, position: i }} about={`the stay at ${stop.name}`} />
        </p>
      )}
      <StopContact stop={stop} />
    </div>
  );
};

const StopContact = ({ stop: { contactName, contactPhone } }: { stop: LoadStop }) => {
  if (contactName === '' && contactPhone === '') return null;
  const phone = parsePhone(contactPhone);
  return (
    <p className={styles.contact}>
      <span className="lh-dim">Contact</span> {contactName}{' '}
      {phone === null ? contactPhone : <PhoneNumber phone={phone} who={contactName || 'the contact'} />}
    </p>
  );
};
