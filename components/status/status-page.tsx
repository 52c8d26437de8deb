'use client';

import { Button } from '@mantine/core';
import { PageFrame, Empty, Loaded, Section } from '@/components/kit/page-frame';
import { useNowMs } from '@/components/ui/use-now';
import { useServerStatus } from '@/lib/status/queries';
import type { ServerStatus } from '@/lib/status/schema';
import { judgeServer } from '@/lib/status/text';
import { formatClock } from '@/lib/view/format';
import { FeedCard, ToneSign } from './feed-card';
import { ServerCard } from './server-card';
import { ServersTable } from './servers-table';
import styles from './status.module.css';

/** The health of the server and its feeds, with technical details for an engineer. */
export const StatusPage = () => {
  const query = useServerStatus();
  const { data, error, dataUpdatedAt, isFetching, refetch } = query;
  const nowMs = useNowMs();
  return (
    <PageFrame title="Status" width="cards">
      {error === null ? null : (
        <div className={styles.failure} role="alert">
          <p>
            <b>{error.message}</b>{' '}
            {data === undefined
              ? 'No status has been loaded yet.'
              : `Showing the status from ${formatClock(dataUpdatedAt, nowMs)}.`}{' '}
            This page keeps trying.
          </p>
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try now
          </Button>
        </div>
      )}
      <Loaded query={query} heightPx={420}>
        {(status) => <Cards status={status} receivedAtMs={dataUpdatedAt} isStale={error !== null} />}
      </Loaded>
    </PageFrame>
  );
};

/** The name of a fleet's carrier; null if no account belongs to it. */
const findCompanyName = ({ accounts }: ServerStatus, usdot: string): string | null =>
  accounts.find(({ account }) => account?.usdot === usdot)?.account?.companyName ?? null;

interface CardsProps {
  status: ServerStatus;
  /** By the browser's clock. */
  receivedAtMs: number;
  /** The server no longer answers, so the status may have changed. */
  isStale: boolean;
}

const Cards = ({ status, receivedAtMs, isStale }: CardsProps) => {
  const browserNowMs = useNowMs();
  const skewMs = status.nowMs - receivedAtMs;
  // A stale status is evaluated at its own time.
  const nowMs = isStale ? status.nowMs : Math.max(browserNowMs + skewMs, status.nowMs);
  const clock = { nowMs, skewMs };
  const { tone, head, sentence } = judgeServer(status, clock, isStale);
  return (
    <>
      <p className={`${styles.tone} ${styles.summary}`} data-tone={tone} role="status">
        <ToneSign tone={tone} />
        <span>
          <b>{head}.</b> {sentence}
        </span>
      </p>
      <Section title="Feeds">
        {status.feeds.length === 0 ? (
          <Empty>
            No fleet has been read since the server started. Open a map, and its feed is listed here.
          </Empty>
        ) : (
          status.feeds.map((feed) => (
            <FeedCard
              key={feed.usdot}
              feed={feed}
              clock={clock}
              intervals={status}
              pageAgeMs={Math.max(0, browserNowMs - receivedAtMs)}
              companyName={findCompanyName(status, feed.usdot)}
              isStale={isStale}
            />
          ))
        )}
      </Section>
      {status.sharing === null ? null : <ServersTable sharing={status.sharing} clock={clock} />}
      <ServerCard status={status} clock={clock} />
    </>
  );
};
