import { Button, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, type IconPlus } from '@tabler/icons-react';
import { Segments } from '@/components/kit/full-page';
import type { Load } from '@/lib/loads/load';
import { VERDICT_MEANINGS } from '@/lib/loads/text';
import { addDays } from '@/lib/trips/days';
import { formatDay, formatWhole } from '@/lib/view/format';
import { BOARD_VERDICTS, VERDICT_LABELS, type BoardVerdict } from '@/lib/view/load-verdicts';
import styles from './board.module.css';
import { SPANS, type LoadsAddress } from './use-loads-address';

const SPAN_LABELS: Readonly<Record<LoadsAddress['span'], string>> = { day: 'Day', week: 'Week', all: 'All' };

interface VerdictFilterProps {
  verdict: BoardVerdict | null;
  /** Null while they are not known. */
  counts: ReadonlyMap<BoardVerdict, number> | null;
  all: number;
  onVerdict: (verdict: BoardVerdict | null) => void;
}

/** The loads of each verdict, with how many they are. */
export const VerdictFilter = ({ verdict, counts, all, onVerdict }: VerdictFilterProps) => (
  <Segments
    label="Loads to list"
    segments={[null, ...BOARD_VERDICTS].map((each) => ({
      label: each === null ? 'All' : VERDICT_LABELS[each],
      count: counts === null ? '–' : formatWhole(each === null ? all : (counts.get(each) ?? 0)),
      title: each === null ? 'All loads' : VERDICT_MEANINGS[each],
      isChosen: verdict === each,
      onChoose: () => onVerdict(each),
    }))}
  />
);

interface DaysProps {
  address: LoadsAddress;
  today: string;
  /** A search is not limited to the days. */
  isSearched: boolean;
  nowMs: number;
  onChange: (address: Partial<LoadsAddress>) => void;
}

/** The days of the board, one or seven, and the steps to those before and after. */
export const Days = ({ address: { day, span }, today, isSearched, nowMs, onChange }: DaysProps) => {
  const shown = day ?? today;
  const move = (days: number): void => {
    const next = addDays(shown, days);
    onChange({ day: next === today ? null : next });
  };
  const step = span === 'week' ? 7 : 1;
  const textOf = (of: string): string => formatDay(Date.parse(`${of}T12:00`), nowMs);
  return (
    <div className={`lh-flex ${styles.days}`}>
      <Segments
        label="Days to list"
        segments={SPANS.map((each) => ({
          label: SPAN_LABELS[each],
          ...(each === 'all' && { title: 'All that are under way, or ended within a week' }),
          isChosen: span === each,
          onChoose: () => onChange({ span: each }),
        }))}
      />
      {span === 'all' ? null : (
        <>
          <Step
            label={step === 7 ? 'Week before' : 'Day before'}
            Icon={IconChevronLeft}
            onPress={() => move(-step)}
          />
          <span className={styles.day}>
            {shown === today ? 'Today' : textOf(shown)}
            {shown === today ? <span className={styles.long}>, {textOf(shown)}</span> : null}
            {span === 'week' ? ` – ${textOf(addDays(shown, 6))}` : null}
          </span>
          <Step
            label={step === 7 ? 'Week after' : 'Day after'}
            Icon={IconChevronRight}
            onPress={() => move(step)}
          />
          {day === null ? null : (
            <Button variant="default" size="xs" onClick={() => onChange({ day: null })}>
              Today
            </Button>
          )}
        </>
      )}
      {isSearched && span !== 'all' ? (
        <span className="lh-note">The search finds loads of all days.</span>
      ) : null}
    </div>
  );
};

const Step = ({ label, Icon, onPress }: { label: string; Icon: typeof IconPlus; onPress: () => void }) => (
  <Button variant="default" size="xs" px={6} aria-label={label} title={label} onClick={onPress}>
    <Icon size={17} stroke={1.75} aria-hidden="true" />
  </Button>
);

interface TagSelectProps {
  loads: readonly Load[];
  tag: string | null;
  onTag: (tag: string | null) => void;
}

/** The tags of the loads; nothing where they have none. */
export const TagSelect = ({ loads, tag, onTag }: TagSelectProps) => {
  const tags = [...new Set([...loads.flatMap((load) => load.tags), ...(tag === null ? [] : [tag])])].sort();
  return tags.length === 0 ? null : (
    <NativeSelect
      aria-label="Tag of the loads"
      data={[{ value: '', label: 'All tags' }, ...tags]}
      value={tag ?? ''}
      onChange={({ currentTarget }) => onTag(currentTarget.value || null)}
    />
  );
};
