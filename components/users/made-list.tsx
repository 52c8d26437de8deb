'use client';

import { Box, Skeleton, Text } from '@mantine/core';
import { Breakable } from '@/components/kit/table';
import { ProblemNote } from '@/components/ui/problem-note';
import type { Role } from '@/lib/base/viewer';
import { useUserMade } from '@/lib/users/queries';
import { mayKeep, type MadeItem, type User } from '@/lib/users/schema';
import { madeItemText } from '@/lib/users/text';

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

/** The items in use that a user created: what a change of rights revokes, what stays, and what has no recorded creator. */
export const MadeList = ({ user, rights }: MadeListProps) => {
  const { data, error } = useUserMade(user.id);
  if (data === undefined) {
    if (error === null) return <Skeleton height={60} radius="sm" />;
    return (
      <ProblemNote role="alert">
        Could not load what {user.name} created: {error.message}
      </ProblemNote>
    );
  }
  const { made, withoutMaker } = data;
  const isKept = (item: MadeItem): boolean => mayKeep(rights, item);
  return (
    <>
      <ItemList
        head={`Revoked at once, created by ${user.name}`}
        items={made.filter((item) => !isKept(item))}
      />
      <ItemList head={`Keeps working, created by ${user.name}`} items={made.filter(isKept)} />
      {user.role === 'manager' ? (
        <ItemList
          head="Keeps working, creator not recorded (command line, demo or an earlier version)"
          items={withoutMaker}
        />
      ) : null}
    </>
  );
};

const ItemList = ({ head, items }: { head: string; items: readonly MadeItem[] }) =>
  items.length === 0 ? null : (
    <section aria-label={head}>
      <Text component="h3" fz={13} fw={650}>
        {head}
      </Text>
      <Box component="ul" mah={160} m={0} mt={4} pl={20} style={{ overflowY: 'auto' }}>
        {items.map((item) => (
          <li key={`${item.kind} ${item.id} ${item.isReplacedPair}`}>
            <Breakable text={madeItemText(item)} />
          </li>
        ))}
      </Box>
    </section>
  );
