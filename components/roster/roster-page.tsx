'use client';

import { IconButton } from '@/components/kit/page-frame';
import { Button } from '@mantine/core';
import { IconDownload, IconFileImport } from '@tabler/icons-react';
import { Suspense, useDeferredValue, useMemo, useState } from 'react';
import { useReading, useUsdot, useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { useSiteNames } from '@/components/fleet-state/sites';
import { useHoldReload } from '@/components/fleet-state/newer-build';
import { Notices } from '@/components/fleet-shell/notices';
import {
  Answered,
  FullPage,
  HeadActions,
  LoadingLines,
  Message,
  PageHead,
  Segments,
} from '@/components/kit/full-page';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { onDemand } from '@/components/ui/popup/on-demand';
import { saveCsv } from '@/components/ui/save-file';
import { useClockMs } from '@/components/ui/use-now';
import { useContactOf } from '@/lib/contacts/queries';
import { useRoster } from '@/lib/roster/queries';
import { formatClock, formatCount, formatWhole } from '@/lib/view/format';
import {
  countRosterStates,
  matchRosterLines,
  sortRosterLines,
  toRosterCsv,
  toRosterLines,
  type Roster,
  type RosterLine,
  type RosterOrder,
  type RosterState,
} from '@/lib/roster/roster';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './roster.module.css';
import { RosterTable } from './roster-table';

const contactImport = onDemand(() =>
  import('@/components/contacts/import-contacts').then(({ ImportContacts }) => ImportContacts),
);

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
  const contactOf = useContactOf(useUsdot());
  const { search } = useViewActions();
  // The address of this page holds neither.
  useHoldReload(state !== null || order !== FIRST_ORDER);
  const lines = useMemo(() => (vins && fleet ? toRosterLines(vins, fleet) : null), [vins, fleet]);
  const shown = useMemo(() => {
    if (lines === null || fleet === null) return null;
    const ofState = state === null ? lines : lines.filter((line) => line.state === state);
    return sortRosterLines(fleet, matchRosterLines(fleet, ofState, query, siteNames, contactOf), order);
  }, [lines, fleet, state, query, order, siteNames, contactOf]);
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
  const query = useRoster(usdot);
  const { data: roster } = query;
  // The table is rendered in slices, after the page that says what it will be.
  const vins = useDeferredValue(roster?.vins);
  const { lines, shown, state, setState, order, setOrder, showAll } = useLines(fleet, vins);

  return (
    <FullPage notices={<Notices />}>
      <PageHead
        title="Roster"
        about={
          <p>
            {roster ? formatCount(roster.vins.length, 'VIN') : 'The VINs'} of USDOT {usdot},{' '}
            {/* As many lines before the answer as after it. */}
            <br className={styles.short} />
            as of {roster ? <ReadAt atMs={roster.fetchedAtMs - skewMs} /> : '…'}
          </p>
        }
      >
        <Tools fleet={fleet} roster={roster} shown={shown} />
      </PageHead>
      <div className={styles.tools}>
        <StateFilter lines={lines} state={state} onState={setState} />
      </div>
      <Answered query={query} failure="The roster could not be loaded." loading={LOADING}>
        {() =>
          shown === null || fleet === null ? (
            LOADING
          ) : shown.length === 0 ? (
            <NoLines isRosterEmpty={lines?.length === 0} onShowAll={showAll} />
          ) : (
            <RosterTable fleet={fleet} lines={shown} skewMs={skewMs} order={order} onOrder={setOrder} />
          )
        }
      </Answered>
    </FullPage>
  );
};

interface ToolsProps {
  fleet: Fleet | null;
  roster: Roster | undefined;
  shown: readonly RosterLine[] | null;
}

/** What is done with the whole roster: contacts are imported, and what it shows is saved. */
const Tools = ({ fleet, roster, shown }: ToolsProps) => {
  const usdot = useUsdot();
  const contactOf = useContactOf(usdot);
  const [isImporting, setImporting] = useState(false);
  return (
    <HeadActions>
      {useSeesAllUnits() ? (
        <IconButton
          aria-label="Import contacts"
          Icon={IconFileImport}
          disabled={roster === undefined || fleet === null}
          onPointerEnter={contactImport.preload}
          onClick={() => setImporting(true)}
        >
          <span className={styles.long}>Import contacts</span>
          <span className={styles.short}>Contacts</span>
        </IconButton>
      ) : null}
      <IconButton
        aria-label="Save as CSV"
        Icon={IconDownload}
        disabled={shown === null || shown.length === 0}
        onClick={() => {
          if (fleet !== null && shown !== null)
            saveCsv(`roster-${usdot}.csv`, toRosterCsv(fleet, shown, contactOf));
        }}
      >
        <span className={styles.long}>Save as CSV</span>
        <span className={styles.short}>CSV</span>
      </IconButton>
      {isImporting && roster !== undefined ? (
        <Suspense>
          <contactImport.Part vins={roster.vins} onClose={() => setImporting(false)} />
        </Suspense>
      ) : null}
    </HeadActions>
  );
};

const LOADING = <LoadingLines label="Loading the roster…" />;

const ReadAt = ({ atMs }: { atMs: number }) => formatClock(atMs, useClockMs());

const NoLines = ({ isRosterEmpty, onShowAll }: { isRosterEmpty: boolean; onShowAll: () => void }) => (
  <Message title={isRosterEmpty ? 'The provider’s roster is empty.' : 'No truck matches.'}>
    {isRosterEmpty ? null : (
      <Button variant="default" onClick={onShowAll}>
        Show all
      </Button>
    )}
  </Message>
);

interface StateFilterProps {
  /** Null while they are not known. */
  lines: readonly RosterLine[] | null;
  /** Null: all. */
  state: RosterState | null;
  onState: (state: RosterState | null) => void;
}

const StateFilter = ({ lines, state, onState }: StateFilterProps) => {
  const counts = lines && countRosterStates(lines);
  const countOf = (of: RosterState | null): string =>
    counts === null || lines === null ? '–' : formatWhole(of === null ? lines.length : counts[of]);
  return (
    <Segments
      label="Trucks to list"
      segments={STATES.map(({ state: each, label, meaning }) => ({
        label,
        count: countOf(each),
        title: meaning,
        isChosen: state === each,
        onChoose: () => onState(each),
      }))}
    />
  );
};
