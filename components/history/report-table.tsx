'use client';

import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useRowWindow } from '@/components/ui/use-row-window';
import styles from './report-table.module.css';

const ROW_PX = 38;
const OVERSCAN = 12;

export interface ReportColumn<Row> {
  id: string;
  label: string;
  /** What stands for it in the bars of the table. */
  mark?: ReactNode;
  /** Numbers stand at the right, largest first. */
  kind: 'text' | 'number';
  className?: string | undefined;
  /** What it is sorted by; null is last. */
  valueOf: (row: Row) => string | number | null;
  cell: (row: Row) => ReactNode;
  total?: ReactNode;
}

interface ReportTableProps<Row> {
  label: string;
  columns: readonly ReportColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The column that it is sorted by at first. */
  firstBy: string;
  className?: string | undefined;
  /** Rows that follow a row, as when it is expanded. */
  after?: (row: Row) => readonly Row[];
}

const collator = new Intl.Collator('en-US', { numeric: true });

const compare = (a: string | number | null, b: string | number | null, sign: number): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (
    sign * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b)))
  );
};

/** A table that is sorted by any column; only the rows in view are in the page, and its totals stay in sight. */
export const ReportTable = <Row,>(props: ReportTableProps<Row>) => {
  const { label, columns, rows, keyOf, firstBy, className = '', after } = props;
  const isDescendingAtFirst = (id: string): boolean =>
    columns.find((each) => each.id === id)?.kind === 'number';
  const [order, setOrder] = useState({ by: firstBy, isDescending: isDescendingAtFirst(firstBy) });
  const by = columns.find(({ id }) => id === order.by) ?? columns[0]!;
  const { valueOf } = by;
  const sorted = useMemo(
    () => [...rows].sort((a, b) => compare(valueOf(a), valueOf(b), order.isDescending ? -1 : 1)),
    // oxlint-disable-next-line react/exhaustive-deps -- columns are made again with each render and sort by the same.
    [rows, order],
  );
  const shown = after === undefined ? sorted : sorted.flatMap((row) => [row, ...after(row)]);
  const { scroller, indexes, abovePx, belowPx } = useRowWindow(shown.length, ROW_PX, OVERSCAN);
  const choose = (id: string): void =>
    setOrder({ by: id, isDescending: order.by === id ? !order.isDescending : isDescendingAtFirst(id) });
  return (
    <div ref={scroller} className={styles.scroller} tabIndex={0} role="region" aria-label={label}>
      <table className={`${styles.table} ${className}`} aria-rowcount={shown.length + 2}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head
                key={column.id}
                column={column}
                isDescending={column.id === order.by ? order.isDescending : null}
                onChoose={() => choose(column.id)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {abovePx > 0 ? <tr aria-hidden="true" style={{ height: abovePx }} /> : null}
          {indexes.map((index) => {
            const row = shown[index];
            return row === undefined ? null : (
              <tr key={keyOf(row)} aria-rowindex={index + 2}>
                {columns.map(({ id, kind, className, cell }) => (
                  <td key={id} className={className} data-kind={kind}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          {belowPx > 0 ? <tr aria-hidden="true" style={{ height: belowPx }} /> : null}
        </tbody>
        <tfoot>
          <tr>
            {columns.map(({ id, kind, className, total }) => (
              <td key={id} className={className} data-kind={kind}>
                {total}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
};

interface HeadProps<Row> {
  column: ReportColumn<Row>;
  /** Null: it is not sorted by this one. */
  isDescending: boolean | null;
  onChoose: () => void;
}

const Head = <Row,>({ column, isDescending, onChoose }: HeadProps<Row>) => {
  const { label, mark, kind, className } = column;
  const Icon = isDescending ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      className={className}
      data-kind={kind}
      aria-sort={isDescending === null ? undefined : isDescending ? 'descending' : 'ascending'}
    >
      <BareButton className={styles.order} onClick={onChoose}>
        {mark}
        {label}
        {isDescending === null ? null : <Icon size={14} stroke={2} aria-hidden="true" />}
      </BareButton>
    </th>
  );
};
