import { memo, type HTMLAttributes, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { hoursWithin } from '@/lib/trips/days';
import type { Segment, SegmentKind } from '@/lib/trips/segments';
import { SEGMENT_LABELS, reasonText } from '@/lib/past/text';
import { findEntry, type Day } from '@/lib/trips/trips';
import { formatDuration, formatHour, formatMinute, formatMoment, formatZonedMoment } from '@/lib/view/format';
import { useShown, useShownText, type DayPlayer } from '@/components/trail/day-player';
import styles from './day.module.css';
import { HOUR_MS } from '@/lib/base/time';

const DAY_HOURS = 25;
/** For ranges up to so many hours: hours between the labels of the axis, and every which of them a phone has. */
const AXES = [
  { mostHours: DAY_HOURS, everyHours: 2, major: 3 },
  { mostHours: 2 * DAY_HOURS, everyHours: 6, major: 2 },
  { mostHours: Infinity, everyHours: 24, major: 3 },
];
const MOST_LABELS = 16;
const LEGEND: SegmentKind[] = ['moving', 'stopped', 'silent', 'notRecorded'];

/** A day that is shown, the time zone of its times, and what plays it. */
export interface ShownDay {
  day: Day;
  zone: string;
  player: DayPlayer;
}

/** Whether the clocks of two zones agree on a day. */
export const isSameClock = ({ fromMs, toMs }: Day, a: string, b: string): boolean =>
  [fromMs, toMs].every((atMs) => formatMoment(atMs, 0, a) === formatMoment(atMs, 0, b));

interface DayBarProps extends ShownDay {
  truckZone: string;
  /** The shown moment in words, for screen readers. */
  describe: (atMs: number) => string;
  /** The bars of other trucks on the same axis. */
  renderOthers: (pointer: HTMLAttributes<HTMLElement>) => ReactNode;
}

/** What the pointer does on a bar: it shows a moment, or goes there. */
const toPointer = ({ fromMs, toMs, endMs }: Day, player: DayPlayer): HTMLAttributes<HTMLElement> => {
  const toMoment = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const atMs = fromMs + ((clientX - left) / width) * (toMs - fromMs);
    return Math.min(endMs, Math.max(fromMs, atMs));
  };
  return {
    onPointerDown: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      player.seek(toMoment(event));
    },
    onPointerMove: (event) => {
      if (event.buttons === 0) player.peek(toMoment(event));
      else player.seek(toMoment(event));
    },
    onPointerLeave: () => player.peek(null),
  };
};

/** A range as a bar: height, hatching and dots tell its kinds apart, besides their colors. */
export const DayBar = ({ day, zone, truckZone, player, describe, renderOthers }: DayBarProps) => {
  const pointer = toPointer(day, player);
  return (
    <div className={styles.barFrame}>
      <Slider {...{ day, player, describe, pointer }}>
        <Segments day={day} zone={zone} />
        <Span day={day} player={player} />
        <Needle day={day} player={player}>
          <NeedleTime {...{ day, zone, truckZone, player }} />
        </Needle>
      </Slider>
      {renderOthers(pointer)}
      <Hours day={day} zone={zone} />
    </div>
  );
};

interface SliderProps extends Pick<DayBarProps, 'day' | 'player' | 'describe'> {
  pointer: HTMLAttributes<HTMLElement>;
  children: ReactNode;
}

/** The bar as a control of the shown moment; a moment that plays renders it again, and not what it contains. */
const Slider = ({ day, player, describe, pointer, children }: SliderProps) => {
  const { fromMs, toMs, endMs } = day;
  const shownMs = useShownText(player);

  // The arrow keys to the left and right, which step from fix to fix, work on the whole page.
  const onKeyDown = (event: KeyboardEvent): void => {
    const by: Partial<Record<string, number>> = {
      ArrowUp: HOUR_MS / 6,
      ArrowDown: -HOUR_MS / 6,
      PageUp: HOUR_MS,
      PageDown: -HOUR_MS,
      Home: -Infinity,
      End: Infinity,
    };
    const stepMs = by[event.key];
    if (stepMs === undefined) return;
    event.preventDefault();
    player.seek(Math.min(endMs, Math.max(fromMs, player.readAtMs() + stepMs)));
  };

  return (
    <div
      className={styles.bar}
      role="slider"
      tabIndex={0}
      aria-label="Moment of the day"
      aria-valuemin={Math.floor(fromMs / 1000)}
      aria-valuemax={Math.floor(toMs / 1000)}
      aria-valuenow={shownMs / 1000}
      aria-valuetext={describe(shownMs)}
      {...pointer}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
};

/** Whether a range is one day, so that times need no date. */
export const isOneDay = ({ fromMs, toMs }: Day): boolean => toMs - fromMs <= DAY_HOURS * HOUR_MS;

const toPercent = ({ fromMs, toMs }: Day, atMs: number): string =>
  `${(((atMs - fromMs) / (toMs - fromMs)) * 100).toFixed(4)}%`;

const segmentTitle = (segment: Segment, zone: string): string => {
  const { kind, fromMs, toMs } = segment;
  const label = kind === 'notRecorded' ? reasonText(segment.reason) : SEGMENT_LABELS[kind];
  return `${label} ${formatMinute(fromMs, zone)}–${formatMinute(toMs, zone)}, ${formatDuration(toMs - fromMs)}`;
};

export const Segments = memo(({ day, zone }: Pick<DayBarProps, 'day' | 'zone'>) => (
  <>
    {day.segments.map((segment) => (
      <span
        key={segment.fromMs}
        className={`lh-time ${styles.segment}`}
        data-kind={segment.kind}
        title={segmentTitle(segment, zone)}
        style={{
          left: toPercent(day, segment.fromMs),
          width: toPercent({ ...day, fromMs: 0, toMs: day.toMs - day.fromMs }, segment.toMs - segment.fromMs),
        }}
      />
    ))}
  </>
));
Segments.displayName = 'Segments';

/** The entry of the list that the shown moment is in. */
const Span = ({ day, player }: Pick<DayBarProps, 'day' | 'player'>) => {
  const index = useShown(player, (atMs) => findEntry(day, atMs));
  const entry = day.entries[index];
  if (entry === undefined) return null;
  return (
    <span
      className={styles.span}
      style={{ left: toPercent(day, entry.fromMs), right: `calc(100% - ${toPercent(day, entry.toMs)})` }}
    />
  );
};

interface NeedleProps extends Pick<DayBarProps, 'day' | 'player'> {
  children?: ReactNode;
}

export const Needle = ({ day, player, children }: NeedleProps) => {
  const atMs = useShown(player, (shownMs) => Math.round(shownMs));
  return (
    <span className={styles.needle} style={{ left: toPercent(day, atMs) }}>
      {children}
    </span>
  );
};

/** The shown moment by the clock of the viewer, and by the truck's where that differs. */
const NeedleTime = ({
  day,
  zone,
  truckZone,
  player,
}: Pick<DayBarProps, 'day' | 'zone' | 'truckZone' | 'player'>) => {
  const atMs = useShown(player, (shownMs) => Math.round(shownMs));
  return (
    <span className={styles.needleTime} style={{ '--lh-shift': toPercent(day, atMs) } as React.CSSProperties}>
      {isOneDay(day) ? formatMinute(atMs, zone) : formatMoment(atMs, 0, zone)}
      {isSameClock(day, zone, truckZone) ? null : ` · ${formatZonedMoment(atMs, atMs, truckZone)}`}
    </span>
  );
};

const Hours = memo(({ day, zone }: Pick<DayBarProps, 'day' | 'zone'>) => {
  const { fromMs, toMs } = day;
  const { everyHours, major } = AXES.find(({ mostHours }) => toMs - fromMs <= mostHours * HOUR_MS)!;
  const hours = hoursWithin(fromMs, toMs, zone, everyHours);
  const every = Math.ceil(hours.length / MOST_LABELS);
  const midnights = new Set(isOneDay(day) ? [] : hoursWithin(fromMs, toMs, zone, 24));
  const date = new Intl.DateTimeFormat('en-US', { timeZone: zone, month: 'short', day: 'numeric' });
  return (
    <div className={`lh-small ${styles.hours}`} aria-hidden="true">
      {hours.map((atMs, i) =>
        i % every > 0 ? null : (
          <span key={atMs} data-major={(i / every) % major === 0} style={{ left: toPercent(day, atMs) }}>
            {midnights.has(atMs) ? date.format(atMs) : formatHour(atMs, zone)}
          </span>
        ),
      )}
    </div>
  );
});
Hours.displayName = 'Hours';

/** What the kinds of the bar look like, and which clock it has. */
export const Legend = ({ children }: { children: ReactNode }) => (
  <ul className={`lh-small ${styles.legend}`} aria-label="Legend of the bar">
    {LEGEND.map((kind) => (
      <li key={kind}>
        <span className={styles.swatch}>
          <span className={`lh-time ${styles.segment}`} data-kind={kind} />
        </span>
        {SEGMENT_LABELS[kind]}
      </li>
    ))}
    <li>{children}</li>
  </ul>
);
