'use client';

import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Answered, FullPage, LoadingLines, Message, PageHead } from '@/components/kit/full-page';
import { WindowTable } from '@/components/kit/table';
import { usePhone } from '@/components/layout/shell';
import { NotReadAgain } from '@/components/loads/not-read-again';
import { Link } from '@/components/ui/link';
import { ProblemNote } from '@/components/ui/problem-note';
import { useCopy } from '@/components/ui/use-copy';
import { toFrame } from '@/components/shares/share-dialog';
import { readShareUrl, useShareOpenings, useShares } from '@/lib/shares/queries';
import type { Share, ShareOpenings } from '@/lib/shares/schema';
import {
  capitalized,
  openedText,
  placeOf,
  placesText,
  shareText,
  stateTexts,
  toBars,
} from '@/lib/shares/text';
import { formatCount, formatMoment } from '@/lib/view/format';
import { ShareActions } from './share-actions';
import styles from './links.module.css';
import { useShareReading } from '@/components/shares/use-share-reading';

const LOADING = <LoadingLines label="Loading the link…" />;

/** One link: what it shows, to whom, until when, and when it was opened. */
export const LinkPage = ({ id }: { id: string }) => {
  const usdot = useUsdot();
  const query = useShares(usdot);
  const isMounted = useMounted();
  const [failure, setFailure] = useState<string | null>(null);
  const share = query.data?.find((each) => each.id === id);
  return (
    <FullPage notices={<Notices />} isScrolled>
      <PageHead
        back={
          <Link className={`lh-link lh-flex ${styles.back}`} href={`/fleets/${usdot}/links`}>
            <IconArrowLeft size={16} stroke={2} aria-hidden="true" />
            Links
          </Link>
        }
        title={isMounted && share !== undefined ? `Link for ${share.recipient}` : 'Link'}
      >
        {isMounted && share !== undefined ? (
          <div className={styles.actions}>
            <ShareActions share={share} onFailure={setFailure} />
          </div>
        ) : null}
      </PageHead>
      {failure === null ? null : <ProblemNote role="alert">{failure}</ProblemNote>}
      <NotReadAgain query={query} />
      <Answered query={query} failure="This link could not be shown." loading={LOADING}>
        {() =>
          !isMounted ? (
            LOADING
          ) : share === undefined ? (
            <Message title="There is no such link." />
          ) : (
            <Content share={share} onFailure={setFailure} />
          )
        }
      </Answered>
    </FullPage>
  );
};

interface ContentProps {
  share: Share;
  onFailure: (text: string | null) => void;
}

const Content = ({ share, onFailure }: ContentProps) => {
  const reading = useShareReading();
  const { nowMs } = reading;
  const place = placeOf(share, reading);
  const isOpen = share.state === 'open';
  return (
    <div className={styles.content}>
      <div>
        <p>
          {/* The sentence says until when. */}
          <b>
            {stateTexts(share, place, nowMs)
              .slice(0, isOpen ? 1 : 2)
              .join(' ')}
          </b>
        </p>
        {isOpen ? <p>{shareText(share, share.names, place, nowMs)}</p> : null}
        <p className="lh-note">
          Made by {share.madeBy}, {formatMoment(share.madeMs, nowMs)}
        </p>
      </div>
      <section>
        <h2 className="lh-head">What it shows</h2>
        <ul className={`lh-list ${styles.list}`}>
          {share.items.map(({ loadId, unit, alias }, i) => (
            <li key={i}>
              <ItemLink loadId={loadId} unit={unit} name={share.names[i]!} />
              {alias === '' ? null : <span className="lh-note"> · truck shown as {alias}</span>}
            </li>
          ))}
        </ul>
      </section>
      {isOpen && share.frameOrigins.length > 0 ? <Frames share={share} onFailure={onFailure} /> : null}
      <section>
        <h2 className="lh-head">Opened</h2>
        <Ledger share={share} nowMs={nowMs} />
      </section>
    </div>
  );
};

/** The sites that may show it in a frame, with the code for that. */
const Frames = ({ share: { id, frameOrigins }, onFailure }: ContentProps) => {
  const usdot = useUsdot();
  const { outcome, copy } = useCopy('Code of the frame');
  const copyCode = async (): Promise<void> => {
    onFailure(null);
    try {
      await copy(readShareUrl(usdot, id).then(toFrame));
    } catch (cause) {
      onFailure(cause instanceof Error ? cause.message : String(cause));
    }
  };
  return (
    <section>
      <h2 className="lh-head">In a frame of</h2>
      <ul className={`lh-list ${styles.list}`}>
        {frameOrigins.map((origin) => (
          <li key={origin}>{origin}</li>
        ))}
      </ul>
      <Button variant="default" size="xs" className={styles.code} onClick={() => void copyCode()}>
        {outcome ?? 'Copy the code'}
      </Button>
    </section>
  );
};

const ItemLink = ({ loadId, unit, name }: { loadId: number | null; unit: string | null; name: string }) => {
  const base = `/fleets/${useUsdot()}`;
  if (loadId === null && unit === null) return name;
  const href = loadId === null ? `${base}/units/${encodeURIComponent(unit!)}` : `${base}/loads/${loadId}`;
  return (
    <Link className="lh-link" href={href}>
      {loadId === null ? 'Truck' : 'Load'} <b>{name}</b>
    </Link>
  );
};

const Ledger = ({ share, nowMs }: { share: Share; nowMs: number }) => {
  const query = useShareOpenings(useUsdot(), share);
  return (
    <div className={styles.ledger}>
      <p>
        {capitalized(openedText(share, nowMs))}
        {query.data === undefined || query.data.places === 0 ? '' : `, from ${placesText(query.data.places)}`}
        . Openings are counted by the hour and by network; who opened it is not recorded.
      </p>
      {share.opened === 0 ? null : (
        <Answered
          query={query}
          failure="The openings could not be loaded."
          loading={<LoadingLines count={4} />}
        >
          {({ openings }) => (openings.length === 0 ? null : <Openings openings={openings} nowMs={nowMs} />)}
        </Answered>
      )}
    </div>
  );
};

const ROW_PX = 41;
/** Its cells are below each other. */
const PHONE_ROW_PX = 96;

const hourText = (ms: number, nowMs: number): string => formatMoment(ms, nowMs).replace(':00 ', ' ');

const Openings = ({ openings, nowMs }: { openings: readonly ShareOpenings[]; nowMs: number }) => {
  const { bars, fromMs, toMs } = toBars(openings);
  const most = Math.max(...bars, 1);
  const isPhone = usePhone();
  return (
    <>
      <div aria-hidden="true">
        <div className={styles.chart}>
          {bars.map((count, i) => (
            <span key={i} style={{ height: `${(100 * count) / most}%` }} />
          ))}
        </div>
        <p className={styles.span}>
          <span>{hourText(fromMs, nowMs)}</span>
          <span>{hourText(toMs, nowMs)}</span>
        </p>
      </div>
      <WindowTable
        isBoxed
        label="Openings by hour"
        rowPx={isPhone ? PHONE_ROW_PX : ROW_PX}
        columns={[
          { label: 'Hour', name: ({ hourMs }) => hourText(hourMs, nowMs) },
          { label: 'Opened', kind: 'number', cell: ({ count }) => formatCount(count, 'time') },
          { label: 'From', kind: 'number', cell: ({ places }) => placesText(places) },
        ]}
        rows={openings}
        keyOf={({ hourMs }) => hourMs}
      />
    </>
  );
};
