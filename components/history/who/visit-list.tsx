import { WindowList } from '@/components/kit/window-list';
import type { VisitsAnswer } from '@/lib/reports/who/schema';
import { toVisitText } from '@/lib/reports/who/text';
import { unitName } from '@/lib/view/unit-name';
import type { HistoryRange } from '../use-history-address';
import styles from './who.module.css';

/** Of a visit within one day; on several days its times take two lines. */
const ROW_PX = 76;
const DAYS_ROW_PX = 95;

interface VisitListProps {
  answer: VisitsAnswer;
  range: HistoryRange;
  timeOf: (atMs: number, besideMs?: number | null) => string;
  selected: number | null;
  onSelect: (index: number | null) => void;
}

/** The visits by arrival; only those in view are in the page. */
export const VisitList = ({ answer, range, timeOf, selected, onSelect }: VisitListProps) => {
  const { units, visits, nowMs } = answer;
  const rowPx = range.from === range.to ? ROW_PX : DAYS_ROW_PX;
  return (
    <WindowList label="Visits" rows={visits} rowPx={rowPx} keyOf={(_, index) => index}>
      {(visit, index) => {
        const text = toVisitText(visit, { ...range, nowMs }, timeOf);
        return (
          <button
            type="button"
            className={styles.visit}
            data-certainty={visit.certainty}
            aria-pressed={index === selected}
            onClick={() => onSelect(index === selected ? null : index)}
          >
            <span className={styles.line}>
              <b>{unitName(units[visit.unit]!)}</b>
              <span>{text.duration}</span>
            </span>
            <span>{text.when}</span>
            <span className={styles.certainty}>{text.certainty}</span>
          </button>
        );
      }}
    </WindowList>
  );
};
