import { useMemo, useState } from 'react';
import { toTextMatcher } from '@/lib/view/search';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useSearchText } from '@/components/fleet-state/search-text';
import { Answered, Message } from '@/components/kit/full-page';
import { Part, Side, Split, WindowList } from '@/components/kit/split';
import type { MapTiles } from '@/lib/map/schema';
import { formatArea, parseArea, type Area, type Region } from '@/lib/reports/who/area';
import { useVisits } from '@/lib/reports/queries';
import { useFleetSites } from '@/lib/sites/queries';
import type { VisitsAnswer } from '@/lib/reports/who/schema';
import { LONGEST_MS, beginOf, foundText, gapsOf, toVisitsCsv, toVisitText } from '@/lib/reports/who/text';
import { toMoment } from '@/lib/trips/days';
import { formatCount, formatMoment } from '@/lib/view/format';
import { unitName } from '@/lib/view/unit-name';
import { NO_ANSWER, NoTruck, useCsvFile, type CsvFile } from '../report';
import type { HistoryRange, WhoAddress } from '../use-history-address';
import { AreaFields } from './area-fields';
import { AreaMap } from './area-map';
import type { Tool } from './draw-area';
import { SiteField } from './site-field';
import styles from './who.module.css';

interface WhoWasHereProps {
  range: HistoryRange;
  who: WhoAddress;
  tiles: MapTiles | null;
  onWho: (change: Partial<WhoAddress>) => void;
  onFile: (file: CsvFile | null) => void;
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

/** The area that was drawn, that of the chosen site, and the sites that can be chosen. */
const usePlaceOf = (who: WhoAddress) => {
  const sites = useFleetSites(useUsdot(), true).data;
  const area = useMemo(() => parseArea(who.area ?? ''), [who.area]);
  const site = sites?.find(({ id }) => id === who.site);
  const region = useMemo(
    (): Region | null => (site ? { kind: 'site', shape: site.shape, marginM: site.marginM } : area),
    [site, area],
  );
  return { area, region, sites: sites ?? [] };
};

/** The units that were in an area, or at a site, within a range of time. */
export const WhoWasHere = ({ range: days, who, tiles, onWho, onFile }: WhoWasHereProps) => {
  const { area, region, sites } = usePlaceOf(who);
  const range = toTimes(days, who);
  const [tool, setTool] = useState<Tool | null>(null);
  const [selected, setSelected] = useState<{ answer: VisitsAnswer; index: number } | null>(null);
  const problem = toProblem(range);
  const visits = useVisits(useUsdot(), problem === null ? (area ?? who.site) : null, range);
  const answer = useNamedVisits(visits.data, onFile);
  const choose = (next: Area): void => {
    setTool(null);
    onWho({ area: formatArea(next), site: null });
  };
  // Another answer has other visits.
  const index = selected !== null && selected.answer === answer ? selected.index : null;
  const chosen = index === null ? null : (answer?.visits[index] ?? null);
  return (
    <Split isMapLast={region !== null && tool === null}>
      <Side aria-label="Who was here?">
        <div className={styles.form}>
          <AreaFields area={area} isSite={who.site !== null} tool={tool} onTool={setTool} onChoose={choose}>
            <SiteField
              sites={sites}
              siteId={who.site}
              onChoose={(id) => {
                setTool(null);
                onWho({ area: null, site: id });
              }}
            />
          </AreaFields>
          <TimeFields who={who} onChange={onWho} />
        </div>
        {problem !== null || (area === null && who.site === null) ? (
          <NotAsked problem={problem} />
        ) : (
          <Answered query={visits} failure={NO_ANSWER}>
            {(all) => (
              <Answer
                all={all}
                answer={answer!}
                range={range}
                isSite={who.site !== null}
                selected={index}
                onSelect={(next) => setSelected(next === null ? null : { answer: answer!, index: next })}
              />
            )}
          </Answered>
        )}
      </Side>
      <AreaMap
        area={region}
        tool={tool}
        tiles={tiles}
        range={range}
        visit={chosen}
        identity={chosen === null ? null : answer!.units[chosen.unit]!}
        onDrawn={choose}
        onCancel={() => setTool(null)}
      />
    </Split>
  );
};

/** A message in place of an answer: the fault of the range, or that no place is chosen. */
const NotAsked = ({ problem }: { problem: string | null }) =>
  problem !== null ? (
    <Message title="Choose another range.">
      <p>{problem}</p>
    </Message>
  ) : (
    <Message title="Choose a site or an area.">
      <p>
        Choose one of your sites, draw a rectangle or a circle on the map, or enter a town. The list then has
        every truck that was there.
      </p>
    </Message>
  );

/** The times of day at which the range begins and ends; empty: at midnight. */
const TimeFields = ({
  who,
  onChange,
}: {
  who: WhoAddress;
  onChange: (next: Partial<WhoAddress>) => void;
}) => (
  <Part className={styles.times}>
    {(
      [
        ['start', 'First day from'],
        ['end', 'Last day until'],
      ] as const
    ).map(([name, label]) => (
      <label key={name}>
        <span>{label}</span>
        <input
          type="time"
          className="lh-field"
          value={who[name] ?? ''}
          onChange={({ target: { value } }) => onChange({ [name]: value || null })}
        />
      </label>
    ))}
  </Part>
);

/** The visits of the trucks that the search field names, the newest first, also as a file; null until there are any. */
const useNamedVisits = (
  data: VisitsAnswer | undefined,
  onFile: WhoWasHereProps['onFile'],
): VisitsAnswer | null => {
  const [query] = useSearchText();
  const named = useMemo(() => (data === undefined ? null : inOrder(data, query)), [data, query]);
  useCsvFile(named ?? undefined, onFile, (found) => ({
    name: 'who-was-here',
    toText: () => toVisitsCsv(found),
  }));
  return named;
};

/** The visits of the trucks that a query names, the newest first. */
const inOrder = (answer: VisitsAnswer, query: string): VisitsAnswer => {
  const matches = toTextMatcher(query);
  const visits = answer.visits.filter(({ unit }) => matches([unitName(answer.units[unit]!)]));
  return { ...answer, visits: visits.sort((a, b) => beginOf(b) - beginOf(a)) };
};

/** The units that have a visit. */
const seenUnits = ({ units, visits }: VisitsAnswer): VisitsAnswer['units'] => {
  const seen = new Set(visits.map(({ unit }) => unit));
  return units.filter((_, unit) => seen.has(unit));
};

interface AnswerProps {
  /** As it came; `answer` has the visits of the trucks that the search field names. */
  all: VisitsAnswer;
  answer: VisitsAnswer;
  range: HistoryRange;
  /** It is about a site, which has a page of its own. */
  isSite: boolean;
  selected: number | null;
  onSelect: (index: number | null) => void;
}

const Answer = ({ all, answer, range, isSite, selected, onSelect }: AnswerProps) => {
  const [query, setQuery] = useSearchText();
  const { from, to, zone } = range;
  // The day is left out where there is one only.
  const dayMs = from === to ? range.fromMs : 0;
  const timeOf = (atMs: number, besideMs?: number | null): string =>
    formatMoment(atMs, besideMs ?? dayMs, zone);
  if (all.visits.length > 0 && answer.visits.length === 0)
    return <NoTruck query={query} onClear={() => setQuery('')} />;
  return (
    <>
      <Part>
        <p role="status">
          <b>{foundText({ ...answer, units: seenUnits(answer) })}</b>
        </p>
      </Part>
      <NotRecorded gaps={gapsOf(answer.coverage, { ...range, nowMs: answer.nowMs }, timeOf)} />
      <VisitList answer={answer} range={range} timeOf={timeOf} selected={selected} onSelect={onSelect} />
      <Part className="lh-note">
        A time with a dash is between two fixes. A straight line counts between fixes at most 30 min apart;
        where a truck was silent for longer is not known.
        {isSite
          ? ' The page of the site counts stays of at least a minute, and no truck that only passed.'
          : null}
      </Part>
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

/** The height of a visit; where there are several days its times take two lines. */
const ROW_PX = 76;
const DAYS_ROW_PX = 95;

interface VisitListProps {
  answer: VisitsAnswer;
  range: HistoryRange;
  timeOf: (atMs: number, besideMs?: number | null) => string;
  selected: number | null;
  onSelect: (index: number | null) => void;
}

/** The visits, the newest first; only those in view are in the page. */
const VisitList = ({ answer, range, timeOf, selected, onSelect }: VisitListProps) => {
  const { units, visits, nowMs } = answer;
  const rowPx = range.from === range.to ? ROW_PX : DAYS_ROW_PX;
  return (
    <WindowList label="Visits" rows={visits} rowPx={rowPx} keyOf={(_, index) => index}>
      {(visit, index) => {
        const text = toVisitText(visit, { ...range, nowMs }, timeOf);
        return (
          <button
            type="button"
            className={`lh-row ${styles.visit}`}
            data-certainty={visit.certainty}
            aria-pressed={index === selected}
            onClick={() => onSelect(index === selected ? null : index)}
          >
            <span className={styles.line}>
              <b>{unitName(units[visit.unit]!)}</b>
              <span>{text.duration}</span>
            </span>
            <span>{text.when}</span>
            <span className={`lh-dim ${styles.certainty}`}>{text.certainty}</span>
          </button>
        );
      }}
    </WindowList>
  );
};
