import {
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconClockExclamation,
  IconMinus,
  IconQuestionMark,
} from '@tabler/icons-react';
import type { Load } from '@/lib/loads/load';
import { VERDICT_MEANINGS, loadVerdictLabel, toBoardVerdict } from '@/lib/loads/text';
import type { BoardVerdict } from '@/lib/view/load-verdicts';
import styles from './loads.module.css';

const SIGNS: Readonly<Record<BoardVerdict, typeof IconCheck>> = {
  atRisk: IconAlertTriangle,
  late: IconClockExclamation,
  unknown: IconQuestionMark,
  onTime: IconCheck,
  none: IconMinus,
  done: IconCircleCheck,
};

/** The verdict of a load as a sign and a word. */
export const LoadVerdict = ({ load, nowMs }: { load: Load; nowMs: number }) => (
  <VerdictSign verdict={toBoardVerdict(load)} label={loadVerdictLabel(load, nowMs)} />
);

export const VerdictSign = ({ verdict, label }: { verdict: BoardVerdict; label: string }) => {
  const Sign = SIGNS[verdict];
  return (
    <span className={styles.verdict} data-verdict={verdict} title={VERDICT_MEANINGS[verdict]}>
      <Sign size={16} stroke={2} aria-hidden="true" />
      {label}
    </span>
  );
};
