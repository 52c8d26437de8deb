import { Fragment } from 'react';
import { formatAge, formatCount } from '@/lib/view/format';
import { useReading } from '../fleet-state/fleet-context';
import { useNowMs } from '../ui/use-now';
import styles from './freshness-pill.module.css';

const ago = (ms: number | null): string => (ms === null ? 'none yet' : `${formatAge(ms)} ago`);

/** How old what the map shows is, from the trucks' fixes to this browser. */
export const Ages = () => {
  const { fleet, skewMs, receivedAtMs } = useReading();
  const nowMs = useNowMs();
  const feed = fleet?.feed ?? null;
  const serverNowMs = nowMs + skewMs;
  const newestFixS = fleet?.columns.fixAtS.reduce((newest, at) => Math.max(newest, at), 0) ?? 0;
  const facts = {
    'Newest truck position': ago(newestFixS === 0 ? null : serverNowMs - newestFixS * 1000),
    'Last answer from the provider': ago(feed?.fetchedAtMs == null ? null : serverNowMs - feed.fetchedAtMs),
    'Last update in this browser': ago(receivedAtMs === null ? null : nowMs - receivedAtMs),
    'In that answer': feed && formatCount(feed.activeUnits, 'active truck'),
    'Records dropped': feed?.droppedRecords || null,
    'Fields repaired': feed?.repairedFields || null,
  };
  return (
    <dl className={styles.ages}>
      {Object.entries(facts).map(([name, value]) =>
        value === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
};
