import { ActionIcon, Box } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useCopy } from '@/components/ui/use-copy';
import styles from './sections.module.css';

export const Section = ({ head, children }: { head: string; children: ReactNode }) => (
  <section className={styles.section}>
    <h3 className="lh-head">{head}</h3>
    {children}
  </section>
);

export const Facts = ({ children }: { children: ReactNode }) => (
  <Box component="dl" mt={6}>
    {children}
  </Box>
);

interface FactProps {
  name: string;
  children: ReactNode;
  /** At the right of the heading: a button or a verdict. */
  aside?: ReactNode;
  /** The text where there is no value. */
  absent?: string;
}

/** One fact, or that it is unknown. */
export const Fact = ({ name, children, aside, absent = 'not given' }: FactProps) => {
  const isKnown = children !== null && children !== undefined && children !== '';
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd className={styles.value} data-known={isKnown}>
        {isKnown ? children : absent}
      </dd>
      {aside == null ? null : <dd className={styles.aside}>{aside}</dd>}
    </div>
  );
};

const SIGNS = { right: '✓', wrong: '▲', unknown: '–' } as const;

/** A judgment in a word or two, with a sign beside its color. */
export const Verdict = ({ verdict, children }: { verdict: keyof typeof SIGNS; children: ReactNode }) => (
  <span className={styles.verdict} data-verdict={verdict}>
    <span aria-hidden="true">{SIGNS[verdict]}</span> {children}
  </span>
);

/** Copies a text; `what` names it for screen readers ("VIN"). */
export const CopyButton = ({ text, what }: { text: string; what: string }) => {
  const { outcome, copy } = useCopy(what);
  return (
    <ActionIcon
      className={styles.copy}
      variant="subtle"
      color="gray"
      size={26}
      aria-label={`Copy ${what}`}
      title={outcome ?? `Copy ${what}`}
      onClick={() => void copy(text)}
    >
      {outcome === 'Copied' ? <IconCheck size={15} stroke={2} /> : <IconCopy size={15} stroke={1.75} />}
    </ActionIcon>
  );
};
