import 'server-only';
import type { PollReport } from '@/lib/live/feed/poll-report';
import type { ThreadVitals } from './health';

/** What the newest polls told, of each fleet and of the thread that makes them. */
export interface FeedJournal {
  notePoll: (report: PollReport, vitals: ThreadVitals | null) => void;
  /** Null before the first, and for a fleet that others took the place of. */
  lastPoll: (usdot: string) => PollReport | null;
  /** The fleets of which something is remembered. */
  usdots: () => string[];
  /** How the thread fared up to its newest poll; null before the first. */
  lastVitals: () => ThreadVitals | null;
}

/** Remembers the last poll of at most so many fleets; the one that was polled longest ago goes first. */
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
