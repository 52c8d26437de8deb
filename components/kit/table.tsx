import { Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Fragment, type CSSProperties, type ReactNode, useMemo, useState } from 'react';
import type { IngestToken } from '@/lib/api-keys/schema';
import { formatMoment } from '@/lib/view/format';
import { BareButton } from '../ui/bare-button';
import { useRowWindow } from '../ui/use-row-window';
import { Empty } from './page-frame';
import styles from './table.module.css';

export interface Column<Row> {
  /** The head of the column, and on a phone the label of its cells. */
  label: string;
  cell?: (row: Row) => ReactNode;
  /** The name of the row, in place of `cell`. */
  name?: (row: Row) => string;
  small?: (row: Row) => ReactNode;
  /** On a phone its cells have no label, as those with a name. */
  isBare?: boolean;
  /** Numbers stand at the right. */
  kind?: 'number';
  className?: string | undefined;
  /** Its width, and that on a phone where it differs; one column at least takes the rest. */
  widthPx?: readonly [number, (number | 'rest')?];
  /** A phone has no room for it; `desk`: nor has a small screen. */
  isWide?: boolean | 'desk';
  /** The table can be sorted by a column that has one. */
  id?: string;
  /** Its sign in the bars of the table. */
  mark?: ReactNode;
  total?: ReactNode;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** A text in place of a table without rows. */
  empty?: ReactNode;
  /** Rows of what is over, such as a revoked key. */
  isEnded?: (row: Row) => boolean;
  /** The last cell of a row: the actions on it. */
  actions?: (row: Row) => ReactNode;
}

/** A table whose rows are cards on a phone. */
export const Table = <Row,>({ label, rows, keyOf, isEnded, empty, ...parts }: TableProps<Row>) =>
  rows.length === 0 && empty !== undefined ? (
    <Empty>{empty}</Empty>
  ) : (
    <div className={styles.box}>
      <table className={`${styles.table} ${styles.cards}`} aria-label={label}>
        <Head {...parts} />
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-ended={isEnded?.(row)}>
              <Cells row={row} {...parts} />
            </tr>
          ))}
        </tbody>
        <Totals {...parts} />
      </table>
    </div>
  );

/** Rows beyond those in view, so that scrolling shows no gap. */
const OVERSCAN = 12;

interface WindowTableProps<Row> extends Omit<TableProps<Row>, 'isEnded' | 'empty'> {
  rowPx: number;
  order?: TableOrder;
  onOrder?: (id: string) => void;
  /** It stands in a box on a page that scrolls, with cards on a phone; else it fills the page. */
  isBoxed?: boolean;
  className?: string | undefined;
}

/** A table with rows of one height: only those in view are in the page, and all are on paper. Its totals stay in sight. */
export const WindowTable = <Row,>(props: WindowTableProps<Row>) => {
  const { label, rows, keyOf, rowPx, order, onOrder, isBoxed = false, className = '', ...parts } = props;
  const { scroller, indexes, abovePx, belowPx } = useRowWindow(rows.length, rowPx, OVERSCAN);
  return (
    <div
      ref={scroller}
      className={isBoxed ? `${styles.box} ${styles.scrolledBox}` : 'lh-scroll'}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table
        className={`${styles.table} ${isBoxed ? styles.cards : styles.page} ${styles.windowed} ${className}`}
        style={{ '--row-height': `${rowPx}px` } as CSSProperties}
        aria-rowcount={rows.length + (hasTotals(parts.columns) ? 2 : 1)}
      >
        <Head {...parts} order={order} onOrder={onOrder} />
        <tbody>
          {abovePx > 0 ? <tr aria-hidden="true" style={{ height: abovePx }} /> : null}
          {indexes.map((index) => {
            const row = rows[index];
            return row === undefined ? null : (
              <tr key={keyOf(row)} aria-rowindex={index + 2} className={styles.row}>
                <Cells row={row} {...parts} />
              </tr>
            );
          })}
          {belowPx > 0 ? <tr aria-hidden="true" style={{ height: belowPx }} /> : null}
        </tbody>
        <Totals {...parts} />
      </table>
    </div>
  );
};

const hasTotals = <Row,>(columns: readonly Column<Row>[]): boolean =>
  columns.some(({ total }) => total !== undefined);

const Totals = <Row,>({ columns, actions }: Pick<TableProps<Row>, 'columns' | 'actions'>) =>
  hasTotals(columns) ? (
    <tfoot>
      <tr>
        {columns.map(({ label, kind, className, isWide, total }) => (
          <td key={label} className={className} data-kind={kind} data-wide={isWide} data-head={label}>
            {total}
          </td>
        ))}
        {actions === undefined ? null : <td />}
      </tr>
    </tfoot>
  ) : null;

type HeadProps<Row> = Pick<WindowTableProps<Row>, 'columns' | 'actions' | 'order' | 'onOrder'>;

const Head = <Row,>({ columns, actions, order, onOrder }: HeadProps<Row>) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <ColumnHead key={column.label} column={column} order={order} onOrder={onOrder} />
      ))}
      {actions === undefined ? null : (
        <th scope="col">
          <span className="visually-hidden">Actions</span>
        </th>
      )}
    </tr>
  </thead>
);

const toStyle = <Row,>({ widthPx }: Column<Row>) => {
  if (widthPx === undefined) return undefined;
  const [width, phone = width] = widthPx;
  return {
    '--width': `${width}px`,
    '--phone-width': phone === 'rest' ? 'auto' : `${phone}px`,
  } as CSSProperties;
};

const ColumnHead = <Row,>({
  column,
  order,
  onOrder,
}: Pick<HeadProps<Row>, 'order' | 'onOrder'> & { column: Column<Row> }) => {
  const { label, kind, className, isWide, id, mark } = column;
  const isBy = id !== undefined && order?.by === id;
  const Icon = order?.isDescending ? IconArrowDown : IconArrowUp;
  const isOrdered = id !== undefined && order !== undefined;
  return (
    <th
      scope="col"
      className={className}
      style={toStyle(column)}
      data-kind={kind}
      data-wide={isWide}
      aria-sort={!isOrdered ? undefined : !isBy ? 'none' : order.isDescending ? 'descending' : 'ascending'}
    >
      {isOrdered ? (
        <BareButton className={styles.order} onClick={() => onOrder?.(id)}>
          {mark}
          {label}
          {isBy ? <Icon size={14} stroke={2} aria-hidden="true" /> : null}
        </BareButton>
      ) : (
        label
      )}
    </th>
  );
};

const Cells = <Row,>({
  row,
  columns,
  actions,
}: Pick<TableProps<Row>, 'columns' | 'actions'> & { row: Row }) => (
  <>
    {columns.map(({ label, cell, name, small, isBare = name !== undefined, kind, className, isWide }) => (
      <td
        key={label}
        className={className}
        data-kind={kind}
        data-wide={isWide}
        data-head={isBare ? undefined : label}
      >
        {name === undefined ? null : <Name>{name(row)}</Name>}
        {cell?.(row)}
        {small === undefined ? null : <Small>{small(row)}</Small>}
      </td>
    ))}
    {actions === undefined ? null : (
      <td className={styles.actionsCell}>
        <div className={styles.actions}>{actions(row)}</div>
      </td>
    )}
  </>
);

interface RowActionProps {
  label: string;
  /** Its subject, which only screen readers read out. */
  of: string;
  onPress: () => void;
  isBusy?: boolean;
}

export const RowAction = ({ label, of, onPress, isBusy }: RowActionProps) => (
  <Button size="xs" variant="default" aria-label={`${label} ${of}`} loading={isBusy} onClick={onPress}>
    {label}
  </Button>
);

/** After a sign, and never before it: "dana.dispatcher@", "northern-", "carriers.", "test". */
const AFTER_SIGN = /(?<=[@._+-])(?![@._+-])/;

/** An address or a name, which breaks after its signs, and within a word only if the word does not fit on a line. */
export const Breakable = ({ text }: { text: string }) =>
  text.split(AFTER_SIGN).map((part, i) => (
    <Fragment key={i}>
      {i === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));

/** A further line of a cell in small print; nothing without a text. */
export const Small = ({ children }: { children?: ReactNode }) =>
  children == null ? null : (
    <span className={`lh-note ${styles.small}`}>
      {typeof children === 'string' ? <Breakable text={children} /> : children}
    </span>
  );

export const Name = ({ children }: { children: string }) => (
  <span className={styles.name}>
    <Breakable text={children} />
  </span>
);

/** The first characters of a key or token. */
export const PREFIX_COLUMN: Column<Pick<IngestToken, 'prefix'>> = {
  label: 'Starts with',
  className: 'lh-code',
  cell: ({ prefix }) => (prefix === null ? 'unknown' : `${prefix}…`),
};

export const createdColumn = <Row extends { createdAtMs: number }>(
  nowMs: number,
  makerOf: (row: Row) => string | null,
): Column<Row> => ({
  label: 'Created',
  cell: ({ createdAtMs }) => formatMoment(createdAtMs, nowMs),
  small: makerOf,
});

export const lastUsedColumn = (nowMs: number): Column<Pick<IngestToken, 'lastUsedAtMs'>> => ({
  label: 'Last used',
  cell: ({ lastUsedAtMs }) => (lastUsedAtMs === null ? 'Never' : formatMoment(lastUsedAtMs, nowMs)),
});

export const revokedColumn = (nowMs: number): Column<Pick<IngestToken, 'revokedAtMs'>> => ({
  label: 'State',
  cell: ({ revokedAtMs }) =>
    revokedAtMs === null ? 'In use' : `Revoked ${formatMoment(revokedAtMs, nowMs)}`,
});

/** The button that revokes a credential which is still valid. */
export const RevokeAction = <Row extends Pick<IngestToken, 'name' | 'revokedAtMs'>>({
  row,
  onRevoke,
}: {
  row: Row;
  onRevoke: (row: Row) => void;
}) =>
  row.revokedAtMs === null ? <RowAction label="Revoke" of={row.name} onPress={() => onRevoke(row)} /> : null;

interface TableOrder {
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

interface SortedColumn<Row> {
  id: string;
  /** Numbers are sorted largest first. */
  kind?: 'number';
  /** Null is last. */
  valueOf: (row: Row) => Value;
}

/** Rows in the order of a column; choosing that column again turns the order round. */
export const useSorted = <Row,>(
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
