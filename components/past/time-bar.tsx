import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconX,
} from '@tabler/icons-react';
import { useEffect, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react';
import {
  useReading,
  useUsdot,
  useViewActions,
  useViewStore,
  useViewWithCamera,
} from '@/components/fleet-state/fleet-context';
import { usePast } from '@/components/fleet-state/past';
import { useClockMs } from '@/components/ui/use-now';
import { usePastHours } from '@/lib/live/past/past-hours';
import { countFleet } from '@/lib/view/filter';
import { formatDay, formatExactTime, formatMinute } from '@/lib/view/format';
import {
  addDays,
  onDate,
  toDateText,
  toDay,
  toGaps,
  type CoverageGap,
  type LocalDay,
} from '@/lib/view/past-day';
import { PAST_SPEEDS, type PastSpeed } from '@/lib/view/view-state';
import type { Fleet } from '@/lib/wire/fleet';
import { DayBar } from './day-bar';
import { notRecordedText } from './past-text';
import styles from './time-bar.module.css';

/** The first poll after a gap may come this much later. */
const LATER_MS = 60_000;

/** The moments that the bar leads to; live until one is chosen. */
const useMoment = () => {
  const past = usePast();
  const store = useViewStore();
  const { showPast } = useViewActions();
  const { skewMs } = useReading();
  const browserMs = useClockMs();
  const clockMs = past?.player.readLatestMs() ?? browserMs + skewMs;
  const { past: chosen } = useViewWithCamera();
  const atMs = past?.state.atMs ?? chosen?.atMs ?? clockMs;
  const speed = past?.state.speed ?? chosen?.speed ?? 1;
  const choose = (toMs: number, isDragged = false): void => {
    const moment = { atMs: Math.floor(Math.min(toMs, clockMs) / 1000) * 1000, speed };
    if (store.read().past === null) return showPast(moment, 'step');
    if (past === null) return showPast(moment, 'quiet');
    if (isDragged) return past.player.drag(moment.atMs);
    // Another day is a step that "back" returns from.
    if (toDay(moment.atMs).fromMs !== toDay(past.state.atMs).fromMs) return showPast(moment, 'step');
    past.player.seek(moment.atMs);
  };
  /** The newest moment: the one that is rendered may be that before a key pressed just now. */
  const readAtMs = (): number => past?.player.read().atMs ?? store.read().past?.atMs ?? clockMs;
  const move = (byMs: number, isDragged: boolean): void => choose(readAtMs() + byMs, isDragged);
  return { past, isLive: chosen === null, atMs, speed, clockMs, choose, readAtMs, move };
};

/** What is recorded of a day, and the gaps in it. */
const useHours = ({ fromMs, toMs }: LocalDay, clockMs: number) => {
  const { skewMs } = useReading();
  const { data = null, error } = usePastHours(useUsdot(), fromMs, toMs, skewMs);
  const untilMs = Math.min(clockMs, toMs);
  const gaps = useMemo(
    () => (data === null ? [] : toGaps(data.coverage, { fromMs, toMs }, untilMs)),
    [data, fromMs, toMs, untilMs],
  );
  return { hours: data, gaps, error };
};

export const TimeBar = ({ onClose }: { onClose: () => void }) => {
  const { past, isLive, atMs, speed, clockMs, choose, readAtMs, move } = useMoment();
  const slider = useRef<HTMLDivElement>(null);
  const day = toDay(atMs);
  const { hours, gaps, error } = useHours(day, clockMs);
  useEffect(() => slider.current?.focus(), []);
  const isPlaying = past?.state.isPlaying ?? false;
  const play = (): void => (isPlaying ? past?.player.pause() : past?.player.play());

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };

  return (
    <section className={styles.bar} aria-label="Past" data-own-keys onKeyDown={onKeyDown}>
      <PastMessage clockMs={clockMs} gaps={gaps} hoursError={error?.message ?? null} onChoose={choose} />
      <div className={`lh-flex ${styles.controls}`}>
        <PlayButton isPlaying={isPlaying} isReady={past !== null} onPlay={play} />
        <NativeSelect
          aria-label="Speed"
          value={String(speed)}
          data={PAST_SPEEDS.map((each) => ({ value: String(each), label: `${each}×` }))}
          disabled={past === null}
          onChange={({ currentTarget: { value } }) => past?.player.setSpeed(Number(value) as PastSpeed)}
        />
        <DateField atMs={atMs} readAtMs={readAtMs} clockMs={clockMs} onChoose={choose} />
        <Time isLive={isLive} atMs={atMs} />
        <EndButton isLive={isLive} onClose={onClose} />
      </div>
      <DayBar
        ref={slider}
        day={day}
        atMs={atMs}
        untilMs={Math.min(clockMs, day.toMs)}
        hours={hours}
        gaps={gaps}
        isPlaying={isPlaying}
        onChoose={choose}
        onMove={move}
        onPlay={play}
      />
    </section>
  );
};

interface PlayButtonProps {
  isPlaying: boolean;
  isReady: boolean;
  onPlay: () => void;
}

const PlayButton = ({ isPlaying, isReady, onPlay }: PlayButtonProps) => {
  const Icon = isPlaying ? IconPlayerPauseFilled : IconPlayerPlayFilled;
  return (
    <ActionIcon
      size={36}
      variant="filled"
      aria-label={isPlaying ? 'Pause' : 'Play'}
      title={isReady ? 'Space on the bar' : 'Choose a moment on the bar first'}
      disabled={!isReady}
      onClick={onPlay}
    >
      <Icon size={16} aria-hidden="true" />
    </ActionIcon>
  );
};

const EndButton = ({ isLive, onClose }: { isLive: boolean; onClose: () => void }) => {
  const { showPast } = useViewActions();
  return isLive ? (
    <ActionIcon
      className={styles.back}
      variant="subtle"
      color="gray"
      size={36}
      aria-label="Close the time bar"
      onClick={onClose}
    >
      <IconX size={18} stroke={1.8} aria-hidden="true" />
    </ActionIcon>
  ) : (
    <Button className={styles.back} variant="outline" onClick={() => showPast(null, 'step')}>
      Back to live
    </Button>
  );
};

interface DateFieldProps {
  atMs: number;
  readAtMs: () => number;
  clockMs: number;
  onChoose: (atMs: number) => void;
}

const DateField = ({ atMs, readAtMs, clockMs, onChoose }: DateFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.date}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Day before"
        onClick={() => onChoose(addDays(readAtMs(), -1))}
      >
        <IconChevronLeft size={16} stroke={2} aria-hidden="true" />
      </ActionIcon>
      <Button variant="default" aria-haspopup="dialog" onClick={() => field.current?.showPicker()}>
        {formatDay(atMs, clockMs)}
      </Button>
      <input
        ref={field}
        type="date"
        className={styles.picker}
        aria-label="Day"
        tabIndex={-1}
        value={toDateText(atMs)}
        max={toDateText(clockMs)}
        onChange={({ currentTarget: { value } }) => {
          const chosenMs = onDate(atMs, value);
          if (chosenMs !== null) onChoose(chosenMs);
        }}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Day after"
        disabled={clockMs < toDay(atMs).toMs}
        onClick={() => onChoose(addDays(readAtMs(), 1))}
      >
        <IconChevronRight size={16} stroke={2} aria-hidden="true" />
      </ActionIcon>
    </div>
  );
};

const Time = ({ isLive, atMs }: { isLive: boolean; atMs: number }) => {
  const past = usePast();
  const { fleet, past: shown } = useReading();
  const isShown = shown !== null && (shown.atMs === atMs || past?.state.isLoading === false);
  return (
    <div className={styles.time}>
      <b>{formatExactTime(atMs, atMs)}</b>
      <span>{isLive ? 'Live. Choose a moment on the bar.' : isShown ? toCountText(fleet) : 'Loading…'}</span>
    </div>
  );
};

const toCountText = (fleet: Fleet | null): string => {
  if (fleet === null) return '';
  const { moving, stopped, silent } = countFleet(fleet).byStatus;
  return [`${moving} moving`, `${stopped} stopped`, `${silent} silent`].join(' · ');
};

interface PastMessageProps {
  clockMs: number;
  gaps: readonly CoverageGap[];
  hoursError: string | null;
  onChoose: (atMs: number) => void;
}

const PastMessage = ({ clockMs, gaps, hoursError, onChoose }: PastMessageProps) => {
  const past = usePast();
  const reading = useReading();
  const problem = past?.state.problem ?? null;
  if (problem === null) return hoursError === null ? null : <Line>{hoursError}</Line>;
  const { kind, atMs, message } = problem;
  if (kind === 'failed') {
    return (
      <Line action={{ text: 'Try again', onPress: () => past?.player.retry() }}>
        {formatExactTime(atMs, atMs)} could not be loaded: {message}
        {reading.fleet === null || reading.past === null
          ? ''
          : ` The map still shows ${formatExactTime(reading.past.atMs, atMs)}.`}
      </Line>
    );
  }
  const gap = gaps.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs) ?? null;
  const isOver = gap !== null && gap.toMs < toDay(atMs).toMs && gap.toMs < clockMs - LATER_MS;
  const action = isOver
    ? { text: `Go to ${formatMinute(gap.toMs)}`, onPress: () => onChoose(gap.toMs + LATER_MS) }
    : undefined;
  return <Line action={action}>{notRecordedText(atMs, gap, clockMs)}</Line>;
};

interface LineProps {
  children: ReactNode;
  action?: { text: string; onPress: () => void };
}

const Line = ({ children, action }: LineProps) => (
  <div className={styles.message} role="status">
    <p>{children}</p>
    {action === undefined ? null : (
      <Button size="compact-sm" variant="default" onClick={action.onPress}>
        {action.text}
      </Button>
    )}
  </div>
);
