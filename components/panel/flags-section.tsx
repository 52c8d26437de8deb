'use client';

import { distanceM } from '@/lib/motion/distance';
import { distanceWords } from '@/lib/view/numbers';
import type { UnitRow } from '@/lib/view/unit-row';
import { FLAG_MEANINGS, FLAG_WORDS } from '@/lib/view/words';
import type { UnitDetail } from '@/lib/wire/unit';
import { Section } from './facts';
import styles from './flags-section.module.css';

/** Each thing to check about a unit, with what was seen; nothing where there is nothing. */
export const FlagsSection = ({ unit, detail }: { unit: UnitRow; detail: UnitDetail | null }) => {
  if (unit.flags.length === 0) return null;
  const { position } = unit;
  const doubtful = detail?.doubtful ?? null;
  return (
    <Section head="To check">
      <ul className={styles.flags}>
        {unit.flags.map((flag) => (
          <li key={flag} className={styles.flag}>
            <svg width="12" height="11" viewBox="0 0 10 9" aria-hidden="true">
              <path d="M5 0.5 9.6 8.5H0.4Z" fill="currentcolor" />
            </svg>
            <div>
              <b>{FLAG_WORDS[flag]}</b>
              <p>{detail?.flags.find((seen) => seen.flag === flag)?.words ?? FLAG_MEANINGS[flag]}</p>
              {flag === 'impossibleJump' && doubtful !== null && position !== null ? (
                <p>The doubtful place is {distanceWords(distanceM(position, doubtful))} away.</p>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
};
