import { Suspense, useMemo } from 'react';
import {
  useFirstFleet,
  useFreshness,
  useReading,
  useUsdot,
  useView,
} from '@/components/fleet-state/fleet-context';
import { useIsIdle } from '@/components/fleet-state/use-is-idle';
import { onDemand } from '@/components/ui/popup/on-demand';
import { useTags } from '@/lib/tags/queries';
import { countFleet } from '@/lib/view/filter';
import { hasTagTerm } from '@/lib/view/search';
import type { ViewState } from '@/lib/view/view-state';
import { Counters } from './counters';
import styles from './list-pane.module.css';
import { ListToolbar } from './list-toolbar';
import { FirstList, UnitList, type UnitListProps } from './unit-list';
import type { Bounds } from '@/lib/geo/geodesy';

const longestSilent = onDemand(() => import('./longest-silent').then(({ LongestSilent }) => LongestSilent));
const noList = onDemand(() => import('./no-list').then(({ NoList }) => NoList));

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
  const isEmpty = hasData && !isAwaitingTags && shown.length === 0;
  const isIdle = useIsIdle();
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
      ) : isEmpty ? null : (
        <UnitList {...list} fleet={fleet} rows={shown} skewMs={skewMs} />
      )}
      {/* Its code is there before a search finds nothing. */}
      {isEmpty || isIdle ? (
        <Suspense fallback={isEmpty ? <ListSkeleton /> : null}>
          <noList.Part isShown={isEmpty} matched={matched.length} isFleetEmpty={counts?.all === 0} />
        </Suspense>
      ) : null}
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
  const { failure, past } = useReading();
  if (past === null && (state === 'waiting' || sentence === null)) return <ListSkeleton />;
  // Its code may not come from a server that does not answer.
  const reason = <p className={styles.message}>{sentence}</p>;
  return (
    <Suspense fallback={failure === null ? <ListSkeleton /> : reason}>
      <noList.Part isShown matched={0} isFleetEmpty={false} />
    </Suspense>
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
