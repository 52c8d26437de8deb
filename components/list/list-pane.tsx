import { Suspense, useMemo } from 'react';
import {
  useFirstFleet,
  useFreshness,
  useReading,
  useUsdot,
  useView,
  useViewActions,
} from '@/components/fleet-state/fleet-context';
import { usePast } from '@/components/fleet-state/past';
import { onDemand } from '@/components/ui/popup/on-demand';
import { useRefreshLiveFleet } from '@/lib/live/live';
import { useTags } from '@/lib/tags/queries';
import { countFleet, isNarrowed } from '@/lib/view/filter';
import { hasTagTerm } from '@/lib/view/search';
import type { ViewState } from '@/lib/view/view-state';
import { formatWhole } from '@/lib/view/format';
import { Counters } from './counters';
import { ListMessage } from './list-message';
import styles from './list-pane.module.css';
import { ListToolbar } from './list-toolbar';
import { FirstList, UnitList, type UnitListProps } from './unit-list';
import type { Bounds } from '@/lib/geo/geodesy';

const longestSilent = onDemand(() => import('./longest-silent').then(({ LongestSilent }) => LongestSilent));

const firstLoadFailed = onDemand(() =>
  import('./first-load-failed').then((module) => module.FirstLoadFailed),
);

const NONE = new Int32Array(0);

interface ListPaneProps extends Omit<UnitListProps, 'fleet' | 'rows' | 'skewMs'> {
  /** Every row that passes filter and search, and the part of the map in sight. */
  matched: Int32Array;
  bounds: Bounds | null;
  /** The rows in the order in which they are shown. */
  shown: Int32Array;
  onOpenView: (view: ViewState) => void;
  /** A counter now filters the list. */
  onFilter: () => void;
}

export const ListPane = (props: ListPaneProps) => {
  const { matched, bounds, shown, onOpenView, onFilter, ...list } = props;
  const { fleet, skewMs } = useReading();
  const hasData = fleet !== null && fleet.feed.fetchedAtMs !== null;
  const first = useFirstFleet()?.list ?? null;
  const live = useMemo(() => (fleet !== null && hasData ? countFleet(fleet) : null), [fleet, hasData]);
  const isAwaitingTags = useIsAwaitingTags();
  const { statuses } = useView();
  const counts = live ?? first?.counts ?? null;
  return (
    <>
      <Counters counts={counts} onFilter={onFilter} />
      <ListToolbar
        fleet={hasData ? fleet : null}
        counts={counts}
        total={hasData ? matched.length : (first?.matched ?? null)}
        matched={matched}
        bounds={bounds}
        shown={hasData ? shown : NONE}
        onOpenView={onOpenView}
      />
      {hasData && statuses.length === 1 && statuses[0] === 'silent' ? (
        <Suspense>
          <longestSilent.Part fleet={fleet} rows={shown} skewMs={skewMs} />
        </Suspense>
      ) : null}
      {!hasData && first !== null && first.units.length > 0 ? (
        <FirstList first={first} />
      ) : !hasData ? (
        <NoData />
      ) : isAwaitingTags ? (
        <ListSkeleton />
      ) : shown.length === 0 ? (
        <NoRows isFleetEmpty={counts?.all === 0} matched={matched.length} usdot={fleet.usdot} />
      ) : (
        <UnitList {...list} fleet={fleet} rows={shown} skewMs={skewMs} />
      )}
    </>
  );
};

/** Whether the view names a tag, and the tags of the fleet are still to be read. */
const useIsAwaitingTags = (): boolean => {
  const { tags, query } = useView();
  const { isLoading } = useTags(useUsdot());
  return isLoading && (tags.length > 0 || hasTagTerm(query));
};

/** Before the first answer: placeholder lines, or the reason why there is none. */
const NoData = () => {
  const { state, sentence } = useFreshness();
  const { past } = useReading();
  const { showPast } = useViewActions();
  const isFailed = usePast()?.state.problem?.kind === 'failed';
  if (past !== null) {
    return (
      <ListMessage
        head={isFailed ? 'Not loaded' : 'Nothing recorded'}
        action={{ label: 'Back to live', onPress: () => showPast(null, 'step') }}
      >
        <p>{isFailed ? 'This moment could not be loaded.' : 'There is no recording of this moment.'}</p>
      </ListMessage>
    );
  }
  return state === 'waiting' || sentence === null ? (
    <ListSkeleton />
  ) : (
    <FirstLoadFailed sentence={sentence} />
  );
};

const FirstLoadFailed = ({ sentence }: { sentence: string }) => {
  const refresh = useRefreshLiveFleet(useUsdot());
  const message = (
    <ListMessage head="No data yet" action={{ label: 'Try now', onPress: refresh }}>
      <p>{sentence}</p>
    </ListMessage>
  );
  return (
    <Suspense fallback={message}>
      <firstLoadFailed.Part sentence={sentence} onRefresh={refresh} />
    </Suspense>
  );
};

interface NoRowsProps {
  isFleetEmpty: boolean;
  /** Units that pass filter and search. */
  matched: number;
  usdot: string;
}

const NoRows = ({ isFleetEmpty, matched, usdot }: NoRowsProps) => {
  const view = useView();
  const { showAll, showInView, search } = useViewActions();
  const { past } = useReading();
  if (isFleetEmpty) {
    return (
      <ListMessage head="No active trucks">
        <p>
          No truck of USDOT {usdot} {past === null ? 'is active now' : 'was active at this moment'}.
        </p>
        {past === null ? <p>Trucks appear here by themselves as soon as they report.</p> : null}
      </ListMessage>
    );
  }
  if (matched > 0) {
    return (
      <ListMessage head="No trucks in view" action={{ label: 'List all', onPress: () => showInView(false) }}>
        <p>
          {matched === 1 ? 'The one truck is not' : `None of the ${formatWhole(matched)} trucks is`} on this
          part of the map.
        </p>
      </ListMessage>
    );
  }
  const query = view.query.trim();
  const isFiltered = isNarrowed(view);
  const all = { label: 'Show all trucks', onPress: showAll };
  if (query === '') {
    return (
      <ListMessage head="None of these now" action={all}>
        <p>No truck has any of the chosen statuses, flags or tags.</p>
      </ListMessage>
    );
  }
  return (
    <ListMessage
      head="Nothing found"
      action={isFiltered ? all : { label: 'Clear search', onPress: () => search('') }}
    >
      <p>
        No truck matches “{query}”{isFiltered ? ' among the chosen statuses' : ''}.
      </p>
      <p>Searched: truck number, VIN, plate, make, model, year, device, site, notes, tags, contacts.</p>
    </ListMessage>
  );
};

const ListSkeleton = () => (
  <div className={styles.skeleton} aria-busy="true">
    <p className="visually-hidden">Loading the fleet…</p>
    {Array.from({ length: 12 }, (_, line) => (
      <div key={line} className={styles.line} aria-hidden="true">
        <i />
        <i style={{ width: 44 + ((line * 29) % 40) }} />
        <i style={{ width: 66 }} />
        <i style={{ width: 110 + ((line * 37) % 60) }} />
        <i style={{ width: 24 }} />
      </div>
    ))}
  </div>
);
