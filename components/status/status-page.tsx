'use client';

import { Button } from '@mantine/core';
import { PageFrame, Empty, Loaded, Section } from '@/components/kit/page-frame';
import { Table, type Column } from '@/components/kit/table';
import { useNowMs } from '@/components/ui/use-now';
import { useServerStatus } from '@/lib/status/queries';
import type { ServerStatus, SharingServerStatus } from '@/lib/status/schema';
import {
  ownNameText,
  sharingFleetsText,
  sharingStateText,
  statedDelayText,
  judgeServer,
  accountText,
  bytesText,
  databaseText,
  recordedText,
  routingText,
  sourceText,
  type ServerClock,
} from '@/lib/status/text';
import { formatClock, formatExactTime, formatDuration, formatMoment, formatWhole } from '@/lib/view/format';
import { FeedCard, ToneSign } from './feed-card';
import styles from './status.module.css';

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
  /** Unix ms by the browser's clock. */
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

const ServerCard = ({ status, clock }: { status: ServerStatus; clock: ServerClock }) => {
  const { accounts, source, versions, memory, startedAtMs } = status;
  const { nowMs, skewMs } = clock;
  const name = status.sharing && ownNameText(status.sharing);
  return (
    <Section title={name === null ? 'Server' : `This server: ${name}`} isCard>
      <dl className={styles.server}>
        <dt>{accounts.length === 1 ? 'Carrier account' : 'Carrier accounts'}</dt>
        {accounts.map((account, index) => (
          <dd key={index}>{accountText(account, accounts.length)}</dd>
        ))}
        <dt>Source of fleets</dt>
        <dd>{sourceText(source, accounts.length)}</dd>
        <dt>Uptime</dt>
        <dd>
          {formatDuration(nowMs - startedAtMs)}, since {formatExactTime(startedAtMs - skewMs, nowMs - skewMs)}
        </dd>
        <dt>Memory</dt>
        <dd>
          {bytesText(memory.residentBytes)}, including {bytesText(memory.heapUsedBytes)} for requests
          {memory.threadHeapUsedBytes === null
            ? null
            : ` and ${bytesText(memory.threadHeapUsedBytes)} for polling`}
        </dd>
        <dt>Recording</dt>
        <dd>{recordedText(status, clock)}</dd>
        {status.archiveProblems.map((problem) => (
          <dd key={problem} className={styles.broken}>
            {problem}
          </dd>
        ))}
        {status.routing === null ? null : (
          <>
            <dt>Routing engine</dt>
            <dd className={status.routing.state === 'away' ? styles.broken : undefined}>
              {routingText(status.routing, clock)}
            </dd>
          </>
        )}
        <dt>Linehaul</dt>
        <dd>
          {versions.app}, {versions.build === null ? 'in development' : `build ${versions.build}`}
        </dd>
        <dt>Node.js</dt>
        <dd>{versions.node}</dd>
        <dt>Database</dt>
        <dd>{databaseText(status, clock)}</dd>
      </dl>
    </Section>
  );
};

/** Enough to tell builds apart; the card of the server has all. */
const BUILD_CHARACTERS = 8;

type Sharing = NonNullable<ServerStatus['sharing']>;

const ServersTable = ({ sharing, clock }: { sharing: Sharing; clock: ServerClock }) => (
  <Section
    title="Servers"
    lead="Each fleet is polled by one server. Lag: how late the newest answer is for the most overdue fleet of a server. Redis delay: how long a message takes to reach it through Redis."
  >
    <Table
      label="Servers"
      columns={toColumns(sharing, clock)}
      rows={sharing.servers}
      keyOf={({ id }) => id}
    />
  </Section>
);

const buildText = (build: string | null): string =>
  build === null ? 'in development' : `build ${build.slice(0, BUILD_CHARACTERS)}`;

const toColumns = (sharing: Sharing, { nowMs, skewMs }: ServerClock): Column<SharingServerStatus>[] => [
  {
    label: 'Server',
    name: ({ id, report }) => report?.name ?? id,
    small: ({ isThis }) => (isThis ? 'This server' : null),
  },
  {
    label: 'State',
    className: 'lh-nowrap',
    cell: (server) => {
      const { text, isBroken } = sharingStateText(server, sharing);
      return isBroken ? <b className={styles.broken}>{text}</b> : text;
    },
  },
  {
    label: 'Fleets',
    className: styles.fleets,
    cell: ({ fleets }) => formatWhole(fleets),
    small: sharingFleetsText,
  },
  { label: 'Lag', className: 'lh-nowrap', cell: (server) => statedDelayText(server, 'lagMs') },
  { label: 'Redis delay', className: 'lh-nowrap', cell: (server) => statedDelayText(server, 'echoMs') },
  {
    label: 'Version',
    className: 'lh-nowrap',
    cell: ({ report }) => report?.app ?? 'Another version',
    small: ({ report }) => report && buildText(report.build),
  },
  {
    label: 'Running since',
    cell: ({ report }) =>
      report === null ? 'Not known' : formatMoment(nowMs - skewMs - report.uptimeMs, nowMs - skewMs),
  },
];
