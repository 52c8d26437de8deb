'use client';

import { UnstyledButton } from '@mantine/core';
import type { FleetCounts } from '@/lib/view/filter';
import { shortCount } from '@/lib/view/numbers';
import { STATUS_WORDS } from '@/lib/view/text';
import { STATUSES } from '@/lib/wire/status';
import type { Status } from '@/lib/wire/status';
import styles from './counters.module.css';

/** From this many characters on a count would touch its neighbours at full size: "2,093", "64.8k". */
const LONG = 5;

interface CountersProps {
  /** Null before the first answer. */
  counts: FleetCounts | null;
  /** The moment of which an old copy tells, in words; null while the counts are of now. */
  asOf: string | null;
  statuses: readonly Status[];
  flagged: boolean;
  onToggleStatus: (status: Status) => void;
  onToggleFlagged: () => void;
}

/** How many units are in each status; pressed, a number shows those it counts. The statuses add up to the fleet. */
export const Counters = (props: CountersProps) => {
  const { counts, asOf, statuses, flagged, onToggleStatus, onToggleFlagged } = props;
  return (
    <div role="group" aria-label="Filter by status" className={styles.counters} data-old={asOf !== null}>
      {asOf === null ? null : <p className={styles.asOf}>As of {asOf}</p>}
      {STATUSES.map((status) => (
        <Counter
          key={status}
          name={status}
          words={STATUS_WORDS[status]}
          count={counts?.byStatus[status] ?? null}
          isPressed={statuses.includes(status)}
          onPress={() => onToggleStatus(status)}
        />
      ))}
      <Counter
        name="flag"
        words="Check"
        count={counts?.flagged ?? null}
        isPressed={flagged}
        onPress={onToggleFlagged}
      />
    </div>
  );
};

interface CounterProps {
  name: Status | 'flag';
  words: string;
  count: number | null;
  isPressed: boolean;
  onPress: () => void;
}

const Counter = ({ name, words, count, isPressed, onPress }: CounterProps) => (
  <UnstyledButton
    className={styles.counter}
    data-name={name}
    data-empty={!count}
    aria-pressed={isPressed}
    onClick={onPress}
  >
    <span
      className={styles.count}
      data-long={count !== null && shortCount(count).length >= LONG}
      title={count === null ? undefined : count.toLocaleString('en-US')}
    >
      {count === null ? '–' : shortCount(count)}
    </span>
    <span className={styles.words}>{words}</span>
  </UnstyledButton>
);
