import Link from 'next/link';
import type { ReactNode } from 'react';
import { CardPage } from './card-page';
import styles from './plain-page.module.css';

interface PlainPageProps {
  head: string;
  children: ReactNode;
  /** What one can do from here; the way when left out. */
  actions?: ReactNode;
  way?: { href: string; words: string };
  /** It stands in the frame of a fleet's pages, which is the main part of the document itself. */
  isFramed?: boolean;
}

/** A page that says one thing: what is wrong with an address, or what keeps the application from working. */
export const PlainPage = ({ head, children, actions, way = TO_FLEET, isFramed = false }: PlainPageProps) => (
  <CardPage head={head} isFramed={isFramed}>
    <div className={styles.words}>{children}</div>
    <div className={styles.actions}>
      {actions ?? (
        <Link href={way.href} prefetch={false} className={styles.link}>
          {way.words}
        </Link>
      )}
    </div>
  </CardPage>
);

const TO_FLEET = { href: '/', words: 'Open the fleet map' };
