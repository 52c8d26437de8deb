'use client';

import { Popover, UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ageWords, countWords } from '@/lib/view/numbers';
import { useAnnounce } from '../ui/announcer';
import { useReading } from '../fleet-state/fleet-context';
import styles from './freshness-pill.module.css';
import { useFreshness } from '../fleet-state/use-freshness';
import { useNowMs } from '../ui/use-now';

/** The age of what the screen shows; opens the ages that it consists of. */
export const FreshnessPill = () => {
  const { state, words, shortWords, sentence } = useFreshness();
  const [isOpen, setOpen] = useState(false);
  const isDoubtful = (state === 'live' || state === 'doubtful') && sentence !== null;
  useAnnouncedState(isDoubtful ? 'doubtful' : state, isDoubtful ? sentence : words);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={350}
      withinPortal={false}
      floatingStrategy="fixed"
      shadow="md"
      withArrow={false}
      trapFocus={false}
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton
          className={styles.pill}
          data-state={state}
          aria-label={`${words}. Show ages`}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={(event) => {
            if (!isOpen || event.key !== 'Escape') return;
            // The focus is still here, and the key is for what it opened.
            event.preventDefault();
            setOpen(false);
          }}
        >
          <span className={styles.dot} aria-hidden="true" />
          <span className={styles.long}>{words}</span>
          <span className={styles.short}>{shortWords}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.card}>
        {sentence === null ? null : (
          <p className={styles.sentence} data-state={state}>
            {sentence}
          </p>
        )}
        <Ages />
      </Popover.Dropdown>
    </Popover>
  );
};

/** Says when the connection is lost or comes back, and when what comes is doubtful, once. */
const useAnnouncedState = (state: string, words: string): void => {
  const announce = useAnnounce();
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state && before.current !== 'waiting') announce(words);
    before.current = state;
  }, [announce, state, words]);
};

const ago = (ms: number | null): string => (ms === null ? 'none yet' : `${ageWords(ms)} ago`);

const Ages = () => {
  const { fleet, skewMs, receivedAtMs } = useReading();
  const nowMs = useNowMs();
  const feed = fleet?.feed ?? null;
  const serverNowMs = nowMs + skewMs;
  const newestFixMs =
    fleet === null ? 0 : fleet.columns.fixAtS.reduce((newest, at) => Math.max(newest, at), 0) * 1000;
  return (
    <dl className={styles.ages}>
      <dt>Newest fix of a truck</dt>
      <dd>{ago(newestFixMs === 0 ? null : serverNowMs - newestFixMs)}</dd>
      <dt>Last answer from the provider</dt>
      <dd>{ago(feed?.fetchedAtMs == null ? null : serverNowMs - feed.fetchedAtMs)}</dd>
      <dt>Last update in this browser</dt>
      <dd>{ago(receivedAtMs === null ? null : nowMs - receivedAtMs)}</dd>
      {feed === null ? null : (
        <>
          <dt>In that answer</dt>
          <dd>{countWords(feed.activeUnits, 'active unit')}</dd>
        </>
      )}
      {feed !== null && feed.droppedRecords > 0 ? (
        <>
          <dt>Records dropped</dt>
          <dd>{feed.droppedRecords}</dd>
        </>
      ) : null}
      {feed !== null && feed.repairedFields > 0 ? (
        <>
          <dt>Fields repaired</dt>
          <dd>{feed.repairedFields}</dd>
        </>
      ) : null}
    </dl>
  );
};
