'use client';

import { Button, Skeleton } from '@mantine/core';
import { useNowMs } from '@/components/ui/use-now';
import { useServerStatus } from '@/lib/status/queries';
import { clockWords } from '@/lib/view/clock';
import { judgeServer } from '@/lib/status/text';
import type { ServerStatus } from '@/lib/status/schema';
import { FeedCard } from './feed-card';
import { ServerCard } from './server-card';
import styles from './status-page.module.css';
import { ToneSign } from './tone-sign';

/** How the server and its feeds fare: for a manager in plain words, for an engineer folded out. */
export const StatusPage = () => {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useServerStatus();
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>Status</h1>
      {error === null ? null : (
        <div className={styles.failure} role="alert">
          <p>
            <b>{error.message}</b>{' '}
            {data === undefined
              ? 'Nothing is known of it.'
              : `What stands below is from ${clockWords(dataUpdatedAt)}.`}{' '}
            This page keeps asking.
          </p>
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Ask now
          </Button>
        </div>
      )}
      {data === undefined ? (
        error === null && <Reading />
      ) : (
        <Cards status={data} receivedAtMs={dataUpdatedAt} isOld={error !== null} />
      )}
    </div>
  );
};

const Reading = () => (
  <div className={styles.reading} aria-busy="true">
    <p className="lh-unseen" role="status">
      The status is being read…
    </p>
    {[48, 220, 160].map((height) => (
      <Skeleton key={height} height={height} radius="md" />
    ))}
  </div>
);

/** The name of the carrier whose fleet it is; null where no account says it. */
const nameOf = ({ accounts }: ServerStatus, usdot: string): string | null =>
  accounts.find(({ account }) => account?.usdot === usdot)?.account?.companyName ?? null;

interface CardsProps {
  status: ServerStatus;
  /** By the browser's clock. */
  receivedAtMs: number;
  /** The server does not answer any more: nothing of this may be taken for how it is now. */
  isOld: boolean;
}

const Cards = ({ status, receivedAtMs, isOld }: CardsProps) => {
  const browserNowMs = useNowMs();
  const skewMs = status.nowMs - receivedAtMs;
  // What is no longer true is judged as of when it was.
  const nowMs = isOld ? status.nowMs : Math.max(browserNowMs + skewMs, status.nowMs);
  const clock = { nowMs, skewMs };
  const { tone, head, sentence } = judgeServer(status, clock, isOld);
  return (
    <>
      <p className={styles.summary} data-tone={tone} role="status">
        <ToneSign tone={tone} />
        <span>
          <b>{head}.</b> {sentence}
        </span>
      </p>
      <section aria-labelledby="feeds">
        <h2 id="feeds" className={styles.head}>
          Feeds
        </h2>
        {status.feeds.length === 0 ? (
          <p className={styles.nothing}>
            No fleet has been opened since the server started. Linehaul reads the provider only while a map is
            open: open one, and its feed is listed here.
          </p>
        ) : (
          <div className={styles.feeds}>
            {status.feeds.map((feed) => (
              <FeedCard
                key={feed.usdot}
                feed={feed}
                clock={clock}
                pollIntervalMs={status.pollIntervalMs}
                pageAgeMs={Math.max(0, browserNowMs - receivedAtMs)}
                companyName={nameOf(status, feed.usdot)}
                isOld={isOld}
              />
            ))}
          </div>
        )}
      </section>
      <ServerCard status={status} clock={clock} />
    </>
  );
};
