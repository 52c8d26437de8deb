import 'server-only';
import { systemClock } from '@/lib/base/clock';
import { countFleet } from '@/lib/fleet/poll-report';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { createUnitsParser } from '@/lib/tracking/units-parser';
import type { HistoryRepository } from './history-repository';

/** A provider of which it is known what it would have answered at any moment, as that of a simulated fleet. */
export interface MadePast {
  usdot: string;
  fromMs: number;
  toMs: number;
  /** How long after a poll at a moment the next one is. */
  stepMsAt: (atMs: number) => number;
  roster: ReadonlySet<string>;
  readRecords: (atMs: number) => readonly unknown[];
}

/** Records a fleet's past by the rules of the live path; ends early once `isEnded` is true. */
export const recordPast = async (
  history: HistoryRepository,
  { usdot, fromMs, toMs, stepMsAt, roster, readRecords }: MadePast,
  isEnded: () => boolean,
): Promise<void> => {
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, usdot);
  let written = Promise.resolve();
  for (let seenMs = fromMs; seenMs <= toMs && !isEnded(); seenMs += stepMsAt(seenMs)) {
    const parser = createUnitsParser(usdot, { ...systemClock, nowMs: () => seenMs });
    parser.take(readRecords(seenMs));
    tracker.observe(parser.end({ units: [] }).units, roster, seenMs);
    const rows = tracker.copyRows();
    const changes = tracker.takeChanges(rows);
    const statusCounts = countFleet(rows, seenMs).byStatus;
    // The next step is computed while this one is written.
    await written;
    written = history.write({
      usdot,
      seenMs,
      changes,
      statusCounts,
      coverage: [{ fromMs, toMs: seenMs, state: 'answered', problem: null }],
    });
    // Its failure is thrown by the await above or below.
    written.catch(() => undefined);
  }
  await written;
};
