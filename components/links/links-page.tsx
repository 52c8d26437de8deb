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
import { useShares } from '@/lib/shares/queries';
import type { Share, ShareState } from '@/lib/shares/schema';
import {
  STATE_LABELS,
  capitalized,
  findShares,
  itemsText,
  openedText,
  openedTexts,
  placeOf,
  shownText,
  stateTexts,
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

/** The links of a fleet: who has which, until when, and how often each was opened. */
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
const NONE: readonly Share[] = [];

const Links = () => {
  const query = useShares(useUsdot());
  const [text, setText] = useSearchText();
  const find = useDeferredValue(text);
  const [{ shown }, show] = useShown();
  const [failure, setFailure] = useState<string | null>(null);
  const shares = query.data ?? NONE;
  const found = useMemo(() => findShares(shares, find), [shares, find]);
  const listed = shown === null ? found : found.filter(({ state }) => state === shown);
  const countOf = (state: ShareState | null): number =>
    state === null ? found.length : found.filter((share) => share.state === state).length;
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
        <NotReadAgain query={query} />
        {failure === null ? null : <ProblemNote role="alert">{failure}</ProblemNote>}
        <Segments
          label="Links to list"
          segments={[...STATES, null].map((state) => ({
            label: state === null ? 'All' : STATE_LABELS[state],
            count: query.data === undefined ? '–' : countOf(state),
            isChosen: shown === state,
            onChoose: () => show({ shown: state }),
          }))}
        />
      </div>
      <Answered query={query} failure="The links could not be loaded." loading={LOADING}>
        {() =>
          listed.length > 0 ? (
            <LinksTable shares={listed} onFailure={setFailure} />
          ) : (
            <NoLinks isNone={shares.length === 0} onShowAll={showAll} />
          )
        }
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

const Who = ({ share }: { share: Share }) => (
  <Link
    className="lh-link lh-cut"
    href={`/fleets/${useUsdot()}/links/${share.id}`}
    title={share.recipient}
    prefetch={false}
  >
    <b>{share.recipient}</b>
  </Link>
);

const Cut = ({ text, isNote = false }: { text: string; isNote?: boolean }) => (
  <span className={`lh-cut ${isNote ? 'lh-note' : ''}`} title={text}>
    {text}
  </span>
);

/** Two lines, of which the second is in small print. */
const Texts = ({ texts: [first, second] }: { texts: [string, string] }) => (
  <>
    <Cut text={first} />
    <Cut isNote text={second} />
  </>
);

const toColumns = (reading: ShareReading): Column<Share>[] => {
  const { nowMs } = reading;
  return [
    {
      label: 'For',
      cell: (share) => (
        <>
          <Who share={share} />
          <Cut isNote text={`${formatMoment(share.madeMs, nowMs)} by ${share.madeBy}`} />
        </>
      ),
    },
    {
      label: 'Shows',
      cell: (share) => <Texts texts={[capitalized(itemsText(share, share.names)), shownText(share)]} />,
    },
    {
      label: 'State',
      cell: (share) => <Texts texts={stateTexts(share, placeOf(share, reading), nowMs)} />,
    },
    { label: 'Opened', widthPx: [150], cell: (share) => <Texts texts={openedTexts(share, nowMs)} /> },
  ];
};

const toPhoneColumns = (reading: ShareReading): Column<Share>[] => [
  {
    label: 'Link, what it shows, and its state',
    cell: (share) => (
      <div className={styles.card}>
        <Who share={share} />
        <Cut text={capitalized(itemsText(share, share.names))} />
        <Cut text={stateTexts(share, placeOf(share, reading), reading.nowMs).join(' ')} />
        <Cut isNote text={openedText(share, reading.nowMs)} />
      </div>
    ),
  },
];

interface LinksTableProps {
  shares: readonly Share[];
  onFailure: (text: string | null) => void;
}

const LinksTable = ({ shares, onFailure }: LinksTableProps) => {
  const isPhone = usePhone();
  const reading = useShareReading();
  return (
    <WindowTable
      label="Links"
      className={styles.table}
      columns={isPhone ? toPhoneColumns(reading) : toColumns(reading)}
      rows={shares}
      keyOf={({ id }) => id}
      rowPx={isPhone ? PHONE_ROW_PX : ROW_PX}
      // A phone has them on the page of the link.
      {...(!isPhone && {
        actions: (share: Share) => <ShareActions isSmall share={share} onFailure={onFailure} />,
      })}
    />
  );
};
