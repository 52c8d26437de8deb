'use client';

import { Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { rowsInBounds } from '@/lib/view/filter';
import type { Bounds } from '@/lib/view/filter';
import type { Fleet } from '@/lib/wire/fleet';
import { SORT_ORDERS, SORT_WORDS } from '@/lib/view/sort';
import type { SortOrder } from '@/lib/view/sort';
import { MENU } from '@/components/ui/menu';
import styles from './list-toolbar.module.css';

interface ListToolbarProps {
  /** Null before the first answer. */
  fleet: Fleet | null;
  /** Every row that filter and search let through, and the part of the map in sight. */
  matched: Int32Array;
  bounds: Bounds | null;
  onlyInView: boolean;
  sort: SortOrder;
  onShowInView: (onlyInView: boolean) => void;
  onSort: (sort: SortOrder) => void;
  /** What narrows the list further. */
  narrow: ReactNode;
}

const Count = ({ of }: { of: number }) => <b> {of.toLocaleString('en-US')}</b>;

/** A component of its own: counting a large fleet is a slice of a poll. */
const CountInView = ({
  fleet,
  matched,
  bounds,
}: {
  fleet: Fleet;
  matched: Int32Array;
  bounds: Bounds | null;
}) => {
  const inView = useMemo(
    () => (bounds === null ? matched : rowsInBounds(fleet, matched, bounds)).length,
    [fleet, matched, bounds],
  );
  return <Count of={inView} />;
};

/** How much of the fleet the list shows, and in which order. */
export const ListToolbar = (props: ListToolbarProps) => {
  const { fleet, matched, bounds, onlyInView, sort, onShowInView, onSort, narrow } = props;
  return (
    <div className={styles.toolbar}>
      <div role="group" aria-label="Units to list" className={styles.scope}>
        <UnstyledButton
          className={styles.part}
          aria-pressed={!onlyInView}
          onClick={() => onShowInView(false)}
        >
          All
          {fleet && <Count of={matched.length} />}
        </UnstyledButton>
        <UnstyledButton className={styles.part} aria-pressed={onlyInView} onClick={() => onShowInView(true)}>
          In view
          {fleet && <CountInView fleet={fleet} matched={matched} bounds={bounds} />}
        </UnstyledButton>
      </div>
      {narrow}
      <Menu {...MENU} width={230}>
        <Menu.Target>
          <UnstyledButton className={styles.sort} aria-label={`Order: ${SORT_WORDS[sort]}`}>
            <span className={styles.order}>
              {sort === 'attention' ? 'Attention first' : SORT_WORDS[sort]}
            </span>
            <IconChevronDown size={16} stroke={2} aria-hidden="true" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Order</Menu.Label>
          <Menu.RadioGroup value={sort} onChange={(order) => onSort(order as SortOrder)}>
            {SORT_ORDERS.map((order) => (
              <Menu.RadioItem key={order} value={order} closeMenuOnClick>
                {SORT_WORDS[order]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
};
