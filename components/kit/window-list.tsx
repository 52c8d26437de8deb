'use client';

import type { ComponentProps, ReactNode } from 'react';
import { useRowWindow } from '../ui/use-row-window';
import styles from './window-list.module.css';

/** Rows beyond those in view, so that scrolling shows no gap. */
const OVERSCAN = 8;

interface WindowListProps<Row> {
  label: string;
  rows: readonly Row[];
  rowPx: number;
  keyOf: (row: Row, index: number) => string | number;
  /** The class of the list in place of one that fills the room and scrolls. */
  className?: string | undefined;
  /** The properties of a row's item. */
  itemOf?: (row: Row) => ComponentProps<'li'>;
  children: (row: Row, index: number) => ReactNode;
}

/** A list with rows of one height: only those in view are in the page, and all are on paper. */
export const WindowList = <Row,>(props: WindowListProps<Row>) => {
  const { label, rows, rowPx, keyOf, className = styles.scroller, itemOf, children } = props;
  const { scroller, indexes, abovePx, belowPx } = useRowWindow(rows.length, rowPx, OVERSCAN);
  return (
    <div ref={scroller} className={className} role="region" aria-label={label} tabIndex={0}>
      <ul className="lh-list" style={{ paddingTop: abovePx, paddingBottom: belowPx }}>
        {indexes.map((index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <li
              key={keyOf(row, index)}
              style={{ height: rowPx }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              {...itemOf?.(row)}
            >
              {children(row, index)}
            </li>
          );
        })}
      </ul>
    </div>
  );
};
