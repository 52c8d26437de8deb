'use client';

import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { saveCsv } from '@/components/ui/save-file';
import { useReport } from '@/lib/reports/queries';
import type { ReportedDay } from '@/lib/reports/reports';
import { AnswerFailure, AnswerMessage } from './answer-states';
import styles from './report.module.css';
import type { HistoryRange } from './use-history-address';

interface ReportProps {
  range: HistoryRange;
  /** Begins the name of the file. */
  name: string;
  note: string;
  toCsv: (days: readonly ReportedDay[]) => string;
  children: (days: readonly ReportedDay[]) => ReactNode;
}

/** The recorded days of a range, once they have come, with their file. */
export const Report = ({ range, name, note, toCsv, children }: ReportProps) => {
  const usdot = useUsdot();
  const { data, error, share, isFetching, refetch, cancel } = useReport(usdot, range);
  if (data === undefined) {
    if (error !== null && !isFetching)
      return <AnswerFailure error={error} isFetching={false} onRetry={() => void refetch()} />;
    return isFetching ? (
      <Waiting share={share} onCancel={cancel} />
    ) : (
      <AnswerMessage title="Canceled.">
        <Button variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </AnswerMessage>
    );
  }
  if (data.length === 0)
    return (
      <AnswerMessage title="Nothing was recorded.">
        No truck reported on these days, or they were not recorded.
      </AnswerMessage>
    );
  return (
    <>
      <div className={styles.tools}>
        <p>{note}</p>
        <Button
          variant="default"
          leftSection={<IconDownload size={17} stroke={1.75} />}
          onClick={() => saveCsv(`${name}-${usdot}-${range.from}-${range.to}.csv`, toCsv(data))}
        >
          CSV
        </Button>
      </div>
      {children(data)}
    </>
  );
};

const Waiting = ({ share, onCancel }: { share: number; onCancel: () => void }) => (
  <div className={styles.waiting} aria-busy="true">
    <p role="status">Reading the recording…</p>
    <progress value={share} aria-label="Days that are done" />
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
  </div>
);
