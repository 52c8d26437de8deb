import type { ReactNode } from 'react';
import styles from './shell.module.css';

interface ShellProps {
  /** A `header`. */
  bar: ReactNode;
  /** A `nav`, which a phone does not show. */
  rail: ReactNode;
  children: ReactNode;
}

/** Where bar, rail and page stand on the screen; only the page scrolls. */
export const Shell = ({ bar, rail, children }: ShellProps) => (
  <div className={styles.shell}>
    {bar}
    {rail}
    <main className={styles.main}>{children}</main>
  </div>
);
