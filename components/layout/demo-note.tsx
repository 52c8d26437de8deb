'use client';

import Link from 'next/link';
import styles from './demo-note.module.css';
import { useViewer } from './viewer-context';

/** In the bar of every page of the demo, which has no sign-in; links to how to change that. */
export const DemoNote = () =>
  useViewer().kind === 'demo' ? (
    <Link
      href="/help#demo"
      prefetch={false}
      className={styles.note}
      title="No sign-in here: how to run Linehaul for real"
    >
      Demo<span className={styles.more}>: no sign-in</span>
    </Link>
  ) : null;
