import { UnstyledButton } from '@mantine/core';
import { countRosterStates } from '@/lib/roster/roster';
import type { RosterLine, RosterState } from '@/lib/roster/roster';
import styles from './state-filter.module.css';

const STATES: readonly { state: RosterState | null; words: string; meaning: string }[] = [
  { state: null, words: 'All', meaning: 'every VIN of the roster, and units that are not on it' },
  { state: 'active', words: 'Active', meaning: 'on the roster and in the provider’s list of active units' },
  { state: 'silent', words: 'Silent', meaning: 'on the roster, but not in the list of active units' },
  { state: 'unrostered', words: 'Not on roster', meaning: 'reports, but its VIN is not on the roster' },
];

interface StateFilterProps {
  /** Null while they are not known. */
  lines: readonly RosterLine[] | null;
  /** Null: all. */
  state: RosterState | null;
  onState: (state: RosterState | null) => void;
}

/** Which vehicles of the roster are listed, with how many there are of each. */
export const StateFilter = ({ lines, state, onState }: StateFilterProps) => {
  const counts = lines && countRosterStates(lines);
  const countOf = (of: RosterState | null): string =>
    counts === null || lines === null
      ? '–'
      : (of === null ? lines.length : counts[of]).toLocaleString('en-US');
  return (
    <div role="group" aria-label="Vehicles to list" className={styles.states}>
      {STATES.map(({ state: each, words, meaning }) => (
        <UnstyledButton
          key={words}
          className={styles.state}
          aria-pressed={state === each}
          title={meaning}
          onClick={() => onState(each)}
        >
          {words} <b>{countOf(each)}</b>
        </UnstyledButton>
      ))}
    </div>
  );
};
