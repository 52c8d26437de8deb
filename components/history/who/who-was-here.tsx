'use client';

import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { saveCsv } from '@/components/ui/save-file';
import { toMoment } from '@/lib/trips/days';
import { formatArea, parseArea, type Area } from '@/lib/reports/who/area';
import { useVisits } from '@/lib/reports/queries';
import type { VisitsAnswer } from '@/lib/reports/who/schema';
import { LONGEST_MS, beginOf, foundText, gapsOf, toVisitsCsv } from '@/lib/reports/who/text';
import type { MapTiles } from '@/lib/map/schema';
import { formatCount, formatMoment } from '@/lib/view/format';
import { AnswerFailure, AnswerLoading, AnswerMessage } from '../answer-states';
import { toHistorySearch, type HistoryRange, type WhoAddress } from '../use-history-address';
import { AreaFields } from './area-fields';
import { AreaMap } from './area-map';
import type { Tool } from './draw-area';
import { VisitList } from './visit-list';
import styles from './who.module.css';

interface WhoWasHereProps {
  range: HistoryRange;
  who: WhoAddress;
  tiles: MapTiles | null;
}

/** A range of days from a time of the first to a time of the last. */
const toTimes = (days: HistoryRange, { start, end }: WhoAddress): HistoryRange => {
  const { from, to, zone } = days;
  return {
    ...days,
    fromMs: start === null ? days.fromMs : toMoment(from, `${start}:00`, zone),
    toMs: end === null ? days.toMs : toMoment(to, `${end}:00`, zone),
  };
};

const toProblem = ({ fromMs, toMs }: HistoryRange): string | null => {
  if (fromMs >= toMs) return 'The range ends before it begins.';
  return toMs - fromMs > LONGEST_MS ? 'Choose at most 31 days.' : null;
};

/** The units that were in an area within a range of time. */
export const WhoWasHere = ({ range: days, who, tiles }: WhoWasHereProps) => {
  const area = useMemo(() => parseArea(who.area ?? ''), [who.area]);
  const range = toTimes(days, who);
  const [tool, setTool] = useState<Tool | null>(null);
  const [selected, setSelected] = useState<{ answer: VisitsAnswer; index: number } | null>(null);
  const problem = toProblem(range);
  const visits = useVisits(useUsdot(), problem === null ? area : null, range);
  const answer = useMemo(() => (visits.data === undefined ? null : inOrder(visits.data)), [visits.data]);
  const change = (next: Partial<WhoAddress>): void =>
    window.history.pushState(null, '', toHistorySearch('who', days, { ...who, ...next }));
  const choose = (next: Area): void => {
    setTool(null);
    change({ area: formatArea(next) });
  };
  // Another answer has other visits.
  const index = selected !== null && selected.answer === answer ? selected.index : null;
  const chosen = index === null ? null : (answer?.visits[index] ?? null);
  return (
    <div className={styles.who}>
      <section className={styles.side} aria-label="Who was here?">
        <AreaFields area={area} tool={tool} onTool={setTool} onChoose={choose} />
        <TimeFields who={who} onChange={change} />
        {problem !== null ? (
          <AnswerMessage title="Choose another range.">{problem}</AnswerMessage>
        ) : area === null ? (
          <AnswerMessage title="Choose an area.">
            Draw a rectangle or a circle on the map, or enter a town. The list then has every truck that was
            there.
          </AnswerMessage>
        ) : answer !== null ? (
          <Answer
            answer={answer}
            range={range}
            selected={index}
            onSelect={(next) => setSelected(next === null ? null : { answer, index: next })}
          />
        ) : visits.error !== null ? (
          <AnswerFailure
            error={visits.error}
            isFetching={visits.isFetching}
            onRetry={() => void visits.refetch()}
          />
        ) : (
          <AnswerLoading />
        )}
      </section>
      <AreaMap
        area={area}
        tool={tool}
        tiles={tiles}
        range={range}
        visit={chosen}
        identity={chosen === null ? null : answer!.units[chosen.unit]!}
        onDrawn={choose}
        onCancel={() => setTool(null)}
      />
    </div>
  );
};

/** The times of day at which the range begins and ends; empty: at midnight. */
const TimeFields = ({
  who,
  onChange,
}: {
  who: WhoAddress;
  onChange: (next: Partial<WhoAddress>) => void;
}) => (
  <div className={styles.times}>
    <label>
      <span>First day from</span>
      <input
        type="time"
        value={who.start ?? ''}
        onChange={({ target: { value } }) => onChange({ start: value || null })}
      />
    </label>
    <label>
      <span>Last day until</span>
      <input
        type="time"
        value={who.end ?? ''}
        onChange={({ target: { value } }) => onChange({ end: value || null })}
      />
    </label>
  </div>
);

const inOrder = (answer: VisitsAnswer): VisitsAnswer => ({
  ...answer,
  visits: [...answer.visits].sort((a, b) => beginOf(a) - beginOf(b)),
});

interface AnswerProps {
  answer: VisitsAnswer;
  range: HistoryRange;
  selected: number | null;
  onSelect: (index: number | null) => void;
}

const Answer = ({ answer, range, selected, onSelect }: AnswerProps) => {
  const usdot = useUsdot();
  const { from, to, zone } = range;
  // The day is left out where there is one only.
  const dayMs = from === to ? range.fromMs : 0;
  const timeOf = (atMs: number, besideMs?: number | null): string =>
    formatMoment(atMs, besideMs ?? dayMs, zone);
  const save = (): void => saveCsv(`who-was-here-${usdot}-${from}-${to}.csv`, toVisitsCsv(answer));
  return (
    <>
      <div className={styles.found}>
        <p role="status">{foundText(answer)}</p>
        {answer.visits.length === 0 ? null : (
          <Button variant="default" h={36} px={12} fz={13} onClick={save}>
            Save as CSV
          </Button>
        )}
      </div>
      <NotRecorded gaps={gapsOf(answer.coverage, { ...range, nowMs: answer.nowMs }, timeOf)} />
      <VisitList answer={answer} range={range} timeOf={timeOf} selected={selected} onSelect={onSelect} />
      <p className={styles.note}>
        A time with a dash is between two fixes. A straight line counts between fixes at most 30 min apart;
        where a truck was silent for longer is not known.
      </p>
    </>
  );
};

const NotRecorded = ({ gaps }: { gaps: { fromMs: number; text: string }[] }) =>
  gaps.length === 0 ? null : (
    <details className={styles.gaps} open={gaps.length <= 3}>
      <summary>Not recorded ({formatCount(gaps.length, 'time')})</summary>
      <ul>
        {gaps.map(({ fromMs, text }) => (
          <li key={fromMs}>{text}</li>
        ))}
      </ul>
    </details>
  );
