'use client';

import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { parseArea } from '@/lib/history/who/area';
import type { Area } from '@/lib/history/who/area';
import { formatArea } from '@/lib/history/who/area';
import { useVisits } from '@/lib/history/who/queries';
import type { VisitsAnswer } from '@/lib/history/who/schema';
import { beginOf, gapsOf, toVisitsCsv } from '@/lib/history/who/text';
import type { MapTiles } from '@/lib/map/schema';
import { formatCount, formatMoment } from '@/lib/view/format';
import { AnswerFailure, AnswerLoading, AnswerMessage } from '../answer-states';
import { toHistorySearch } from '../use-history-address';
import type { HistoryRange } from '../use-history-address';
import { AreaFields } from './area-fields';
import { AreaMap } from './area-map';
import type { Tool } from './draw-area';
import { VisitList } from './visit-list';
import styles from './who.module.css';

/** The longest range that the server answers: 31 days, one of which may have 25 hours. */
const MOST_MS = (31 * 24 + 1) * 3_600_000;

interface WhoWasHereProps {
  range: HistoryRange;
  /** As in addresses. */
  area: string | null;
  tiles: MapTiles | null;
}

/** The units that were in an area within a range of days. */
export const WhoWasHere = ({ range, area: areaText, tiles }: WhoWasHereProps) => {
  const area = useMemo(() => parseArea(areaText ?? ''), [areaText]);
  const [tool, setTool] = useState<Tool | null>(null);
  const [selected, setSelected] = useState<number | null>(null);
  const isTooLong = range.toMs - range.fromMs > MOST_MS;
  const visits = useVisits(useUsdot(), isTooLong ? null : area, range);
  const answer = useMemo(() => (visits.data === undefined ? null : inOrder(visits.data)), [visits.data]);
  const choose = (next: Area): void => {
    setTool(null);
    setSelected(null);
    window.history.pushState(null, '', toHistorySearch('who', range, formatArea(next)));
  };
  const chosen = selected === null ? null : (answer?.visits[selected] ?? null);
  return (
    <div className={styles.who}>
      <section className={styles.side} aria-label="Who was here?">
        <AreaFields area={area} tool={tool} onTool={setTool} onChoose={choose} />
        {isTooLong ? (
          <AnswerMessage title="The range is too long.">Choose at most 31 days.</AnswerMessage>
        ) : area === null ? (
          <AnswerMessage title="Choose an area.">
            Draw a rectangle or a circle on the map, or enter a town. The list then has every unit that was
            there.
          </AnswerMessage>
        ) : answer !== null ? (
          <Answer answer={answer} range={range} selected={selected} onSelect={setSelected} />
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

const inOrder = (answer: VisitsAnswer): VisitsAnswer => ({
  ...answer,
  visits: [...answer.visits].sort((a, b) => beginOf(a) - beginOf(b)),
});

const saveCsv = (answer: VisitsAnswer, { from, to }: HistoryRange): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([toVisitsCsv(answer)], { type: 'text/csv;charset=utf-8' }));
  link.download = `linehaul-visits-${from}-to-${to}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
};

interface AnswerProps {
  answer: VisitsAnswer;
  range: HistoryRange;
  selected: number | null;
  onSelect: (index: number | null) => void;
}

const Answer = ({ answer, range, selected, onSelect }: AnswerProps) => {
  const { units, visits } = answer;
  // The day is left out where there is one only.
  const dayMs = range.from === range.to ? range.fromMs : 0;
  const timeOf = (atMs: number): string => formatMoment(atMs, dayMs, range.zone);
  return (
    <>
      <div className={styles.found}>
        <p role="status">
          {visits.length === 0
            ? 'No unit was here.'
            : `${formatCount(units.length, 'unit')}, ${formatCount(visits.length, 'visit')}`}
        </p>
        {visits.length === 0 ? null : (
          <Button variant="default" h={36} px={12} fz={13} onClick={() => saveCsv(answer, range)}>
            Save as CSV
          </Button>
        )}
      </div>
      <NotRecorded gaps={gapsOf(answer.coverage, { ...range, nowMs: answer.nowMs }, timeOf)} />
      <VisitList answer={answer} range={range} timeOf={timeOf} selected={selected} onSelect={onSelect} />
      <p className={styles.note}>
        14:37–14:39: between these two fixes. A straight line counts between fixes at most 30 min apart; where
        a unit was silent for longer is not known.
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
