'use client';

import { Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { SORT_ORDERS, SORT_WORDS } from '@/lib/view/sort';
import type { SortOrder } from '@/lib/view/sort';
import { MENU } from '@/components/screen/menu';
import styles from './list-toolbar.module.css';

interface ListToolbarProps {
  /** Null before the first answer. */
  all: number | null;
  inView: number | null;
  onlyInView: boolean;
  sort: SortOrder;
  onShowInView: (onlyInView: boolean) => void;
  onSort: (sort: SortOrder) => void;
}

const Count = ({ of }: { of: number | null }) => (of === null ? null : <b> {of.toLocaleString('en-US')}</b>);

/** How much of the fleet the list shows, and in which order. */
export const ListToolbar = ({ all, inView, onlyInView, sort, onShowInView, onSort }: ListToolbarProps) => (
  <div className={styles.toolbar}>
    <div role="group" aria-label="Units to list" className={styles.scope}>
      <UnstyledButton className={styles.part} aria-pressed={!onlyInView} onClick={() => onShowInView(false)}>
        All
        <Count of={all} />
      </UnstyledButton>
      <UnstyledButton className={styles.part} aria-pressed={onlyInView} onClick={() => onShowInView(true)}>
        In view
        <Count of={inView} />
      </UnstyledButton>
    </div>
    <Menu {...MENU} width={230}>
      <Menu.Target>
        <UnstyledButton className={styles.sort} aria-label={`Order: ${SORT_WORDS[sort]}`}>
          <span className={styles.order}>{sort === 'attention' ? 'Attention first' : SORT_WORDS[sort]}</span>
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
