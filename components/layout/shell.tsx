import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@/components/ui/link';
import type { ReactNode } from 'react';
import styles from './shell.module.css';
import { useViewer } from './viewer-context';

interface ShellProps {
  /** A `header`. */
  bar: ReactNode;
  /** A `nav`, which a phone does not show. */
  rail: ReactNode;
  /** Prepares the page for paper, and is its head there. */
  printHead: ReactNode;
  children: ReactNode;
}

/** The layout of bar, rail and page; only the page scrolls. */
export const Shell = ({ bar, rail, printHead, children }: ShellProps) => (
  <div className={styles.shell}>
    {bar}
    {rail}
    {printHead}
    <main className={styles.main}>{children}</main>
  </div>
);

/** A link to the choice of another source, in the bar of every page of the demo without sign-in. */
export const DemoNote = () =>
  useViewer().kind === 'demo' ? (
    <Link
      href="/fleet-source"
      prefetch={false}
      className={styles.demo}
      title="Demo without sign-in: use your own trucks"
    >
      Demo<span className={styles.more}> — use your own trucks</span>
    </Link>
  ) : null;

/** As in the CSS modules: on a narrower screen, the list and the panel are a sheet over the map. */
const PHONE_QUERY = 'screen and (max-width: 859px)';

/** Whether the screen is too narrow for a list beside a map; false until it is known. */
export const usePhone = (): boolean => useMediaQuery(PHONE_QUERY, false);
