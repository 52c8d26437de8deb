'use client';

import { Skeleton } from '@mantine/core';
import { Breakable } from '@/components/ui/breakable';
import { ProblemNote } from '@/components/ui/problem-note';
import { useUserMade } from '@/lib/users/queries';
import { madeItemText } from '@/lib/users/text';
import { mayKeep } from '@/lib/users/schema';
import type { MadeItem, User } from '@/lib/users/schema';
import type { Role } from '@/lib/auth/viewer';
import styles from './made-list.module.css';

/** The rights that a form would give. */
export interface Rights {
  role: Role;
  usdots: string[] | null;
  isDisabled: boolean;
}

interface MadeListProps {
  user: Pick<User, 'id' | 'name' | 'role'>;
  rights: Rights;
}

/** What a user made that is in use: what a change of rights revokes, what stays, and what has no maker on record. */
export const MadeList = ({ user, rights }: MadeListProps) => {
  const { data, error } = useUserMade(user.id);
  if (data === undefined) {
    if (error === null) return <Skeleton height={60} radius="sm" />;
    return (
      <ProblemNote role="alert">
        The list of what {user.name} made cannot be loaded: {error.message}
      </ProblemNote>
    );
  }
  const { made, withoutMaker } = data;
  const isKept = (item: MadeItem): boolean => mayKeep(rights, item);
  return (
    <>
      <ItemList head={`Revoked at once, made by ${user.name}`} items={made.filter((item) => !isKept(item))} />
      <ItemList head={`Keeps working, made by ${user.name}`} items={made.filter(isKept)} />
      {user.role === 'manager' ? (
        <ItemList
          head="Keeps working, no maker on record (command line, demo or an earlier version)"
          items={withoutMaker}
        />
      ) : null}
    </>
  );
};

const ItemList = ({ head, items }: { head: string; items: readonly MadeItem[] }) =>
  items.length === 0 ? null : (
    <section className={styles.items} aria-label={head}>
      <h3>{head}</h3>
      <ul>
        {items.map((item) => (
          <li key={`${item.kind} ${item.id} ${item.isReplacedPair}`}>
            <Breakable text={madeItemText(item)} />
          </li>
        ))}
      </ul>
    </section>
  );
