import { useMemo, useState } from 'react';

/** What a table is sorted by. */
export interface TableOrder {
  by: string;
  isDescending: boolean;
}

type Value = string | number | null;

const collator = new Intl.Collator('en-US', { numeric: true });

const compare = (a: Value, b: Value, sign: number): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (
    sign * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b)))
  );
};

/** A column by which rows are sorted in the browser. */
interface SortedColumn<Row> {
  id: string;
  /** Numbers are sorted largest first. */
  kind?: 'number';
  /** Null is last. */
  valueOf: (row: Row) => Value;
}

/** Rows in the order of a column; choosing that column again turns the order round. */
export const useSorted = <Row>(
  rows: readonly Row[],
  columns: readonly SortedColumn<Row>[],
  firstBy: string,
) => {
  const isDescendingAtFirst = (id: string): boolean =>
    columns.find((each) => each.id === id)?.kind === 'number';
  const [order, setOrder] = useState<TableOrder>({
    by: firstBy,
    isDescending: isDescendingAtFirst(firstBy),
  });
  const { valueOf } = columns.find(({ id }) => id === order.by) ?? columns[0]!;
  const sorted = useMemo(
    () => [...rows].sort((a, b) => compare(valueOf(a), valueOf(b), order.isDescending ? -1 : 1)),
    // oxlint-disable-next-line react/exhaustive-deps -- columns are made again with each render and sort by the same.
    [rows, order],
  );
  const onOrder = (id: string): void =>
    setOrder({ by: id, isDescending: order.by === id ? !order.isDescending : isDescendingAtFirst(id) });
  return { sorted, order, onOrder };
};
