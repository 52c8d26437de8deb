import { IconChevronDown, IconFilter } from '@tabler/icons-react';
import { Suspense, useMemo, useRef, useState } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useView, useViewActions } from '@/components/fleet-state/fleet-context';
import type { TagTask } from '@/components/tags/tag-dialogs';
import { ViewsMenu } from '@/components/views/views-menu';
import { rowsInBounds, type FleetCounts } from '@/lib/view/filter';
import type { Fleet } from '@/lib/wire/fleet';
import { SORT_LABELS } from '@/lib/view/sort';
import type { ViewState } from '@/lib/view/view-state';
import { formatWhole } from '@/lib/view/format';
import { onDemand } from '../ui/popup/on-demand';
import { Popup } from '../ui/popup/popup';
import styles from './list-pane.module.css';
import type { Bounds } from '@/lib/geo/geodesy';

/** The word of each order that fits beside the counts of a fleet. */
const SHORT_SORT_LABELS: typeof SORT_LABELS = {
  attention: 'Attention',
  truck: 'Number',
  parked: 'Parked',
  newest: 'Newest',
  oldest: 'Oldest',
  fastest: 'Fastest',
  site: 'Site',
};

const filterItems = onDemand(() => import('./list-menus').then(({ FilterItems }) => FilterItems));
const tagDialogs = onDemand(() => import('@/components/tags/tag-dialogs').then(({ TagDialog }) => TagDialog));
const sortItems = onDemand(() => import('./list-menus').then(({ SortItems }) => SortItems));

interface ListToolbarProps {
  /** Both null before the first answer. */
  fleet: Fleet | null;
  counts: FleetCounts | null;
  /** How many units pass filter and search; null before that is known. */
  total: number | null;
  /** Every row that passes filter and search, and the part of the map in sight. */
  matched: Int32Array;
  bounds: Bounds | null;
  shown: Int32Array;
  onOpenView: (view: ViewState) => void;
}

const Count = ({ of }: { of: number }) => <b> {formatWhole(of)}</b>;

/** A component of its own: counting a large fleet is a slice of a poll. */
const CountInView = ({ fleet, matched, bounds }: { fleet: Fleet; matched: Int32Array; bounds: Bounds }) => {
  const inView = useMemo(() => rowsInBounds(fleet, matched, bounds).length, [fleet, matched, bounds]);
  return <Count of={inView} />;
};

export const ListToolbar = (props: ListToolbarProps) => {
  const { fleet, total, matched, bounds, onOpenView } = props;
  const { inView, sort } = useView();
  const { showInView } = useViewActions();
  return (
    <div className={styles.toolbar}>
      <div role="group" aria-label="Trucks to list" className={styles.scope}>
        <BareButton
          className={`lh-note ${styles.part}`}
          aria-pressed={!inView}
          onClick={() => showInView(false)}
        >
          All
          {total !== null && <Count of={total} />}
        </BareButton>
        <BareButton
          className={`lh-note ${styles.part}`}
          aria-pressed={inView}
          onClick={() => showInView(true)}
        >
          In view
          {fleet && bounds && <CountInView fleet={fleet} matched={matched} bounds={bounds} />}
        </BareButton>
      </div>
      <div className={styles.menus}>
        <ViewsMenu className={`lh-note lh-hover ${styles.filter}`} onOpen={onOpenView} />
        <FilterMenu {...props} />
      </div>
      <Popup
        kind="menu"
        width={230}
        preload={sortItems.preload}
        target={
          <BareButton
            className={`lh-note lh-hover ${styles.sort}`}
            aria-label={`Order and columns: ${SORT_LABELS[sort]}`}
          >
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

/** The button of the menu in which things to check, kinds of silence, tags and sites are chosen, and units are tagged. */
const FilterMenu = ({ fleet, counts, shown }: Pick<ListToolbarProps, 'fleet' | 'counts' | 'shown'>) => {
  const { flags, reasons, tags, sites, loads } = useView();
  const [task, setTask] = useState<TagTask | null>(null);
  const menu = useRef<HTMLSpanElement>(null);
  const chosen = flags.length + reasons.length + tags.length + sites.length + loads.length;
  const label =
    chosen === 0 ? 'Filter by flag, tag or site' : `Filter by flag, tag or site: ${chosen} chosen`;
  const close = (): void => {
    setTask(null);
    // The item that opened the dialog is gone with its menu.
    menu.current?.querySelector('button')?.focus();
  };
  return (
    <span ref={menu}>
      <Popup
        kind="menu"
        width={270}
        closeOnItemClick={false}
        className={styles.filterMenu}
        preload={filterItems.preload}
        target={
          <BareButton
            className={`lh-note lh-hover ${styles.filter}`}
            data-chosen={chosen > 0}
            aria-label={label}
            title={label}
          >
            <IconFilter size={17} stroke={1.9} aria-hidden="true" />
            {chosen > 0 ? <b aria-hidden="true">{chosen}</b> : null}
          </BareButton>
        }
      >
        <filterItems.Part counts={counts} fleet={fleet} shown={shown} onTask={setTask} />
      </Popup>
      {task === null ? null : (
        <Suspense>
          <tagDialogs.Part task={task} onClose={close} />
        </Suspense>
      )}
    </span>
  );
};
