'use client';

import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useReading, useUsdot, useView, useViewActions } from '@/components/screen/fleet-context';
import { useHoldReload } from '@/components/screen/newer-build';
import { Notices } from '@/components/screen/notices';
import { useRoster } from '@/lib/queries/roster';
import { clockWords } from '@/lib/view/clock';
import { countWords } from '@/lib/view/numbers';
import { countRosterStates, matchRosterLines, sortRosterLines, toRosterLines } from '@/lib/view/roster';
import type { RosterOrder, RosterState } from '@/lib/view/roster';
import { toRosterCsv } from '@/lib/view/roster-csv';
import styles from './roster-page.module.css';
import { RosterTable } from './roster-table';

const STATES: readonly { state: RosterState | null; words: string; meaning: string }[] = [
  { state: null, words: 'All', meaning: 'every VIN of the roster, and units that are not on it' },
  { state: 'active', words: 'Active', meaning: 'on the roster and in the provider’s list of active units' },
  { state: 'silent', words: 'Silent', meaning: 'on the roster, but not in the list of active units' },
  { state: 'unrostered', words: 'Not on roster', meaning: 'reports, but its VIN is not on the roster' },
];

const FIRST_ORDER: RosterOrder = { by: 'state', isDescending: false };

/** Every VIN that belongs to the fleet's USDOT number, active or silent, and units that are not on its roster. */
export const RosterPage = () => {
  const usdot = useUsdot();
  const { fleet, skewMs } = useReading();
  const { data: roster, error: lastError, failureReason, isFetching, refetch } = useRoster(usdot);
  // What failed is told at once, also while it is tried again.
  const error = lastError ?? failureReason;
  const [state, setState] = useState<RosterState | null>(null);
  const { query } = useView();
  const { search } = useViewActions();
  const [order, setOrder] = useState<RosterOrder>(FIRST_ORDER);
  // The address of this page holds none of these.
  useHoldReload(state !== null || order !== FIRST_ORDER || query !== '');

  const lines = useMemo(() => (roster && fleet ? toRosterLines(roster.vins, fleet) : null), [roster, fleet]);
  const shown = useMemo(() => {
    if (lines === null || fleet === null) return null;
    const ofState = state === null ? lines : lines.filter((line) => line.state === state);
    return sortRosterLines(fleet, matchRosterLines(fleet, ofState, query), order);
  }, [lines, fleet, state, query, order]);

  const counts = lines && countRosterStates(lines);
  const countOf = (of: RosterState | null): string =>
    counts === null || lines === null
      ? '–'
      : (of === null ? lines.length : counts[of]).toLocaleString('en-US');

  const saveCsv = () => {
    if (fleet === null || shown === null) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(
      new Blob([toRosterCsv(fleet, shown)], { type: 'text/csv;charset=utf-8' }),
    );
    link.download = `roster-${usdot}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };

  return (
    <div className={styles.page}>
      <div className={styles.notices}>
        <Notices />
      </div>
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>Roster</h1>
          <p className={styles.about}>
            {roster
              ? `${countWords(roster.vins.length, 'VIN')} of USDOT ${usdot}, asked at ${clockWords(roster.fetchedAtMs - skewMs)}`
              : `The VINs of USDOT ${usdot}`}
          </p>
        </div>
        <Button
          className={styles.save}
          aria-label="Save as CSV"
          variant="default"
          leftSection={<IconDownload size={17} stroke={1.75} />}
          disabled={shown === null || shown.length === 0}
          onClick={saveCsv}
        >
          <span className={styles.saveAs}>Save as&nbsp;</span>CSV
        </Button>
      </header>
      <div className={styles.tools}>
        <div role="group" aria-label="Vehicles to list" className={styles.states}>
          {STATES.map(({ state: each, words, meaning }) => (
            <UnstyledButton
              key={words}
              className={styles.state}
              aria-pressed={state === each}
              title={meaning}
              onClick={() => setState(each)}
            >
              {words} <b>{countOf(each)}</b>
            </UnstyledButton>
          ))}
        </div>
      </div>
      {error && !roster ? (
        <div className={styles.told} role="alert">
          <b>The roster could not be read.</b>
          <p>{error.message}</p>
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : shown === null || fleet === null ? (
        <div className={styles.reading} aria-busy="true">
          <p className="lh-unseen" role="status">
            The roster is being read…
          </p>
          {Array.from({ length: 12 }, (_, line) => (
            <Skeleton key={line} height={13} width={`${94 - ((line * 23) % 40)}%`} />
          ))}
        </div>
      ) : shown.length === 0 ? (
        <div className={styles.told} role="status">
          <b>{lines?.length === 0 ? 'The provider’s roster is empty.' : 'No vehicle matches.'}</b>
          {lines?.length === 0 ? null : (
            <Button
              variant="default"
              onClick={() => {
                search('');
                setState(null);
              }}
            >
              Show all
            </Button>
          )}
        </div>
      ) : (
        <RosterTable fleet={fleet} lines={shown} skewMs={skewMs} order={order} onOrder={setOrder} />
      )}
    </div>
  );
};
