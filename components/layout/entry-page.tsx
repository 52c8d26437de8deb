import type { ReactNode } from 'react';
import { CardPage } from '@/components/layout/card-page';
import styles from './entry-page.module.css';

interface EntryPageProps {
  head: string;
  /** What the page asks for, in a sentence. */
  lead?: ReactNode;
  children: ReactNode;
}

/** A page for who is not signed in: one card, one form. */
export const EntryPage = ({ head, lead, children }: EntryPageProps) => (
  <CardPage head={head} isForm>
    {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
    {children}
  </CardPage>
);
