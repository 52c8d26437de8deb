'use client';

import type { ReactNode } from 'react';
import styles from './admin-page.module.css';
import { useLeaveWhenSignedOut } from './use-leave-when-signed-out';

interface DeskPageProps {
  title: string;
  /** What the page is there to do, at its top right. */
  actions?: ReactNode;
  /** What the page is for, in a sentence or two. */
  lead?: ReactNode;
  /** Why what the page shows could not be read, or was refused. */
  error?: Error | null;
  /** As wide as a text is read, for a page of cards. */
  isNarrow?: boolean;
  children?: ReactNode;
}

/** A page of managers, or of one's own account: its head, what went wrong, and what it shows. */
export const DeskPage = ({
  title,
  actions,
  lead,
  error = null,
  isNarrow = false,
  children,
}: DeskPageProps) => {
  useLeaveWhenSignedOut(error);
  return (
    <div className={styles.page} data-narrow={isNarrow}>
      <div className={styles.top}>
        <h1 className={styles.title}>{title}</h1>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </div>
      {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
      {error === null ? null : (
        <p className={styles.failure} role="alert">
          {error.message}
        </p>
      )}
      {children}
    </div>
  );
};
