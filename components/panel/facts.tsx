import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** A section of a panel or a page: a head in capitals, and what stands under it. */
export const Section = ({ head, children }: { head: string; children: ReactNode }) => (
  <section className={styles.section}>
    <h3 className="lh-head">{head}</h3>
    {children}
  </section>
);

export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>;

interface FactProps {
  name: string;
  children: ReactNode;
  /** Stands at its right: a button, a verdict. */
  aside?: ReactNode;
  /** What is said where there is nothing. */
  absent?: string;
}

/** One thing that is known, or that it is not. */
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
