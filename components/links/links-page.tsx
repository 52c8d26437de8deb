'use client';

import { useMounted } from '@mantine/hooks';
import { useDeferredValue, useMemo, useState } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useSearchText } from '@/components/fleet-state/search-text';
import { Answered, FullPage, LoadingLines, Message, PageHead, Segments } from '@/components/kit/full-page';
import { WindowTable, type Column } from '@/components/kit/table';
import { usePhone } from '@/components/layout/shell';
import { BackToLoads } from '@/components/loads/back-to-loads';
import { NotReadAgain } from '@/components/loads/not-read-again';
import { Link } from '@/components/ui/link';
import { ProblemNote } from '@/components/ui/problem-note';
import { toQuery, useAddress } from '@/components/ui/use-address';
import { CalendarActions } from '@/components/shares/calendar-dialogs';
import { useCalendars } from '@/lib/shares/calendar-queries';
import { useShares } from '@/lib/shares/queries';
import type { ShareState } from '@/lib/shares/schema';
import {
  STATE_LABELS,
  calendarShownText,
  calendarStateTexts,
  capitalized,
  findLinks,
  isCalendar,
  itemsText,
  openedText,
  openedTexts,
  placeOf,
  shownText,
  stateTexts,
  type AnyLink,
} from '@/lib/shares/text';
import { formatMoment } from '@/lib/view/format';
import { ShareActions } from './share-actions';
import type { ShareReading } from '@/components/shares/share-values';
import styles from './links.module.css';
import { useShareReading } from '@/components/shares/use-share-reading';

const ROW_PX = 62;
const PHONE_ROW_PX = 100;
const STATES = Object.keys(STATE_LABELS) as ShareState[];

/** The address names a state, or `all`. */
const useShown = () =>
  useAddress<{ shown: ShareState | null }>({
    parse: (search) => {
      const named = search.get('show');
      return { shown: named === 'all' ? null : (STATES.find((state) => state === named) ?? 'open') };
    },
    toSearch: ({ shown }) => {
      const q = new URLSearchParams(window.location.search).get('q');
      return toQuery({
        show: shown === 'open' ? null : (shown ?? 'all'),
        q: q === null ? null : encodeURIComponent(q),
      });
    },
  });

/** The links and calendars of a fleet: who has which, until when, and how often each was opened. */
export const LinksPage = () => {
  // Times and the address are the browser's.
  const isMounted = useMounted();
  return (
    <FullPage notices={<Notices />}>
      {isMounted ? (
        <Links />
      ) : (
        <>
          <PageHead back={<BackToLoads />} title="Links" />
          {LOADING}
        </>
      )}
    </FullPage>
  );
};

const LOADING = <LoadingLines label="Loading the links…" />;
const Links = () => {
  const usdot = useUsdot();
  const query = useShares(usdot);
  const calendars = useCalendars(usdot);
  const [text, setText] = useSearchText();
  const find = useDeferredValue(text);
  const [{ shown }, show] = useShown();
  const [failure, setFailure] = useState<string | null>(null);
  const links = useMemo(
    () => [...(query.data ?? []), ...(calendars.data ?? [])].sort((a, b) => b.madeMs - a.madeMs),
    [query.data, calendars.data],
  );
  const found = useMemo(() => findLinks(links, find), [links, find]);
  const listed = shown === null ? found : found.filter(({ state }) => state === shown);
  const countOf = (state: ShareState | null): number =>
    state === null ? found.length : found.filter((link) => link.state === state).length;
  const showAll = (): void => {
    setText('');
    show({ shown: null });
  };
  return (
    <>
      <PageHead
        back={<BackToLoads />}
        title="Links"
        about={<p>What customers see without an account, and until when.</p>}
      />
      <div className={styles.tools}>
        <NotReadAgain query={query.error === null ? calendars : query} />
        {failure === null ? null : <ProblemNote role="alert">{failure}</ProblemNote>}
        <Segments
          label="Links to list"
          segments={[...STATES, null].map((state) => ({
            label: state === null ? 'All' : STATE_LABELS[state],
            count: query.data === undefined || calendars.data === undefined ? '–' : countOf(state),
            isChosen: shown === state,
            onChoose: () => show({ shown: state }),
          }))}
        />
      </div>
      <Answered query={query} failure="The links could not be loaded." loading={LOADING}>
        {() => (
          <Answered query={calendars} failure="The calendars could not be loaded." loading={LOADING}>
            {() =>
              listed.length > 0 ? (
                <LinksTable links={listed} onFailure={setFailure} />
              ) : (
                <NoLinks isNone={links.length === 0} onShowAll={showAll} />
              )
            }
          </Answered>
        )}
      </Answered>
    </>
  );
};

const NoLinks = ({ isNone, onShowAll }: { isNone: boolean; onShowAll: () => void }) => {
  const usdot = useUsdot();
  return isNone ? (
    <Message title="No links yet.">
      <p>
        A link shows a customer where a load or truck is, without an account, and ends with it. Press Share on
        a <Link href={`/fleets/${usdot}/loads`}>load</Link> or a <Link href={`/fleets/${usdot}`}>truck</Link>.
        A calendar of the arrivals at a site is made on the page of the{' '}
        <Link href={`/fleets/${usdot}/sites`}>site</Link>.
      </p>
    </Message>
  ) : (
    <Message title="No link matches.">
      <p>
        <button type="button" className="lh-bare lh-link" onClick={onShowAll}>
          Show all
        </button>
      </p>
    </Message>
  );
};

/** Its recipient, and the way to its page: that of a calendar is the page of its site. */
const Who = ({ link }: { link: AnyLink }) => {
  const base = `/fleets/${useUsdot()}`;
  return (
    <Link
      className="lh-link lh-cut"
      href={isCalendar(link) ? `${base}/sites/${link.siteId}` : `${base}/links/${link.id}`}
      title={link.recipient}
      prefetch={false}
    >
      <b>{link.recipient}</b>
    </Link>
  );
};

const Cut = ({ text, look = '' }: { text: string; look?: 'lh-note' | 'lh-dim' | '' }) => (
  <span className={`lh-cut ${look}`} title={text}>
    {text}
  </span>
);

interface TextsProps {
  texts: [string, string];
  /** What is over stands back. */
  isOver?: boolean;
}

/** Two lines, of which the second is in small print. */
const Texts = ({ texts: [first, second], isOver = false }: TextsProps) => (
  <>
    <Cut text={first} look={isOver ? 'lh-dim' : ''} />
    <Cut text={second} look="lh-note" />
  </>
);

const shownTexts = (link: AnyLink): [string, string] =>
  isCalendar(link)
    ? [`Arrivals at ${link.site}`, calendarShownText(link)]
    : [capitalized(itemsText(link, link.names)), shownText(link)];

const textsOfState = (link: AnyLink, reading: ShareReading): [string, string] =>
  isCalendar(link)
    ? calendarStateTexts(link, reading.nowMs)
    : stateTexts(link, placeOf(link, reading), reading.nowMs);

const toColumns = (reading: ShareReading): Column<AnyLink>[] => [
  {
    label: 'For',
    cell: (link) => (
      <>
        <Who link={link} />
        <Cut look="lh-note" text={`${formatMoment(link.madeMs, reading.nowMs)} by ${link.madeBy}`} />
      </>
    ),
  },
  { label: 'Shows', cell: (link) => <Texts texts={shownTexts(link)} /> },
  {
    label: 'State',
    cell: (link) => <Texts texts={textsOfState(link, reading)} isOver={link.state !== 'open'} />,
  },
  { label: 'Opened', widthPx: [150], cell: (link) => <Texts texts={openedTexts(link, reading.nowMs)} /> },
];

const toPhoneColumns = (reading: ShareReading): Column<AnyLink>[] => [
  {
    label: 'Link, what it shows, and its state',
    cell: (link) => (
      <div className={styles.card}>
        <Who link={link} />
        <Cut text={shownTexts(link)[0]} />
        <Cut text={textsOfState(link, reading).join(' ')} look={link.state === 'open' ? '' : 'lh-dim'} />
        <Cut look="lh-note" text={openedText(link, reading.nowMs)} />
      </div>
    ),
  },
];

interface LinksTableProps {
  links: readonly AnyLink[];
  onFailure: (text: string | null) => void;
}

const LinksTable = ({ links, onFailure }: LinksTableProps) => {
  const isPhone = usePhone();
  const reading = useShareReading();
  return (
    <WindowTable
      label="Links"
      className={styles.table}
      columns={isPhone ? toPhoneColumns(reading) : toColumns(reading)}
      rows={links}
      keyOf={({ id }) => id}
      rowPx={isPhone ? PHONE_ROW_PX : ROW_PX}
      // A phone has them on the page of the link, or of the site.
      {...(!isPhone && {
        actions: (link: AnyLink) =>
          isCalendar(link) ? (
            <CalendarActions calendar={link} onFailure={onFailure} />
          ) : (
            <ShareActions isSmall share={link} onFailure={onFailure} />
          ),
      })}
    />
  );
};
