import 'server-only';
import type { RulePreview } from '@/lib/rules/alert-rule';
import { FleetWatch, type WatchConfig } from '@/lib/rules/fleet-watch';
import { PastRows, listMoments, type RecordedRows } from '@/lib/rules/past-rows';
import type { CoverageInterval } from '@/lib/trips/coverage';

export const MOST_NEWEST = 20;
/** Time that passes opens alerts too: also while nothing changes, the fleet is looked at so often. */
const TICK_S = 60;

/** Units and what was recorded of them; times of rows are Unix s. */
export interface WatchJob extends RecordedRows {
  /** The configuration of one rule. */
  config: WatchConfig;
  columns: readonly Float64Array<ArrayBuffer>[];
  coverage: readonly CoverageInterval[];
  /** Alerts are counted from then on. */
  fromMs: number;
  toMs: number;
}

export interface WatchedPast {
  count: number;
  /** Alerts that are open at the end. */
  open: number;
  /** Oldest first. */
  newest: RulePreview['first'];
}

/** The alerts that a rule would have opened, oldest first, by the code that watches the live fleet. */
export const replayWatch = (job: WatchJob): WatchedPast => {
  const watch = new FleetWatch();
  watch.configure(job.config);
  const past = new PastRows(job);
  const open = new Map<string, RulePreview['first'][number]>();
  const newest: RulePreview['first'] = [];
  let count = 0;
  const coverage = job.coverage.map(({ fromMs, toMs, state }) => ({
    from: Math.ceil(fromMs / 1000),
    to: toMs / 1000,
    state,
  }));
  for (const [momentS, isFailing] of listMoments(job, coverage, TICK_S)) {
    const seenMs = momentS * 1000;
    const rows = past.at(momentS);
    // Rules do not tell failures apart.
    const failure = isFailing ? 'network' : null;
    for (const change of watch.observe(rows, { seenMs, failure }).alerts) {
      const { unit, atMs } = change;
      if (change.kind === 'closed') {
        const alert = open.get(unit);
        if (alert) alert.closedMs = atMs;
        open.delete(unit);
        continue;
      }
      if (change.kind !== 'opened') continue;
      const alert = { unit, openedMs: atMs, closedMs: null, facts: change.facts };
      open.set(unit, alert);
      if (atMs < job.fromMs || atMs > job.toMs) continue;
      count++;
      newest.push(alert);
      if (newest.length > MOST_NEWEST) newest.shift();
    }
  }
  return { count, open: open.size, newest };
};
