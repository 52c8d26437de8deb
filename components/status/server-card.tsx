import { exactWords } from '@/lib/view/clock';
import { durationWords } from '@/lib/view/numbers';
import { accountWords, bytesWords, databaseWords } from '@/lib/status/text';
import type { ServerClock } from '@/lib/status/text';
import type { ServerStatus } from '@/lib/status/schema';
import styles from './server-card.module.css';

/** The server itself: whose account it reads with, since when it runs, what it needs, and what it is made of. */
export const ServerCard = ({ status, clock }: { status: ServerStatus; clock: ServerClock }) => {
  const { accounts, source, versions, memory, startedAtMs } = status;
  const { nowMs, skewMs } = clock;
  return (
    <section className={styles.card} aria-labelledby="server">
      <h2 id="server" className={styles.head}>
        Server
      </h2>
      <dl className={styles.facts}>
        <dt>{accounts.length === 1 ? 'Account' : 'Accounts'}</dt>
        {accounts.map((account, index) => (
          <dd key={index}>{accountWords(account, accounts.length)}</dd>
        ))}
        <dt>Fleets come from</dt>
        <dd>
          {source === 'embedded'
            ? 'the tracking service inside this server'
            : accounts.length === 1
              ? 'a tracking provider elsewhere'
              : `tracking providers elsewhere, by ${accounts.length} accounts`}
        </dd>
        <dt>Uptime</dt>
        <dd>
          {durationWords(nowMs - startedAtMs)}, since {exactWords(startedAtMs - skewMs, nowMs - skewMs)}
        </dd>
        <dt>Memory</dt>
        <dd>
          {bytesWords(memory.residentBytes)}, of it {bytesWords(memory.heapUsedBytes)} for answering
          {memory.threadHeapUsedBytes === null
            ? null
            : ` and ${bytesWords(memory.threadHeapUsedBytes)} for polling`}
        </dd>
        <dt>Linehaul</dt>
        <dd>
          {versions.app}, {versions.build === null ? 'in development' : `build ${versions.build}`}
        </dd>
        <dt>Node.js</dt>
        <dd>{versions.node}</dd>
        <dt>Database</dt>
        <dd>{databaseWords(status, clock)}</dd>
      </dl>
    </section>
  );
};
