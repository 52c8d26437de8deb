import 'server-only';
import type { PollReport } from '@/lib/live/feed/poll-report';
import type { ThreadVitals } from './health';

/** The newest poll reports, for each fleet and for the thread that polls. */
export interface FeedJournal {
  notePoll: (report: PollReport, vitals: ThreadVitals | null) => void;
  /** Null before the first, and for a fleet that was evicted. */
  lastPoll: (usdot: string) => PollReport | null;
  /** The fleets with a stored report. */
  usdots: () => string[];
  /** The health of the thread as of its newest poll; null before the first. */
  lastVitals: () => ThreadVitals | null;
}

/**
 * Keeps the last poll of a bounded number of fleets; the one that was polled longest ago is evicted first.
 */
export const createFeedJournal = ({ maxFleets }: { maxFleets: number }): FeedJournal => {
  /** In the order in which they were last polled. */
  const reports = new Map<string, PollReport>();
  let lastVitals: ThreadVitals | null = null;

  return {
    notePoll: (report, vitals) => {
      lastVitals = vitals;
      reports.delete(report.usdot);
      reports.set(report.usdot, report);
      const [oldest] = reports.keys();
      if (reports.size > maxFleets && oldest !== undefined) reports.delete(oldest);
    },
    lastPoll: (usdot) => reports.get(usdot) ?? null,
    usdots: () => [...reports.keys()],
    lastVitals: () => lastVitals,
  };
};
