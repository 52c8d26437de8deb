'use client';

import { Box } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import Link from 'next/link';
import { Suspense } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { onDemand, type OnDemand } from '@/components/ui/popup/on-demand';
import type { DaySpan } from '@/lib/trips/days';
import type { MapTiles } from '@/lib/map/schema';
import { AnswerLoading, AnswerMessage } from './answer-states';
import { HistoryRangeControl } from './history-range';
import { ParquetExport } from './parquet-export';
import styles from './history-page.module.css';
import {
  toHistorySearch,
  useHistoryAddress,
  type HistoryRange,
  type Question,
  type WhoAddress,
} from './use-history-address';

interface Tab {
  question: Question;
  label: string;
  answer: OnDemand<AnswerProps>;
}

interface AnswerProps {
  range: HistoryRange;
  who: WhoAddress;
  tiles: MapTiles | null;
}

/** The questions that have an answer, in the order of their tabs. */
const TABS: readonly [Tab, ...Tab[]] = [
  {
    question: 'activity',
    label: 'Activity',
    answer: onDemand(() => import('./activity/activity-report').then((module) => module.ActivityReport)),
  },
  {
    question: 'miles',
    label: 'Miles by state',
    answer: onDemand(() => import('./miles/miles-report').then((module) => module.MilesReport)),
  },
  {
    question: 'who',
    label: 'Who was here?',
    answer: onDemand(() => import('./who/who-was-here').then((module) => module.WhoWasHere)),
  },
];

/** Questions about the recorded days of a fleet. */
export const HistoryPage = ({ isRecorded, tiles }: { isRecorded: boolean; tiles: MapTiles | null }) => {
  // The days are those of the browser's time zone, which the server does not know.
  const isMounted = useMounted();
  // Today is the server's, whose clock the first answer, or the failure of it, makes known.
  const { receivedAtMs, failure } = useReading();
  return (
    <div className={styles.page}>
      <div className={styles.notices}>
        <Notices />
      </div>
      {!isRecorded ? (
        <>
          <Title />
          <AnswerMessage title="Recording is off.">
            This server does not record its fleets, so nothing is known of their past.
          </AnswerMessage>
        </>
      ) : isMounted && (receivedAtMs !== null || failure !== null) ? (
        <Questions tiles={tiles} />
      ) : (
        <Title />
      )}
    </div>
  );
};

const Title = () => (
  <Box component="h1" className={styles.title}>
    History
  </Box>
);

const Questions = ({ tiles }: Pick<AnswerProps, 'tiles'>) => {
  const base = `/fleets/${useUsdot()}/history`;
  const { question, range, who, today } = useHistoryAddress();
  const tab = TABS.find((each) => each.question === question) ?? TABS[0];
  const choose = (span: DaySpan): void =>
    window.history.pushState(null, '', toHistorySearch(tab.question, span, who));
  return (
    <>
      <header className={styles.head}>
        <Title />
        <nav className={styles.tabs} aria-label="Questions">
          {TABS.map((each) => (
            <Link
              key={each.question}
              {...toMapLink(`${base}${toHistorySearch(each.question, range, who)}`)}
              aria-current={each === tab ? 'page' : undefined}
              onPointerEnter={each.answer.preload}
              onFocus={each.answer.preload}
            >
              {each.label}
            </Link>
          ))}
        </nav>
        <HistoryRangeControl range={range} today={today} onChoose={choose} />
        <div className={styles.export}>
          <ParquetExport range={range} />
        </div>
      </header>
      <Suspense fallback={<AnswerLoading />}>
        <tab.answer.Part range={range} who={who} tiles={tiles} />
      </Suspense>
    </>
  );
};
