import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './history-page.module.css';

/** Stands for an answer that is not there yet. */
export const AnswerLoading = () => (
  <div className={styles.loading} aria-busy="true">
    <p className="visually-hidden" role="status">
      Loading…
    </p>
    {Array.from({ length: 12 }, (_, line) => (
      <Skeleton key={line} height={13} width={`${94 - ((line * 23) % 40)}%`} />
    ))}
  </div>
);

/** Why there is nothing to show. */
export const AnswerMessage = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles.message} role="status">
    <b>{title}</b>
    {children === undefined ? null : <p>{children}</p>}
  </div>
);

interface AnswerFailureProps {
  error: Error;
  isFetching: boolean;
  onRetry: () => void;
}

/** What went wrong with a question. */
export const AnswerFailure = ({ error, isFetching, onRetry }: AnswerFailureProps) => (
  <div className={styles.message} role="alert">
    <b>There is no answer.</b>
    <p>{error.message}</p>
    <Button variant="default" loading={isFetching} onClick={onRetry}>
      Try again
    </Button>
  </div>
);
