'use client';

import { Box, Button, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useReading, useUsdot, useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { useSiteNames } from '@/components/fleet-state/sites';
import { useHoldReload } from '@/components/fleet-state/newer-build';
import { Notices } from '@/components/fleet-shell/notices';
import { saveCsv } from '@/components/ui/save-file';
import { useClockMs } from '@/components/ui/use-now';
import { useRoster } from '@/lib/roster/queries';
import { formatClock, formatCount, formatWhole } from '@/lib/view/format';
import {
  countRosterStates,
  matchRosterLines,
  sortRosterLines,
  toRosterCsv,
  toRosterLines,
  type RosterLine,
  type RosterOrder,
  type RosterState,
} from '@/lib/roster/roster';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './roster-page.module.css';
import { RosterTable } from './roster-table';

const FIRST_ORDER: RosterOrder = { by: 'state', isDescending: false };

const STATES: readonly { state: RosterState | null; label: string; meaning: string }[] = [
  { state: null, label: 'All', meaning: 'every VIN of the roster, and trucks that are not on it' },
  { state: 'active', label: 'Active', meaning: 'on the roster and in the provider’s list of active trucks' },
  { state: 'silent', label: 'Silent', meaning: 'on the roster, but not in the list of active trucks' },
  { state: 'unrostered', label: 'Not on roster', meaning: 'reports, but its VIN is not on the roster' },
];

/** The lines of the roster in the chosen state, search and order. */
const useLines = (fleet: Fleet | null, vins: readonly string[] | undefined) => {
  const [state, setState] = useState<RosterState | null>(null);
  const [order, setOrder] = useState<RosterOrder>(FIRST_ORDER);
  const { query } = useView();
  const siteNames = useSiteNames();
  const { search } = useViewActions();
  // The address of this page holds none of these.
  useHoldReload(state !== null || order !== FIRST_ORDER || query !== '');
  const lines = useMemo(() => (vins && fleet ? toRosterLines(vins, fleet) : null), [vins, fleet]);
  const shown = useMemo(() => {
    if (lines === null || fleet === null) return null;
    const ofState = state === null ? lines : lines.filter((line) => line.state === state);
    return sortRosterLines(fleet, matchRosterLines(fleet, ofState, query, siteNames), order);
  }, [lines, fleet, state, query, order, siteNames]);
  const showAll = (): void => {
    search('');
    setState(null);
  };
  return { lines, shown, state, setState, order, setOrder, showAll };
};

/** Every VIN that belongs to the fleet's USDOT number, active or silent, and units that are not on its roster. */
export const RosterPage = () => {
  const usdot = useUsdot();
  const { fleet, skewMs } = useReading();
  const { data: roster, error: lastError, failureReason, isFetching, refetch } = useRoster(usdot);
  // A failure is shown at once, also during the retries.
  const error = lastError ?? failureReason;
  // The table is rendered in slices, after the page that says what it will be.
  const vins = useDeferredValue(roster?.vins);
  const { lines, shown, state, setState, order, setOrder, showAll } = useLines(fleet, vins);

  return (
    <div className={styles.page}>
      <div className={styles.notices}>
        <Notices />
      </div>
      <header className={styles.head}>
        <div>
          <Box component="h1" fz={20} fw={700} lts="-0.01em" lh="28px">
            Roster
          </Box>
          <Box component="p" c="var(--lh-dim)">
            {roster ? formatCount(roster.vins.length, 'VIN') : 'The VINs'} of USDOT {usdot},{' '}
            {/* As many lines before the answer as after it. */}
            <br className={styles.short} />
            as of {roster ? <ReadAt atMs={roster.fetchedAtMs - skewMs} /> : '…'}
          </Box>
        </div>
        <Button
          flex="none"
          aria-label="Save as CSV"
          variant="default"
          leftSection={<IconDownload size={17} stroke={1.75} />}
          disabled={shown === null || shown.length === 0}
          onClick={() => {
            if (fleet !== null && shown !== null) saveCsv(`roster-${usdot}.csv`, toRosterCsv(fleet, shown));
          }}
        >
          <span className={styles.long}>Save as CSV</span>
          <span className={styles.short}>CSV</span>
        </Button>
      </header>
      <div className={styles.tools}>
        <StateFilter lines={lines} state={state} onState={setState} />
      </div>
      {error && !roster ? (
        <div className={styles.message} role="alert">
          <b>The roster could not be loaded.</b>
          <p>{error.message}</p>
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : shown === null || fleet === null ? (
        <Loading />
      ) : shown.length === 0 ? (
        <NoLines isRosterEmpty={lines?.length === 0} onShowAll={showAll} />
      ) : (
        <RosterTable fleet={fleet} lines={shown} skewMs={skewMs} order={order} onOrder={setOrder} />
      )}
    </div>
  );
};

const ReadAt = ({ atMs }: { atMs: number }) => formatClock(atMs, useClockMs());

const NoLines = ({ isRosterEmpty, onShowAll }: { isRosterEmpty: boolean; onShowAll: () => void }) => (
  <div className={styles.message} role="status">
    <b>{isRosterEmpty ? 'The provider’s roster is empty.' : 'No vehicle matches.'}</b>
    {isRosterEmpty ? null : (
      <Button variant="default" onClick={onShowAll}>
        Show all
      </Button>
    )}
  </div>
);

const Loading = () => (
  <div className={styles.loading} aria-busy="true">
    <p className="visually-hidden" role="status">
      Loading the roster…
    </p>
    {Array.from({ length: 12 }, (_, line) => (
      <Skeleton key={line} height={13} width={`${94 - ((line * 23) % 40)}%`} />
    ))}
  </div>
);

interface StateFilterProps {
  /** Null while they are not known. */
  lines: readonly RosterLine[] | null;
  /** Null: all. */
  state: RosterState | null;
  onState: (state: RosterState | null) => void;
}

/** Which vehicles of the roster are listed, with how many there are of each. */
const StateFilter = ({ lines, state, onState }: StateFilterProps) => {
  const counts = lines && countRosterStates(lines);
  const countOf = (of: RosterState | null): string =>
    counts === null || lines === null ? '–' : formatWhole(of === null ? lines.length : counts[of]);
  return (
    <div role="group" aria-label="Vehicles to list" className={styles.states}>
      {STATES.map(({ state: each, label, meaning }) => (
        <BareButton
          key={label}
          className={styles.state}
          aria-pressed={state === each}
          title={meaning}
          onClick={() => onState(each)}
        >
          {label} <b>{countOf(each)}</b>
        </BareButton>
      ))}
    </div>
  );
};
