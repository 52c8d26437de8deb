'use client';

import { Button, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useReading, useUsdot, useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { useHoldReload } from '@/components/fleet-state/newer-build';
import { Notices } from '@/components/fleet-shell/notices';
import { useRoster } from '@/lib/roster/queries';
import { clockWords } from '@/lib/view/clock';
import { countWords } from '@/lib/view/numbers';
import { matchRosterLines, sortRosterLines, toRosterLines } from '@/lib/roster/roster';
import type { RosterLine, RosterOrder, RosterState } from '@/lib/roster/roster';
import { toRosterCsv } from '@/lib/roster/roster-csv';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './roster-page.module.css';
import { RosterTable } from './roster-table';
import { StateFilter } from './state-filter';

const FIRST_ORDER: RosterOrder = { by: 'state', isDescending: false };

const saveCsv = (usdot: string, fleet: Fleet, lines: readonly RosterLine[]): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([toRosterCsv(fleet, lines)], { type: 'text/csv;charset=utf-8' }));
  link.download = `roster-${usdot}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
};

/** Every VIN that belongs to the fleet's USDOT number, active or silent, and units that are not on its roster. */
export const RosterPage = () => {
  const usdot = useUsdot();
  const { fleet, skewMs } = useReading();
  const { data: roster, error: lastError, failureReason, isFetching, refetch } = useRoster(usdot);
  // A failure is shown at once, also during the retries.
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
          onClick={() => {
            if (fleet !== null && shown !== null) saveCsv(usdot, fleet, shown);
          }}
        >
          <span className={styles.saveAs}>Save as&nbsp;</span>CSV
        </Button>
      </header>
      <div className={styles.tools}>
        <StateFilter lines={lines} state={state} onState={setState} />
      </div>
      {error && !roster ? (
        <div className={styles.message} role="alert">
          <b>The roster could not be read.</b>
          <p>{error.message}</p>
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : shown === null || fleet === null ? (
        <Reading />
      ) : shown.length === 0 ? (
        <div className={styles.message} role="status">
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

const Reading = () => (
  <div className={styles.reading} aria-busy="true">
    <p className="lh-unseen" role="status">
      The roster is being read…
    </p>
    {Array.from({ length: 12 }, (_, line) => (
      <Skeleton key={line} height={13} width={`${94 - ((line * 23) % 40)}%`} />
    ))}
  </div>
);
