'use client';

import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './list-states.module.css';

/** Lines that stand for those to come. */
export const ListSkeleton = () => (
  <div className={styles.skeleton} aria-busy="true">
    <p className="lh-unseen">The fleet is being loaded.</p>
    {Array.from({ length: 12 }, (_, line) => (
      <div key={line} className={styles.line} aria-hidden="true">
        <Skeleton circle height={16} />
        <Skeleton height={11} width={44 + ((line * 29) % 40)} />
        <Skeleton height={11} width={66} />
        <span />
        <Skeleton height={9} width={110 + ((line * 37) % 60)} />
        <Skeleton height={9} width={24} />
      </div>
    ))}
  </div>
);

interface ListMessageProps {
  head: string;
  children: ReactNode;
  action?: { words: string; onPress: () => void };
}

/** Why the list is empty, and what can be done about it. */
export const ListMessage = ({ head, children, action }: ListMessageProps) => (
  <div className={styles.message}>
    <h2 className={styles.head}>{head}</h2>
    <div className={styles.words}>{children}</div>
    {action ? (
      <Button variant="default" className={styles.action} onClick={action.onPress}>
        {action.words}
      </Button>
    ) : null}
  </div>
);
