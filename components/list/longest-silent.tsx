import { useMemo } from 'react';
import { useUnitMarks } from '@/components/fleet-state/marks';
import { ContactLine } from '@/components/contacts/contact-line';
import { useNowMs } from '@/components/ui/use-now';
import { toCallable } from '@/lib/contacts/text';
import { formatAge } from '@/lib/view/format';
import { unitTitle } from '@/lib/view/unit-name';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './list-pane.module.css';

interface LongestSilentProps {
  fleet: Fleet;
  /** Rows of silent trucks. */
  rows: Int32Array;
  skewMs: number;
}

/** Whom to call about the truck that has been silent longest, above the list of silent trucks. */
export const LongestSilent = ({ fleet, rows, skewMs }: LongestSilentProps) => {
  const unit = useMemo(() => findLongest(fleet, rows), [fleet, rows]);
  return unit === null ? null : <Call unit={unit} skewMs={skewMs} />;
};

/** The unit with the oldest fix; null where none has one. */
const findLongest = (fleet: Fleet, rows: Int32Array): UnitRow | null => {
  const { fixAtS } = fleet.columns;
  const fixed = rows.filter((row) => fixAtS[row] !== 0);
  const row = fixed.reduce(
    (oldest, each) => (fixAtS[each]! < fixAtS[oldest]! ? each : oldest),
    fixed[0] ?? -1,
  );
  return readUnitRow(fleet, row);
};

const Call = ({ unit: { identity, fixAtMs }, skewMs }: { unit: UnitRow; skewMs: number }) => {
  const { contact } = useUnitMarks(identity);
  const ageMs = useNowMs() + skewMs - (fixAtMs ?? 0);
  if (toCallable(contact).length === 0) return null;
  return (
    <div className={`lh-note ${styles.longest}`}>
      <span>
        Longest silent: <b>{unitTitle(identity)}</b>, {formatAge(ageMs)}
      </span>
      <ContactLine contact={contact} most={1} />
    </div>
  );
};
