import 'server-only';
import type { Registry } from 'prom-client';
import type { RoutingState } from '@/lib/routing/routing';
import { createMakers } from './define';

const OUTCOMES = ['found', 'none', 'failed', 'skipped'] as const;

const defineMetrics = (registry: Registry) => {
  const { counter, gauge } = createMakers(registry);
  const outcomes =
    'Ways that loads wanted of the routing engine, by outcome: found, none, failed, skipped (not asked, as it does not answer or too many wait).';
  return {
    answering: gauge('routing_answering', '1 while the routing engine answers, 0 while it does not.'),
    took: gauge('routing_answer_seconds', 'How long the newest answer of the routing engine took.'),
    ways: counter('routing_ways_total', outcomes, 'outcome'),
  };
};

/** Metrics of the routing engine; registered with the first state of one. */
export const createRoutingMetrics = (registry: Registry): ((state: RoutingState) => void) => {
  let defined: ReturnType<typeof defineMetrics> | null = null;
  return (state) => {
    const { answering, took, ways } = (defined ??= defineMetrics(registry));
    answering.set(state.state === 'away' ? 0 : 1);
    took.set((state.tookMs ?? 0) / 1000);
    // Prometheus expects the total.
    ways.reset();
    for (const outcome of OUTCOMES) ways.inc({ outcome }, state[outcome]);
  };
};
