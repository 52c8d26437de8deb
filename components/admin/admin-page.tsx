'use client';

import type { ReactNode } from 'react';
import styles from './admin-page.module.css';
import { useLeave } from '../layout/leaving';
import { ServerProblemError } from '@/lib/browser/fetch-json';

/** Codes that mean: not signed in, not a manager, or a second factor is missing. */
const REFUSALS: readonly (string | undefined)[] = ['sign-in-needed', 'second-factor-needed', 'managers-only'];

interface AdminPageProps {
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
export const AdminPage = ({
  title,
  actions,
  lead,
  error = null,
  isNarrow = false,
  children,
}: AdminPageProps) => {
  useLeave(error instanceof ServerProblemError && REFUSALS.includes(error.problem?.code));
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
