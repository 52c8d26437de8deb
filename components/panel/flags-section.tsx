'use client';

import Link from 'next/link';
import { useNowMs } from '@/components/ui/use-now';
import { distanceM } from '@/lib/motion/distance';
import { inLocalTimes } from '@/lib/view/local-times';
import { distanceWords } from '@/lib/view/numbers';
import type { UnitRow } from '@/lib/view/unit-row';
import { FLAG_MEANINGS, FLAG_WORDS } from '@/lib/view/text';
import type { Flag } from '@/lib/wire/status';
import type { FlagEvidence, UnitDetail } from '@/lib/wire/unit';
import { Section } from './facts';
import styles from './flags-section.module.css';

interface FlagsSectionProps {
  unit: UnitRow;
  detail: UnitDetail | null;
  /** What the provider's own record of the unit says, where it was asked for. */
  said?: readonly FlagEvidence[];
}

/** Each thing to check about a unit, with what was seen; nothing where there is nothing. */
export const FlagsSection = ({ unit, detail, said = [] }: FlagsSectionProps) => {
  const nowMs = useNowMs();
  if (unit.flags.length === 0) return null;
  const { position } = unit;
  const doubtful = detail?.doubtful ?? null;
  const evidence = [...(detail?.flags ?? []), ...said];
  const wordsOf = (flag: Flag): string => {
    const words = evidence.find((seen) => seen.flag === flag)?.words ?? FLAG_MEANINGS[flag];
    // Clock faults are shown in UTC, which devices are set to.
    return flag === 'clockFault' ? words : inLocalTimes(words, nowMs);
  };
  return (
    <Section head="To check">
      <ul className={styles.flags}>
        {unit.flags.map((flag) => (
          <li key={flag} className={styles.flag}>
            <svg width="12" height="11" viewBox="0 0 10 9" aria-hidden="true">
              <path d="M5 0.5 9.6 8.5H0.4Z" fill="currentcolor" />
            </svg>
            <div>
              <Link href={`/help#${flag}`} prefetch={false} className={styles.name}>
                {FLAG_WORDS[flag]}
                <span className="lh-unseen">: what it means and what to do</span>
              </Link>
              <p>{wordsOf(flag)}</p>
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
