import type { ReactNode } from 'react';
import styles from './entry-page.module.css';

interface EntryPageProps {
  head: string;
  /** What the page asks for, in a sentence. */
  lead?: ReactNode;
  children: ReactNode;
}

/** A page for who is not signed in: one card, one form. */
export const EntryPage = ({ head, lead, children }: EntryPageProps) => (
  <main className={styles.page}>
    <div className={styles.card}>
      <div className={styles.brand}>
        <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" fill="var(--lh-accent)" />
          <path d="M25.5 16 8 24.5 11.6 16 8 7.5z" fill="var(--lh-on-accent)" />
        </svg>
        Linehaul
      </div>
      <h1 className={styles.head}>{head}</h1>
      {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
      {children}
    </div>
  </main>
);
