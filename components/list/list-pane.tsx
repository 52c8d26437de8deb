'use client';

import { useMemo } from 'react';
import { useReading, useUsdot, useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useFreshness } from '@/components/fleet-state/use-freshness';
import { useIsWallScreen } from '@/components/layout/viewer-context';
import { useRefreshLiveFleet, useTryNow } from '@/lib/browser/live';
import { countFleet, isNarrowed } from '@/lib/view/filter';
import type { Bounds } from '@/lib/view/filter';
import type { UnitRow } from '@/lib/view/unit-row';
import { Counters } from './counters';
import { FlagFilter } from './flag-filter';
import { ListMessage, ListSkeleton } from './list-states';
import { ListToolbar } from './list-toolbar';
import { UnitList } from './unit-list';

interface ListPaneProps {
  /** Every row that filter and search let through, and the part of the map in sight. */
  matched: Int32Array;
  bounds: Bounds | null;
  /** The rows in the order in which they are shown, and what they answer to. */
  shown: Int32Array;
  question: string;
  selectedRow: number | null;
  onSelect: (unit: UnitRow) => void;
  onTouch: () => void;
}

/** The counters, the order and the list itself, or why there is none. */
export const ListPane = (props: ListPaneProps) => {
  const { matched, bounds, shown, question, selectedRow, onSelect, onTouch } = props;
  const { fleet, skewMs } = useReading();
  const old = useOldCopy();
  const view = useView();
  const actions = useViewActions();
  const counts = useMemo(() => (fleet === null ? null : countFleet(fleet)), [fleet]);
  const hasData = fleet !== null && fleet.feed.fetchedAtMs !== null;
  return (
    <>
      <Counters
        counts={hasData ? counts : null}
        asOf={old?.at ?? null}
        statuses={view.statuses}
        flagged={view.flagged}
        onToggleStatus={actions.toggleStatus}
        onToggleFlagged={actions.toggleFlagged}
      />
      <ListToolbar
        fleet={hasData ? fleet : null}
        matched={matched}
        bounds={bounds}
        onlyInView={view.inView}
        sort={view.sort}
        onShowInView={actions.showInView}
        onSort={actions.sortBy}
        narrow={
          <FlagFilter
            counts={hasData ? counts : null}
            flags={view.flags}
            reasons={view.reasons}
            onChooseFlags={actions.chooseFlags}
            onChooseReasons={actions.chooseReasons}
          />
        }
      />
      {!hasData ? (
        <NoData />
      ) : shown.length === 0 ? (
        <NoRows isFleetEmpty={counts?.all === 0} matched={matched.length} usdot={fleet.usdot} />
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
  const { mutate: tryNow } = useTryNow(useUsdot());
  const { failure } = useReading();
  // A wall screen only reads; it may still ask its own server again.
  const canEndWait = !useIsWallScreen() && failure === null;
  return (
    <ListMessage
      head="No data yet"
      action={{ words: 'Try now', onPress: canEndWait ? () => tryNow() : refresh }}
    >
      <p>{sentence}</p>
    </ListMessage>
  );
};

interface NoRowsProps {
  isFleetEmpty: boolean;
  /** Units that filter and search let through. */
  matched: number;
  usdot: string;
}

const NoRows = ({ isFleetEmpty, matched, usdot }: NoRowsProps) => {
  const view = useView();
  const { showAll, showInView, search } = useViewActions();
  if (isFleetEmpty) {
    return (
      <ListMessage head="No active units">
        <p>The provider lists no unit of USDOT {usdot} as active.</p>
        <p>Trucks appear here by themselves as soon as it does.</p>
      </ListMessage>
    );
  }
  if (matched > 0) {
    return (
      <ListMessage head="No units in view" action={{ words: 'List all', onPress: () => showInView(false) }}>
        <p>None of the {matched.toLocaleString('en-US')} units stands on this part of the map.</p>
      </ListMessage>
    );
  }
  const query = view.query.trim();
  const isFiltered = isNarrowed(view);
  if (query === '') {
    return (
      <ListMessage head="None of these now" action={{ words: 'Show all units', onPress: showAll }}>
        <p>No unit has any of the chosen statuses or flags.</p>
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
