'use client';

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './admin-table.module.css';

interface AdminHeadProps {
  /** The columns in words. */
  columns: readonly string[];
  /** A last column holds what can be done with a row. */
  hasActions?: boolean;
}

export const AdminHead = ({ columns, hasActions = true }: AdminHeadProps) => (
  <thead>
    <tr>
      {columns.map((words) => (
        <th key={words} scope="col">
          {words}
        </th>
      ))}
      {hasActions ? (
        <th scope="col">
          <span className="lh-unseen">Actions</span>
        </th>
      ) : null}
    </tr>
  </thead>
);

interface AdminTableProps extends AdminHeadProps {
  /** What it lists. */
  label: string;
  children: ReactNode;
}

/** A table of a manager's page; on a phone each row is a card, whose cells say their `data-head` before them. */
export const AdminTable = ({ label, children, ...head }: AdminTableProps) => (
  <div className={styles.scroller}>
    <table className={`${styles.table} ${styles.cards}`} aria-label={label}>
      <AdminHead {...head} />
      <tbody>{children}</tbody>
    </table>
  </div>
);

/** The last cell of a row: what can be done with it. */
export const RowActions = ({ children }: { children?: ReactNode }) => (
  <td className={styles.actionsCell}>
    <div className={styles.actions}>{children}</div>
  </td>
);

interface RowActionProps {
  words: string;
  /** What it is done with, for those who hear the button alone. */
  of: string;
  onPress: () => void;
}

export const RowAction = ({ words, of, onPress }: RowActionProps) => (
  <Button size="xs" variant="default" aria-label={`${words} ${of}`} onClick={onPress}>
    {words}
  </Button>
);
