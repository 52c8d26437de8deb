'use client';

import Link from 'next/link';
import styles from './demo-note.module.css';
import { useViewer } from './viewer-context';

/** In the bar of every page: that this is the demo, which asks nobody to sign in; leads to how that is changed. */
export const DemoNote = () =>
  useViewer().kind === 'demo' ? (
    <Link
      href="/help#demo"
      prefetch={false}
      className={styles.note}
      title="Nobody is asked to sign in here: how to run Linehaul for real"
    >
      Demo<span className={styles.more}>: no sign-in</span>
    </Link>
  ) : null;
