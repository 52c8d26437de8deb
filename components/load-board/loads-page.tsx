'use client';

import { Button } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { Link } from '@/components/ui/link';
import { Suspense, useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { useSearchText } from '@/components/fleet-state/search-text';
import { Answered, FullPage, HeadActions, LoadingLines, Message, PageHead } from '@/components/kit/full-page';
import { IconButton } from '@/components/kit/page-frame';
import { NotReadAgain } from '@/components/loads/not-read-again';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { onDemand } from '@/components/ui/popup/on-demand';
import { ProblemNote } from '@/components/ui/problem-note';
import { useShortcuts } from '@/components/ui/shortcuts';
import { MINUTE_MS, type TimeRange } from '@/lib/base/time';
import { LISTED_MS, type EndedLoads, type Load } from '@/lib/loads/load';
import { useEndedLoads } from '@/lib/loads/page-queries';
import { useLoads } from '@/lib/loads/queries';
import { countText, findLoads, isOfRange, sortLoads, toBoardVerdict } from '@/lib/loads/text';
import type { BoardVerdict } from '@/lib/view/load-verdicts';
import { addDays, dayOf, daysRange } from '@/lib/trips/days';
import { Days, TagSelect, VerdictFilter } from './board-filters';
import { LoadsTable } from './loads-table';
import styles from './board.module.css';
import { useLoadsAddress, type LoadsAddress } from './use-loads-address';
import { useTruckName } from '@/components/fleet-state/use-trucks';

const form = onDemand(() => import('./load-form').then(({ LoadForm }) => LoadForm));

const loadImport = onDemand(() => import('./import-loads').then(({ ImportLoads }) => ImportLoads));

const readZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
const SPAN_DAYS = { day: 1, week: 7 } as const;

/** The days of the board; null: all. A week begins with its day. */
const toRange = ({ day, span }: LoadsAddress, today: string): TimeRange | null => {
  if (span === 'all') return null;
  const days = SPAN_DAYS[span];
  return daysRange(addDays(day ?? today, days - 1), days, readZone());
};

/** The loads of the board, after each step of its filters. */
const useBoard = (loads: readonly Load[], address: LoadsAddress, nowMs: number) => {
  const [typed] = useSearchText();
  // Of thousands of loads the keys come first, then the rows.
  const query = useDeferredValue(typed);
  const nameOf = useTruckName();
  const today = dayOf(nowMs, readZone());
  const { verdict, tag } = address;
  const range = useMemo(() => toRange(address, today), [address.day, address.span, today]); // oxlint-disable-line react/exhaustive-deps -- the rest of the address has no days.
  const sorted = useMemo(() => sortLoads(loads), [loads]);
  return useMemo(() => {
    // A load that is searched is found on whichever day it is.
    const isSearched = query.trim() !== '';
    const within =
      isSearched || range === null ? sorted : sorted.filter((load) => isOfRange(load, range, nowMs));
    const found = findLoads(within, query, nameOf).filter(({ tags }) => tag === null || tags.includes(tag));
    const counts = new Map<BoardVerdict, number>();
    for (const load of found) counts.set(toBoardVerdict(load), (counts.get(toBoardVerdict(load)) ?? 0) + 1);
    const shown = verdict === null ? found : found.filter((load) => toBoardVerdict(load) === verdict);
    return { found, shown, counts, isSearched };
  }, [sorted, range, query, nameOf, tag, verdict, nowMs]);
};

/** A text that names a load has so many characters. */
const LEAST_FIND = 3;

/** The loads that ended before those which the board has, where its days or its search go back so far; null: none are wanted. */
const toEndedLoads = (address: LoadsAddress, query: string, nowMs: number): EndedLoads | null => {
  const today = dayOf(nowMs, readZone());
  const { fromMs, toMs } = daysRange(today, 1, readZone());
  const find = query.trim();
  // The rest of a search is found among what is read.
  if (find !== '') return find.length < LEAST_FIND ? null : { fromMs: 0, toMs, find };
  const range = toRange(address, today);
  if (range === null || range.fromMs >= fromMs - LISTED_MS) return null;
  // What had an appointment then may have ended a little later.
  return { fromMs: range.fromMs, toMs: range.toMs + LISTED_MS, find };
};

/** The loads that a board shows, and why some are missing. */
const useBoardLoads = (query: ReturnType<typeof useLoads>) => {
  const [address] = useLoadsAddress();
  const [text] = useSearchText();
  const nowMs = Math.floor(useServerNowMs() / MINUTE_MS) * MINUTE_MS;
  const wanted = toEndedLoads(address, useDeferredValue(text), nowMs);
  const ended = useEndedLoads(useUsdot(), wanted);
  const [listed, old] = [query.data?.loads, wanted === null ? undefined : ended.data?.loads];
  const loads = useMemo(() => {
    if (listed === undefined) return null;
    const ids = new Set(listed.map(({ id }) => id));
    return old === undefined ? listed : [...listed, ...old.filter(({ id }) => !ids.has(id))];
  }, [listed, old]);
  const reason = wanted === null ? null : (ended.error ?? ended.failureReason);
  return { loads, isReading: ended.isFetching, endedProblem: reason?.message ?? null };
};

/** The loads of a fleet, the worst first. */
export const LoadsPage = ({ isRecorded }: { isRecorded: boolean }) => {
  // Times and the address are the browser's.
  const isMounted = useMounted();
  return (
    <FullPage notices={<Notices />}>
      {isMounted ? (
        <ReadBoard isRecorded={isRecorded} />
      ) : (
        <>
          <PageHead title="Loads" />
          {LOADING}
        </>
      )}
    </FullPage>
  );
};

const ReadBoard = ({ isRecorded }: { isRecorded: boolean }) => {
  const query = useLoads(useUsdot());
  const { loads, isReading, endedProblem } = useBoardLoads(query);
  return (
    <Board
      loads={loads}
      isReading={isReading}
      isRecorded={isRecorded}
      notice={
        <>
          <NotReadAgain query={query} />
          {endedProblem === null ? null : (
            <ProblemNote role="alert">Older loads are missing. {endedProblem}</ProblemNote>
          )}
        </>
      }
    >
      {(content) => (
        <Answered query={query} failure="The loads could not be loaded." loading={LOADING}>
          {() => content}
        </Answered>
      )}
    </Board>
  );
};

const LOADING = <LoadingLines label="Loading the loads…" />;
const NO_LOADS: readonly Load[] = [];

interface BoardProps {
  /** Null while they are not known. */
  loads: readonly Load[] | null;
  /** Older ones are being read. */
  isReading: boolean;
  isRecorded: boolean;
  notice: ReactNode;
  children: (content: ReactNode) => ReactNode;
}

const Board = ({ loads, isReading, isRecorded, notice, children }: BoardProps) => {
  const [address, show] = useLoadsAddress();
  const nowMs = Math.floor(useServerNowMs() / MINUTE_MS) * MINUTE_MS;
  const [, setQuery] = useSearchText();
  const { found, shown, counts, isSearched } = useBoard(loads ?? NO_LOADS, address, nowMs);
  const [isAdding, setAdding] = useState(false);
  const mayChange = useSeesAllUnits();
  const add = (): void => setAdding(mayChange);
  const today = dayOf(nowMs, readZone());
  useShortcuts({ '+': add });
  const onMade = (fromMs: number | null): void => {
    // A new load is on the screen, whatever was filtered.
    setQuery('');
    show({ verdict: null, tag: null, ...toShow(address, fromMs, today) });
  };
  const showAll = (): void => {
    setQuery('');
    show({ span: 'all', verdict: null, tag: null });
  };
  return (
    <>
      <PageHead title="Loads" about={<About count={loads && countText(shown.length, loads.length)} />}>
        <Days address={address} today={today} isSearched={isSearched} onChange={show} nowMs={nowMs} />
        {mayChange ? <AddLoad onPress={add} /> : null}
      </PageHead>
      {isRecorded ? null : <Off />}
      <div className={styles.tools}>
        {notice}
        <VerdictFilter
          verdict={address.verdict}
          counts={loads === null ? null : counts}
          all={found.length}
          onVerdict={(verdict) => show({ verdict })}
        />
        <TagSelect loads={loads ?? NO_LOADS} tag={address.tag} onTag={(tag) => show({ tag })} />
      </div>
      {children(
        shown.length > 0 ? (
          <LoadsTable loads={shown} nowMs={nowMs} />
        ) : isReading ? (
          LOADING
        ) : (
          <NoLoads
            isNone={loads?.length === 0}
            isFiltered={isSearched || address.verdict !== null || address.tag !== null}
            onShowAll={showAll}
            mayAdd={mayChange}
          />
        ),
      )}
      {isAdding ? (
        <Suspense>
          <form.Part load={null} onMade={onMade} onClose={() => setAdding(false)} />
        </Suspense>
      ) : null}
    </>
  );
};

const ImportButton = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton Icon={IconFileImport} onPointerEnter={loadImport.preload} onClick={() => setOpen(true)}>
        Import
      </IconButton>
      {isOpen ? (
        <Suspense>
          <loadImport.Part onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
};

/** What the address has to change for a new load to be on the board, whose first appointment begins then. */
const toShow = (address: LoadsAddress, fromMs: number | null, today: string): Partial<LoadsAddress> => {
  const range = toRange(address, today);
  const day = fromMs === null ? today : dayOf(fromMs, readZone());
  const atMs = fromMs ?? daysRange(today, 1, readZone()).fromMs;
  const isShown = range === null || (atMs >= range.fromMs && atMs < range.toMs);
  return isShown ? {} : { day: day === today ? null : day };
};

const About = ({ count }: { count: string | null }) => {
  const base = `/fleets/${useUsdot()}`;
  return (
    <p>
      {count === null ? '' : `${count} · `}
      <Link href={`${base}/loads/grades`} prefetch={false}>
        Arrival grades
      </Link>
      {' · '}
      <Link href={`${base}/links`} prefetch={false}>
        Links
      </Link>
    </p>
  );
};

const AddLoad = ({ onPress }: { onPress: () => void }) => (
  <HeadActions>
    <ImportButton />
    <IconButton
      Icon={IconPlus}
      variant="filled"
      aria-keyshortcuts="+"
      onPointerEnter={form.preload}
      onClick={onPress}
    >
      New load
    </IconButton>
  </HeadActions>
);

const Off = () => (
  <p className={styles.off} role="status">
    <b>Recording is off.</b> This server does not record its fleets, so it cannot say where a load is.
  </p>
);

interface NoLoadsProps {
  isNone: boolean;
  /** By more than its days. */
  isFiltered: boolean;
  onShowAll: () => void;
  mayAdd: boolean;
}

const NoLoads = ({ isNone, isFiltered, onShowAll, mayAdd }: NoLoadsProps) =>
  isNone ? (
    <Message title="No loads yet.">
      {mayAdd ? (
        <p>
          Add a load with its truck, its stops and their appointments. Linehaul then says whether it will be
          on time.
        </p>
      ) : null}
    </Message>
  ) : (
    <Message title={isFiltered ? 'No load matches.' : 'No loads on these days.'}>
      <Button variant="default" onClick={onShowAll}>
        Show all
      </Button>
    </Message>
  );
