'use client';

import { useMemo } from 'react';
import { useReading, useUsdot, useView, useViewActions } from '@/components/screen/fleet-context';
import type { FleetRows } from '@/components/screen/use-fleet-rows';
import { useFreshness } from '@/components/screen/use-freshness';
import { useRefreshLiveFleet } from '@/lib/queries/live';
import { countFleet } from '@/lib/view/filter';
import type { UnitRow } from '@/lib/view/unit-row';
import type { Fleet } from '@/lib/wire/fleet';
import { Counters } from './counters';
import { ListMessage, ListSkeleton } from './list-states';
import { ListToolbar } from './list-toolbar';
import { UnitList } from './unit-list';

interface ListPaneProps {
  rows: FleetRows;
  /** The rows in the order in which they are shown, and what they answer to. */
  shown: readonly number[];
  question: string;
  selectedRow: number | null;
  onSelect: (unit: UnitRow) => void;
  onTouch: () => void;
}

/** The counters, the order and the list itself, or why there is none. */
export const ListPane = ({ rows, shown, question, selectedRow, onSelect, onTouch }: ListPaneProps) => {
  const { fleet, skewMs } = useReading();
  const view = useView();
  const actions = useViewActions();
  const counts = useMemo(() => (fleet === null ? null : countFleet(fleet)), [fleet]);
  const hasData = fleet !== null && fleet.feed.fetchedAtMs !== null;
  return (
    <>
      <Counters
        counts={hasData ? counts : null}
        statuses={view.statuses}
        flagged={view.flagged}
        onToggleStatus={actions.toggleStatus}
        onToggleFlagged={actions.toggleFlagged}
      />
      <ListToolbar
        all={hasData ? rows.matched.length : null}
        inView={hasData ? rows.inView.length : null}
        onlyInView={view.inView}
        sort={view.sort}
        onShowInView={actions.showInView}
        onSort={actions.sortBy}
      />
      {!hasData ? (
        <NoData />
      ) : shown.length === 0 ? (
        <NoRows isFleetEmpty={counts?.all === 0} rows={rows} fleet={fleet} />
      ) : (
        <UnitList
          fleet={fleet}
          rows={shown}
          question={question}
          selectedRow={selectedRow}
          skewMs={skewMs}
          onSelect={onSelect}
          onTouch={onTouch}
        />
      )}
    </>
  );
};

/** Before the first answer: lines to come, or what keeps them away. */
const NoData = () => {
  const { state, sentence } = useFreshness();
  return state === 'waiting' || sentence === null ? (
    <ListSkeleton />
  ) : (
    <FirstLoadFailed sentence={sentence} />
  );
};

const FirstLoadFailed = ({ sentence }: { sentence: string }) => {
  const refresh = useRefreshLiveFleet(useUsdot());
  return (
    <ListMessage head="No data yet" action={{ words: 'Try now', onPress: refresh }}>
      <p>{sentence}</p>
    </ListMessage>
  );
};

interface NoRowsProps {
  isFleetEmpty: boolean;
  rows: FleetRows;
  fleet: Fleet;
}

const NoRows = ({ isFleetEmpty, rows, fleet }: NoRowsProps) => {
  const view = useView();
  const { showAll, showInView, search } = useViewActions();
  if (isFleetEmpty) {
    return (
      <ListMessage head="No active units">
        <p>The provider lists no unit of USDOT {fleet.usdot} as active: none has reported lately.</p>
        <p>Trucks appear here by themselves as soon as one does.</p>
      </ListMessage>
    );
  }
  if (rows.matched.length > 0) {
    return (
      <ListMessage head="No units in view" action={{ words: 'List all', onPress: () => showInView(false) }}>
        <p>None of the {rows.matched.length.toLocaleString('en-US')} units stands on this part of the map.</p>
      </ListMessage>
    );
  }
  const query = view.query.trim();
  const isFiltered = view.statuses.length > 0 || view.flagged;
  if (query === '') {
    return (
      <ListMessage head="None of these now" action={{ words: 'Show all units', onPress: showAll }}>
        <p>No unit has any of the chosen statuses.</p>
      </ListMessage>
    );
  }
  return (
    <ListMessage
      head="Nothing found"
      action={
        isFiltered
          ? { words: 'Show all units', onPress: showAll }
          : { words: 'Clear search', onPress: () => search('') }
      }
    >
      <p>
        No unit matches “{query}”{isFiltered ? ' among the chosen statuses' : ''}.
      </p>
      <p>Searched: truck number, VIN, plate, make, model, year, device.</p>
    </ListMessage>
  );
};
