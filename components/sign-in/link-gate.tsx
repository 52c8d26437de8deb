'use client';

import { Button, Skeleton } from '@mantine/core';
import Link from 'next/link';
import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { ServerProblemError } from '@/lib/browser/fetch-json';
import { useLink } from '@/lib/users/link-queries';
import type { LinkKind } from '@/lib/users/link-queries';
import { ClearWarning } from './clear-warning';
import { EntryPage } from '../layout/entry-page';
import styles from '../layout/entry-page.module.css';

const subscribeToHash = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
};

/** What the address has after its #, which was not sent to the server; null until scripts run. */
const useToken = (): string | null =>
  useSyncExternalStore(
    subscribeToHash,
    () => window.location.hash.slice(1),
    () => null,
  );

interface LinkGateProps {
  kind: LinkKind;
  head: string;
  /** What is typed may be read on its way. */
  isInTheClear: boolean;
  /** What the link is for. */
  children: (link: { email: string; token: string }) => ReactNode;
}

/** Asks the server what a link is for, and says so where it is for nothing any more. */
export const LinkGate = (props: LinkGateProps) => {
  const token = useToken();
  return token === null ? (
    <EntryPage head={props.head}>
      {props.isInTheClear ? <ClearWarning /> : null}
      <Asking />
    </EntryPage>
  ) : (
    <Asked key={token} token={token} {...props} />
  );
};

const Asking = () => (
  <div className={styles.form} aria-busy="true">
    <p className="lh-unseen" role="status">
      The link is being read…
    </p>
    <Skeleton height={60} />
    <Skeleton height={60} />
  </div>
);

const Asked = ({ kind, head, isInTheClear, children, token }: LinkGateProps & { token: string }) => {
  const { data, error, isFetching, refetch } = useLink(kind, token);
  const isDead = error instanceof ServerProblemError && error.problem?.code === 'dead-link';
  const warning = isInTheClear && !isDead ? <ClearWarning /> : null;
  if (data !== undefined)
    return (
      <EntryPage head={head}>
        {warning}
        {children({ email: data.email, token })}
      </EntryPage>
    );
  return (
    <EntryPage head={isDead ? 'This link is of no use' : head}>
      {warning}
      {error === null ? (
        <Asking />
      ) : (
        <div className={styles.form} role="alert">
          <p>{error.message}</p>
          {isDead ? (
            <Link href="/sign-in" prefetch={false} className={styles.way}>
              Sign in
            </Link>
          ) : (
            <Button size="md" variant="default" loading={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          )}
        </div>
      )}
    </EntryPage>
  );
};
