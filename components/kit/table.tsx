'use client';

import { Button } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { IngestToken } from '@/lib/api-keys/schema';
import { formatMoment } from '@/lib/view/format';
import styles from './table.module.css';

interface TableHeadProps {
  /** The labels of the columns. */
  columns: readonly string[];
  /** A last column holds the actions on a row. */
  hasActions?: boolean;
}

export const TableHead = ({ columns, hasActions = true }: TableHeadProps) => (
  <thead>
    <tr>
      {columns.map((label) => (
        <th key={label} scope="col">
          {label}
        </th>
      ))}
      {hasActions ? (
        <th scope="col">
          <span className="visually-hidden">Actions</span>
        </th>
      ) : null}
    </tr>
  </thead>
);

interface TableProps extends TableHeadProps {
  label: string;
  children: ReactNode;
}

/** A table of an admin page; on a phone each row is a card, whose cells show their `data-head` as a label. */
export const Table = ({ label, children, ...head }: TableProps) => (
  <div className={styles.scroller}>
    <table className={`${styles.table} ${styles.cards}`} aria-label={label}>
      <TableHead {...head} />
      <tbody>{children}</tbody>
    </table>
  </div>
);

/** The last cell of a row: the actions on it. */
export const RowActions = ({ children }: { children?: ReactNode }) => (
  <td className={styles.actionsCell}>
    <div className={styles.actions}>{children}</div>
  </td>
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

/** A further line of a cell in small print. */
export const Small = ({ children }: { children: ReactNode }) => (
  <span className={styles.small}>{children}</span>
);

/** The first cell of a row: its name, and further lines below it. */
export const NameCell = ({ name, children }: { name: string; children?: ReactNode }) => (
  <td>
    <span className={styles.name}>
      <Breakable text={name} />
    </span>
    {children}
  </td>
);

/** The first characters of a key or token. */
export const PrefixCell = ({ prefix }: Pick<IngestToken, 'prefix'>) => (
  <td data-head="Starts with" className="lh-code">
    {prefix === null ? 'unknown' : `${prefix}…`}
  </td>
);

interface CreatedCellProps {
  atMs: number;
  by: string | null;
  nowMs: number;
}

export const CreatedCell = ({ atMs, by, nowMs }: CreatedCellProps) => (
  <td data-head="Created">
    {formatMoment(atMs, nowMs)}
    {by === null ? null : (
      <Small>
        <Breakable text={by} />
      </Small>
    )}
  </td>
);

export const LastUsedCell = ({
  lastUsedAtMs,
  nowMs,
}: Pick<IngestToken, 'lastUsedAtMs'> & { nowMs: number }) => (
  <td data-head="Last used">{lastUsedAtMs === null ? 'Never' : formatMoment(lastUsedAtMs, nowMs)}</td>
);

interface RevocableCellsProps extends Pick<IngestToken, 'name' | 'revokedAtMs'> {
  nowMs: number;
  onRevoke: () => void;
}

/** Whether a credential is still valid, and the button that revokes it. */
export const RevocableCells = ({ name, revokedAtMs, nowMs, onRevoke }: RevocableCellsProps) => (
  <>
    <td data-head="State">
      {revokedAtMs === null ? 'In use' : `Revoked ${formatMoment(revokedAtMs, nowMs)}`}
    </td>
    <RowActions>
      {revokedAtMs === null ? <RowAction label="Revoke" of={name} onPress={onRevoke} /> : null}
    </RowActions>
  </>
);
