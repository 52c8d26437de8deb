import { Button, Group, Skeleton, Stack, createPolymorphicComponent, type ButtonProps } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { ServerProblemError } from '@/lib/browser/fetch-json';
import { useReloadWhenRefused } from '../layout/refused';
import { ProblemNote } from '../ui/problem-note';
import styles from './page-frame.module.css';

/** Codes that mean: not signed in, not a manager, or a second factor is missing. */
const REFUSALS: readonly (string | undefined)[] = ['sign-in-needed', 'second-factor-needed', 'managers-only'];

interface PageFrameProps {
  title: string;
  actions?: ReactNode;
  lead?: ReactNode;
  /** Why the data of the page could not be loaded, or was refused. */
  error?: Error | null;
  /** 'text' is the width of a paragraph, for a page of cards. */
  width?: 'table' | 'cards' | 'text';
  children?: ReactNode;
}

/** A page for managers, or for the user's own account: its head, its error, and its content. */
export const PageFrame = ({
  title,
  actions,
  lead,
  error = null,
  width = 'table',
  children,
}: PageFrameProps) => {
  useReloadWhenRefused(error instanceof ServerProblemError && REFUSALS.includes(error.problem?.code));
  return (
    <div className={styles.page} data-width={width}>
      <Group justify="space-between" gap={12}>
        <h1 className={styles.title}>{title}</h1>
        <Group gap={8}>{actions}</Group>
      </Group>
      {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
      {error === null ? null : <ProblemNote role="alert">{error.message}</ProblemNote>}
      {children}
    </div>
  );
};

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: Error | null };
  heightPx?: number;
  children: (data: Data) => ReactNode;
}

/** The data of a query: a skeleton while it loads, nothing if it failed, because the page shows the error. */
export const Loaded = <Data,>({ query: { data, error }, heightPx = 180, children }: LoadedProps<Data>) => {
  if (data !== undefined) return children(data);
  if (error !== null) return null;
  return (
    <div aria-busy="true">
      <span className="visually-hidden" role="status">
        Loading…
      </span>
      <Skeleton height={heightPx} radius="md" />
    </div>
  );
};

interface IconButtonProps extends ButtonProps {
  Icon: typeof IconPlus;
}

/** A button with an icon before its text; also a link, as Mantine's. */
export const IconButton = createPolymorphicComponent<'button', IconButtonProps>(
  ({ Icon, variant = 'default', ...props }: IconButtonProps) => (
    <Button variant={variant} leftSection={<Icon size={17} stroke={1.75} aria-hidden="true" />} {...props} />
  ),
);

export const AddButton = (props: { children: string; disabled?: boolean; onClick: () => void }) => (
  <IconButton Icon={IconPlus} variant="filled" {...props} />
);

/** A text in place of a table without rows. */
export const Empty = ({ role, children }: { role?: 'status'; children: ReactNode }) => (
  <div className={styles.nothing} role={role}>
    {children}
  </div>
);

interface SectionProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  isCard?: boolean;
  children?: ReactNode;
}

export const Section = ({ title, lead, actions, isCard = false, children }: SectionProps) => {
  const id = useId();
  return (
    <section className={isCard ? styles.card : styles.section} aria-labelledby={id}>
      <Group justify="space-between" gap={12}>
        <h2 id={id} className={styles.head}>
          {title}
        </h2>
        {actions}
      </Group>
      {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
      {children}
    </section>
  );
};

export const Steps = ({ children }: { children: ReactNode }) => (
  <Stack component="ol" gap={16} maw="72ch" m={0} pl={20} lh={1.5}>
    {children}
  </Stack>
);

interface ItemProps {
  title: string;
  about: ReactNode;
  children?: ReactNode;
}

/** Items of a dialog or a card, each with its buttons; on a phone these are below. */
export const ItemList = ({ children }: { children: ReactNode }) => (
  <ul className={`lh-list ${styles.items}`}>{children}</ul>
);

export const Item = ({ title, about, children }: ItemProps) => (
  <li>
    <div className={styles.itemText}>
      <b>{title}</b>
      <p className="lh-note">{about}</p>
    </div>
    {children}
  </li>
);
