import { FLAG_WORDS } from '@/lib/view/text';
import type { Flag } from '@/lib/wire/status';
import styles from './flag-labels.module.css';

/** The first flag of a unit as a word with a triangle, and how many more there are. */
export const FlagWords = ({ flags }: { flags: readonly Flag[] }) => {
  const [first, ...others] = flags;
  if (first === undefined) return null;
  return (
    <span className={styles.flag}>
      <svg width="10" height="9" viewBox="0 0 10 9" aria-hidden="true">
        <path d="M5 0.5 9.6 8.5H0.4Z" fill="currentcolor" />
      </svg>
      <span className={styles.words}>{FLAG_WORDS[first]}</span>
      {others.length > 0 ? <span>+{others.length}</span> : null}
    </span>
  );
};
