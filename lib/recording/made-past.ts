import 'server-only';
import { systemClock } from '@/lib/base/clock';
import { countFleet } from '@/lib/fleet/poll-report';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { FleetWatch, type WatchConfig } from '@/lib/rules/fleet-watch';
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
  /** Makes the sites and rules by which it is judged; absent: there are none. */
  makeWatch?: () => Promise<WatchConfig>;
}

/** Records a fleet's past by the rules of the live path; ends early once `isEnded` is true. */
export const recordPast = async (
  history: HistoryRepository,
  { usdot, fromMs, toMs, stepMsAt, roster, readRecords, makeWatch }: MadePast,
  isEnded: () => boolean,
): Promise<void> => {
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, usdot);
  const watch = new FleetWatch();
  if (makeWatch) watch.configure(await makeWatch());
  let written = Promise.resolve();
  for (let seenMs = fromMs; seenMs <= toMs && !isEnded(); seenMs += stepMsAt(seenMs)) {
    const parser = createUnitsParser(usdot, { ...systemClock, nowMs: () => seenMs });
    parser.take(readRecords(seenMs));
    tracker.observe(parser.end({ units: [] }).units, roster, seenMs);
    const rows = tracker.copyRows();
    const changes = tracker.takeChanges(rows);
    const statusCounts = countFleet(rows, seenMs).byStatus;
    const watched = watch.observe(rows, { seenMs, failure: null, renamed: tracker.takeRenamed() });
    // The next step is computed while this one is written.
    await written;
    written = history.write({
      usdot,
      seenMs,
      changes,
      statusCounts,
      ...watched,
      coverage: [{ fromMs, toMs: seenMs, state: 'answered', problem: null }],
    });
    // Its failure is thrown by the await above or below.
    written.catch(() => undefined);
  }
  await written;
};
