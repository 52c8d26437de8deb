import 'server-only';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { FIX_AGE_BOUNDS_S, type PollReport } from '@/lib/fleet/poll-report';
import { FLAGS, STATUSES } from '@/lib/motion/status';
import type { ThreadHealth } from '@/lib/feeds/worker/health';

const POLL_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const ENCODE_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

interface PollMetrics {
  note: (report: PollReport, health: ThreadHealth) => void;
  /** Drops the measurements of every other fleet, so that made-up USDOT numbers leave nothing behind. */
  keepOnly: (usdots: ReadonlySet<string>) => void;
}

const defineMetrics = (registry: Registry) => {
  const registers = [registry];
  return {
    polls: new Counter({
      name: 'linehaul_polls_total',
      help: 'Polls of the tracking API by fleet and outcome: ok, or the kind of failure.',
      labelNames: ['usdot', 'outcome'],
      registers,
    }),
    durations: new Histogram({
      name: 'linehaul_poll_duration_seconds',
      help: 'From the request to the version that came of it.',
      labelNames: ['usdot'],
      buckets: POLL_BUCKETS_S,
      registers,
    }),
    units: new Gauge({
      name: 'linehaul_units',
      help: 'Units of a fleet by status, as of its newest poll.',
      labelNames: ['usdot', 'status'],
      registers,
    }),
    flagged: new Gauge({
      name: 'linehaul_flagged_units',
      help: 'Units of a fleet that carry a flag, as of its newest poll.',
      labelNames: ['usdot', 'flag'],
      registers,
    }),
    fixAges: new Gauge({
      name: 'linehaul_units_by_fix_age',
      help: 'Units whose newest fix was at most so many seconds old at the newest poll.',
      labelNames: ['usdot', 'at_most_s'],
      registers,
    }),
    encoding: new Histogram({
      name: 'linehaul_encode_duration_seconds',
      help: 'Time to put an answer together (encode) and to compress it; once per version.',
      labelNames: ['step'],
      buckets: ENCODE_BUCKETS_S,
      registers,
    }),
    delay: new Gauge({
      name: 'linehaul_feed_thread_delay_seconds',
      help: 'Delay of the event loop of the thread that polls, between its last two polls.',
      labelNames: ['quantile'],
      registers,
    }),
    heap: new Gauge({
      name: 'linehaul_feed_thread_heap_bytes',
      help: 'Heap in use in the thread that polls.',
      registers,
    }),
  };
};

/** Metrics of the polling thread, sent once per poll. */
export const createPollMetrics = (registry: Registry): PollMetrics => {
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
    note: ({ usdot, failure, tookMs, counts }, health) => {
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
    keepOnly: (usdots) => {
      for (const [usdot, outcomes] of seen) {
        if (usdots.has(usdot)) continue;
        forget(usdot, outcomes);
        seen.delete(usdot);
      }
    },
  };
};
