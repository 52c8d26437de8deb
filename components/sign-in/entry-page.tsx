import type { ReactNode } from 'react';
import { BrandSign } from '@/components/screen/brand-sign';
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
        <BrandSign />
        Linehaul
      </div>
      <h1 className={styles.head}>{head}</h1>
      {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
      {children}
    </div>
  </main>
);
