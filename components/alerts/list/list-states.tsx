import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { ServerProblemError } from '@/lib/browser/fetch-json';
import styles from '../alerts-page.module.css';

/** Stands for a list that is not there yet. */
export const ListLoading = () => (
  <div className={styles.loading} aria-busy="true">
    <p className="visually-hidden" role="status">
      Loading…
    </p>
    {Array.from({ length: 8 }, (_, line) => (
      <Skeleton key={line} height={40} width={`${96 - ((line * 17) % 30)}%`} />
    ))}
  </div>
);

/** Why there is nothing to show, and what leads on. */
export const ListMessage = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles.message} role="status">
    <b>{title}</b>
    {children}
  </div>
);

/** The server has no database; what it watches meanwhile waits in its memory. */
const isWithoutDatabase = (error: Error): boolean =>
  error instanceof ServerProblemError && error.problem?.code === 'accounts-unavailable';

/** Why alerts cannot be read, as text for a dispatcher. */
export const failureText = (error: Error): string =>
  isWithoutDatabase(error)
    ? 'This server cannot reach its database right now. The map stays live, and Linehaul goes on watching: alerts of this time appear here once the database is back.'
    : error.message;

interface ListFailureProps {
  title: string;
  error: Error;
  isFetching: boolean;
  onRetry: () => void;
}

/** What went wrong with a list. */
export const ListFailure = ({ title, error, isFetching, onRetry }: ListFailureProps) => (
  <div className={styles.message} role="alert">
    <b>{title}</b>
    <p>{failureText(error)}</p>
    <Button variant="default" loading={isFetching} onClick={onRetry}>
      Try again
    </Button>
  </div>
);
