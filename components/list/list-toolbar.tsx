'use client';

import { IconChevronDown } from '@tabler/icons-react';
import { useMemo } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { useIsWallScreen } from '@/components/layout/viewer-context';
import { ViewsMenu } from '@/components/views/views-menu';
import { rowsInBounds, type MapBox, type FleetCounts } from '@/lib/view/filter';
import type { Fleet } from '@/lib/wire/fleet';
import { SORT_LABELS } from '@/lib/view/sort';
import type { ViewState } from '@/lib/view/view-state';
import { formatWhole } from '@/lib/view/format';
import { onDemand } from '../ui/popup/on-demand';
import { Popup } from '../ui/popup/popup';
import { FilterMenu } from './filter-menu';
import styles from './list-toolbar.module.css';

/** Of SORT_LABELS, the word that fits beside the counts of a fleet. */
const SHORT_SORT_LABELS: typeof SORT_LABELS = {
  attention: 'Attention',
  truck: 'Number',
  parked: 'Parked',
  newest: 'Newest',
  oldest: 'Oldest',
  fastest: 'Fastest',
  site: 'Site',
};

const sortItems = onDemand(() => import('./list-menus').then(({ SortItems }) => SortItems));

interface ListToolbarProps {
  /** Both null before the first answer. */
  fleet: Fleet | null;
  counts: FleetCounts | null;
  /** How many units pass filter and search; null before that is known. */
  total: number | null;
  /** Every row that passes filter and search, and the part of the map in sight. */
  matched: Int32Array;
  bounds: MapBox | null;
  /** The rows of the list. */
  shown: Int32Array;
  onOpenView: (view: ViewState) => void;
}

const Count = ({ of }: { of: number }) => <b> {formatWhole(of)}</b>;

interface CountInViewProps {
  fleet: Fleet;
  matched: Int32Array;
  bounds: MapBox;
}

/** A component of its own: counting a large fleet is a slice of a poll. */
const CountInView = ({ fleet, matched, bounds }: CountInViewProps) => {
  const inView = useMemo(() => rowsInBounds(fleet, matched, bounds).length, [fleet, matched, bounds]);
  return <Count of={inView} />;
};

/** How much of the fleet the list shows, and in which order. */
export const ListToolbar = ({
  fleet,
  counts,
  total,
  matched,
  bounds,
  shown,
  onOpenView,
}: ListToolbarProps) => {
  const { inView, sort } = useView();
  const { showInView } = useViewActions();
  return (
    <div className={styles.toolbar}>
      <div role="group" aria-label="Trucks to list" className={styles.scope}>
        <BareButton className={styles.part} aria-pressed={!inView} onClick={() => showInView(false)}>
          All
          {total !== null && <Count of={total} />}
        </BareButton>
        <BareButton className={styles.part} aria-pressed={inView} onClick={() => showInView(true)}>
          In view
          {fleet && bounds && <CountInView fleet={fleet} matched={matched} bounds={bounds} />}
        </BareButton>
      </div>
      <div className={styles.menus}>
        {useIsWallScreen() ? null : <ViewsMenu className={styles.filter} onOpen={onOpenView} />}
        <FilterMenu fleet={fleet} counts={counts} shown={shown} />
      </div>
      <Popup
        kind="menu"
        width={230}
        preload={sortItems.preload}
        target={
          <BareButton className={styles.sort} aria-label={`Order and columns: ${SORT_LABELS[sort]}`}>
            <span className="lh-cut">{SHORT_SORT_LABELS[sort]}</span>
            <IconChevronDown size={16} stroke={2} aria-hidden="true" />
          </BareButton>
        }
      >
        <sortItems.Part />
      </Popup>
    </div>
  );
};
