import type { Tone } from '@/lib/status/text';
import styles from './tone-sign.module.css';

const SIGNS: Record<Tone, string> = { good: '✓', warn: '!', bad: '✕', rest: '–' };

/** A judgment by shape as well as color; the words stand beside it. */
export const ToneSign = ({ tone }: { tone: Tone }) => (
  <span className={styles.sign} data-tone={tone} aria-hidden="true">
    {SIGNS[tone]}
  </span>
);
