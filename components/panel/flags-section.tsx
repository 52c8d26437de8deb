import { Link } from '@/components/ui/link';
import { useReading } from '@/components/fleet-state/fleet-context';
import { FlagSign } from '@/components/map/status-glyph';
import { useNowMs } from '@/components/ui/use-now';
import { distanceM } from '@/lib/geo/geodesy';
import { FLAG_MEANINGS } from '@/lib/view/explanations';
import { inLocalTimes, formatDistance } from '@/lib/view/format';
import type { UnitRow } from '@/lib/view/unit-row';
import { FLAG_LABELS } from '@/lib/view/text';
import type { Flag } from '@/lib/motion/status';
import type { FlagEvidence, UnitDetail } from '@/lib/wire/unit';
import { Section } from './facts';
import styles from './sections.module.css';

interface FlagsSectionProps {
  unit: UnitRow;
  detail: UnitDetail | null;
  /** The flags of the provider's own record of the unit, where it was fetched. */
  providerFlags?: readonly FlagEvidence[];
}

/** The flags of a unit with their evidence; renders nothing without any. */
export const FlagsSection = ({ unit, detail, providerFlags = [] }: FlagsSectionProps) => {
  const nowMs = useNowMs();
  const isPast = useReading().past !== null;
  if (unit.flags.length === 0) return null;
  const { position } = unit;
  const unconfirmed = detail?.unconfirmed ?? null;
  const evidence = [...(detail?.flags ?? []), ...providerFlags];
  const textOf = (flag: Flag): string => {
    const text = evidence.find((seen) => seen.flag === flag)?.text ?? FLAG_MEANINGS[flag];
    // Clock faults are shown in UTC, which devices are set to.
    return flag === 'clockFault' ? text : inLocalTimes(text, nowMs);
  };
  return (
    <Section head="To check">
      <ul className={`lh-list ${styles.flags}`}>
        {unit.flags.map((flag) => (
          <li key={flag} className={styles.flag}>
            <FlagSign size={12} />
            <div>
              <Link href={`/help#${flag}`} prefetch={false} className={styles.flagName}>
                {FLAG_LABELS[flag]}
                <span className="visually-hidden">: what it means and what to do</span>
              </Link>
              <p>{textOf(flag)}</p>
              {flag === 'impossibleJump' && unconfirmed !== null && position !== null ? (
                <p>The unconfirmed place is {formatDistance(distanceM(position, unconfirmed))} away.</p>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
      {isPast ? (
        <p className={`lh-small ${styles.note}`}>What each flag is based on is shown live only.</p>
      ) : null}
    </Section>
  );
};
