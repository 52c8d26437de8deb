import { Fragment, useEffect, useRef } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { formatAge, formatCount } from '@/lib/view/format';
import { useAnnounce } from '../ui/announcer';
import { Popup } from '../ui/popup/popup';
import { useFreshness, useReading } from '../fleet-state/fleet-context';
import styles from './freshness-pill.module.css';
import { useNowMs } from '../ui/use-now';

export const FreshnessPill = () => {
  const { state, label, shortLabel, sentence } = useFreshness();
  const isDoubtful = (state === 'live' || state === 'doubtful') && sentence !== null;
  useAnnouncedState(isDoubtful ? 'doubtful' : state, isDoubtful ? sentence : label);
  return (
    <Popup
      kind="dialog"
      position="bottom-end"
      width={350}
      className={styles.card}
      target={
        <BareButton className={`lh-note ${styles.pill}`} data-state={state}>
          <span className={styles.dot} aria-hidden="true" />
          <span className={styles.long}>{label}</span>
          <span className={styles.short}>{shortLabel}</span>
          <span className="visually-hidden">. Show ages</span>
        </BareButton>
      }
    >
      {sentence === null ? null : (
        <p className={styles.sentence} data-state={state}>
          {sentence}
        </p>
      )}
      <Ages />
    </Popup>
  );
};

/** Announces once when the connection is lost or restored, and when an answer has an anomaly. */
const useAnnouncedState = (state: string, text: string): void => {
  const announce = useAnnounce();
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state && before.current !== 'waiting') announce(text);
    before.current = state;
  }, [announce, state, text]);
};

const ago = (ms: number | null): string => (ms === null ? 'none yet' : `${formatAge(ms)} ago`);

const Ages = () => {
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
