import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useReading } from '@/components/fleet-state/fleet-context';
import { usePast } from '@/components/fleet-state/past';
import { formatExactTime, formatMinute } from '@/lib/view/format';
import { toDay, type CoverageGap } from '@/lib/view/past-day';
import { notRecordedText } from './past-text';
import styles from './time-bar.module.css';

/** The first poll after a gap may come this much later. */
const LATER_MS = 60_000;

interface MessageProps {
  clockMs: number;
  gaps: readonly CoverageGap[];
  hoursError: string | null;
  onChoose: (atMs: number) => void;
}

/** Why the moment is not shown, and what to do. */
export const PastMessage = ({ clockMs, gaps, hoursError, onChoose }: MessageProps) => {
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
  return (
    <Line
      action={
        isOver
          ? { text: `Go to ${formatMinute(gap.toMs)}`, onPress: () => onChoose(gap.toMs + LATER_MS) }
          : undefined
      }
    >
      {notRecordedText(atMs, gap, clockMs)}
    </Line>
  );
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
