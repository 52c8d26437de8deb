import { formatExactTime, formatDuration } from '@/lib/view/format';
import {
  accountText,
  bytesText,
  databaseText,
  recordedText,
  sourceText,
  type ServerClock,
  ownNameText,
} from '@/lib/status/text';
import type { ServerStatus } from '@/lib/status/schema';
import { Section } from '../admin/admin-page';
import styles from './status.module.css';

/** The server itself: its accounts, source, uptime, memory, versions and database. */
export const ServerCard = ({ status, clock }: { status: ServerStatus; clock: ServerClock }) => {
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
