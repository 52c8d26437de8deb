import 'server-only';
import type { Registry } from 'prom-client';
import { FIX_AGE_BOUNDS_S, type PollReport } from '@/lib/fleet/poll-report';
import { FLAGS, STATUSES } from '@/lib/motion/status';
import type { ThreadHealth } from '@/lib/feeds/worker/health';
import { createMakers } from './define';

const POLL_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const ENCODE_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

const defineMetrics = (registry: Registry) => {
  const { counter, gauge, histogram } = createMakers(registry);
  const units = 'Units of a fleet by status, as of its newest poll.';
  const flagged = 'Units of a fleet that carry a flag, as of its newest poll.';
  const fixAges = 'Units whose newest fix was at most so many seconds old at the newest poll.';
  const outcomes = 'Polls of the tracking API by fleet and outcome: ok, or the kind of failure.';
  const took = 'From the request to the version that came of it.';
  const encoding = 'Time to put an answer together (encode) and to compress it; once per version.';
  const delay = 'Delay of the event loop of the thread that polls, between its last two polls.';
  return {
    polls: counter('polls_total', outcomes, 'usdot', 'outcome'),
    durations: histogram('poll_duration_seconds', took, POLL_BUCKETS_S, 'usdot'),
    units: gauge('units', units, 'usdot', 'status'),
    flagged: gauge('flagged_units', flagged, 'usdot', 'flag'),
    fixAges: gauge('units_by_fix_age', fixAges, 'usdot', 'at_most_s'),
    encoding: histogram('encode_duration_seconds', encoding, ENCODE_BUCKETS_S, 'step'),
    delay: gauge('feed_thread_delay_seconds', delay, 'quantile'),
    heap: gauge('feed_thread_heap_bytes', 'Heap in use in the thread that polls.'),
  };
};

/** Metrics of the polling thread, sent once per poll. */
export const createPollMetrics = (registry: Registry) => {
  const { polls, durations, units, flagged, fixAges, encoding, delay, heap } = defineMetrics(registry);
  /** The outcomes seen of each fleet, which are the labels to drop. */
  const seen = new Map<string, Set<string>>();

  const forget = (usdot: string, outcomes: ReadonlySet<string>): void => {
    for (const outcome of outcomes) polls.remove({ usdot, outcome });
    durations.remove({ usdot });
    for (const status of STATUSES) units.remove({ usdot, status });
    for (const flag of FLAGS) flagged.remove({ usdot, flag });
    for (const bound of FIX_AGE_BOUNDS_S) fixAges.remove({ usdot, at_most_s: String(bound) });
  };

  return {
    note: ({ usdot, failure, tookMs, counts }: PollReport, health: ThreadHealth): void => {
      const outcome = failure ?? 'ok';
      const outcomes = seen.get(usdot) ?? new Set<string>();
      seen.set(usdot, outcomes.add(outcome));
      polls.inc({ usdot, outcome });
      durations.observe({ usdot }, tookMs / 1000);
      STATUSES.forEach((status, index) => units.set({ usdot, status }, counts.byStatus[index] ?? 0));
      FLAGS.forEach((flag, index) => flagged.set({ usdot, flag }, counts.byFlag[index] ?? 0));
      FIX_AGE_BOUNDS_S.forEach((bound, index) =>
        fixAges.set({ usdot, at_most_s: String(bound) }, counts.fixesYoungerThan[index] ?? 0),
      );
      for (const ms of health.encodeMs) encoding.observe({ step: 'encode' }, ms / 1000);
      for (const ms of health.compressMs) encoding.observe({ step: 'compress' }, ms / 1000);
      delay.set({ quantile: '0.5' }, health.delayP50Ms / 1000);
      delay.set({ quantile: '0.99' }, health.delayP99Ms / 1000);
      delay.set({ quantile: '1' }, health.delayMaxMs / 1000);
      heap.set(health.heapUsedBytes);
    },
    /** Drops the measurements of every other fleet, so that made-up USDOT numbers leave nothing behind. */
    keepOnly: (usdots: ReadonlySet<string>): void => {
      for (const [usdot, outcomes] of seen) {
        if (usdots.has(usdot)) continue;
        forget(usdot, outcomes);
        seen.delete(usdot);
      }
    },
  };
};
