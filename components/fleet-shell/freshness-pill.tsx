import { useEffect, useRef } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useAnnounce } from '../ui/announcer';
import { onDemand } from '../ui/popup/on-demand';
import { Popup } from '../ui/popup/popup';
import { useFreshness } from '../fleet-state/fleet-context';
import styles from './freshness-pill.module.css';

const ages = onDemand(() => import('./ages').then(({ Ages }) => Ages));

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
      preload={ages.preload}
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
      <ages.Part />
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
