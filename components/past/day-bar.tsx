import { type CSSProperties, type KeyboardEvent, type PointerEvent, type Ref, useMemo } from 'react';
import { usePhone } from '@/components/layout/shell';
import { useClockMs } from '@/components/ui/use-now';
import type { RecordedHours, StatusCounts } from '@/lib/past/schema';
import { formatDayAndTime, formatHour } from '@/lib/view/format';
import { toHours, type LocalDay, type CoverageGap } from '@/lib/view/past-day';
import { STATUSES } from '@/lib/motion/status';
import { gapText } from './past-text';
import styles from './time-bar.module.css';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';

/** How far a key moves the moment. */
const KEY_STEPS: Record<string, number> = {
  ArrowRight: MINUTE_MS,
  ArrowLeft: -MINUTE_MS,
  ArrowUp: 10 * MINUTE_MS,
  ArrowDown: -10 * MINUTE_MS,
  PageUp: HOUR_MS,
  PageDown: -HOUR_MS,
};
const BAR_HEIGHT = 32;
/** The time between two counts of the bar. */
const STEP_MS = 10 * MINUTE_MS;
const MOVING = STATUSES.indexOf('moving');

interface DayBarProps {
  ref: Ref<HTMLDivElement>;
  day: LocalDay;
  atMs: number;
  /** Up to where the day is over. */
  untilMs: number;
  /** Null until it is loaded. */
  hours: RecordedHours | null;
  gaps: readonly CoverageGap[];
  isPlaying: boolean;
  onChoose: (atMs: number, isDragged?: boolean) => void;
  onMove: (byMs: number, isDragged: boolean) => void;
  onPlay: () => void;
}

const toShare = ({ fromMs, toMs }: LocalDay, ms: number): string =>
  `${(Math.min(Math.max((ms - fromMs) / (toMs - fromMs), 0), 1) * 100).toFixed(3)}%`;

const toHandlers = (props: DayBarProps) => {
  const { day, untilMs, onChoose, onMove, onPlay } = props;
  const { fromMs, toMs } = day;
  const toMoment = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(Math.max((clientX - left) / width, 0), 1);
    return Math.min(fromMs + share * (toMs - fromMs), untilMs);
  };
  return {
    onKeyDown: (event: KeyboardEvent): void => {
      const by = KEY_STEPS[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (by !== undefined) onMove(by, event.repeat);
      else if (event.key === 'Home') onChoose(fromMs);
      else if (event.key === 'End') onChoose(untilMs);
      else if (event.key === ' ') onPlay();
      else return;
      event.preventDefault();
    },
    onKeyUp: ({ key }: KeyboardEvent): void => {
      // Ends a key that was held.
      if (KEY_STEPS[key] !== undefined) onMove(0, false);
    },
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      event.currentTarget.setPointerCapture(event.pointerId);
      onChoose(toMoment(event), true);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) onChoose(toMoment(event), true);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>): void => onChoose(toMoment(event)),
  };
};

/** One day as a bar: how many units moved, what is not recorded, and the moment, which is dragged or moved by keys. */
export const DayBar = (props: DayBarProps) => {
  const { ref, day, atMs, untilMs, hours, gaps, isPlaying } = props;
  const { fromMs, toMs } = day;
  const labels = toHours(day, usePhone() ? 6 : 3);
  const clockMs = useClockMs();
  return (
    <>
      <div
        ref={ref}
        className={styles.day}
        role="slider"
        tabIndex={0}
        aria-label="Moment"
        aria-valuemin={fromMs}
        aria-valuemax={untilMs}
        aria-valuenow={Math.min(atMs, untilMs)}
        aria-valuetext={formatDayAndTime(atMs, clockMs)}
        {...toHandlers(props)}
      >
        {hours === null ? null : (
          <>
            <div className={styles.past} style={{ width: toShare(day, untilMs) }} />
            <Moving day={day} counts={hours.counts} />
          </>
        )}
        {gaps.map((gap) => (
          <div
            key={gap.fromMs}
            className={styles.gap}
            data-state={gap.state}
            title={gapText(gap)}
            style={{
              left: toShare(day, gap.fromMs),
              width: toShare({ fromMs: 0, toMs: toMs - fromMs }, gap.toMs - gap.fromMs),
            }}
          />
        ))}
        <div className={styles.thumb} data-playing={isPlaying} style={{ left: toShare(day, atMs) }} />
      </div>
      <div className={`lh-small ${styles.hours}`} aria-hidden="true">
        {labels.map((ms) => (
          <span key={ms} style={{ '--lh-at': toShare(day, ms) } as CSSProperties}>
            {formatHour(ms)}
          </span>
        ))}
      </div>
      <Legend gaps={gaps} />
    </>
  );
};

const Moving = ({ day: { fromMs, toMs }, counts }: { day: LocalDay; counts: readonly StatusCounts[] }) => {
  const path = useMemo(() => {
    const most = Math.max(1, ...counts.map((step) => step.counts[MOVING]!));
    const toBar = (step: StatusCounts): string => {
      const x = (step.fromMs - fromMs) / STEP_MS;
      const top = BAR_HEIGHT * (1 - step.counts[MOVING]! / most);
      return `M${x + 0.15} ${BAR_HEIGHT}V${top.toFixed(1)}h0.7V${BAR_HEIGHT}Z`;
    };
    return counts.map(toBar).join('');
  }, [counts, fromMs]);
  return (
    <svg
      className={styles.moving}
      viewBox={`0 0 ${(toMs - fromMs) / STEP_MS} ${BAR_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} fill="currentcolor" />
    </svg>
  );
};

/** What the patterns mean; for screen readers, each gap. */
const Legend = ({ gaps }: { gaps: readonly CoverageGap[] }) => {
  const isFailing = gaps.some(({ state }) => state === 'failing');
  const isMissing = gaps.some(({ state }) => state !== 'failing');
  return (
    <div className={`lh-small ${styles.legend}`}>
      <span aria-hidden="true">
        <i className={styles.sample} /> trucks moving
      </span>
      {isMissing ? <GapSample state="none">not recorded</GapSample> : null}
      {isFailing ? <GapSample state="failing">provider failed</GapSample> : null}
      <ul className="visually-hidden" aria-label="Not recorded">
        {gaps.map((gap) => (
          <li key={gap.fromMs}>{gapText(gap)}</li>
        ))}
      </ul>
    </div>
  );
};

const GapSample = ({ state, children }: { state: CoverageGap['state']; children: string }) => (
  <span aria-hidden="true">
    <i className={`${styles.sample} ${styles.gap}`} data-state={state} /> {children}
  </span>
);
