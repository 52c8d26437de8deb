import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import type { AlertCondition, AlertRule } from '@/lib/rules/alert-rule';
import type { HeldAlert } from '@/lib/rules/engine/rule-state';
import { FleetWatch, type Watched, type WatchStart } from '@/lib/rules/fleet-watch';
import type { SiteVisit } from '@/lib/rules/site';
import { createFakeClient } from '@/testing/live/fake-client';
import { unitAt } from '@/testing/live/tracked-units';
import { IS_LONG } from '@/testing/long';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { siteOf } from '@/testing/sites/watched-units';
import { PolledFeeds } from '../feeds';

const USDOT = '9000001';
const POLL_MS = 20_000;
const MINUTES = 40;
const OUTSIDE_M = 3000;
/** So far a truck drives between two polls. */
const MOST_M = 500;
const { observe } = FleetWatch.prototype;
const CONDITIONS: AlertCondition[] = [
  { kind: 'entersNoGo' },
  { kind: 'arrives', siteIds: null },
  { kind: 'leaves', siteIds: null },
  { kind: 'silent', forMin: 5 },
  { kind: 'reportsAgain' },
];

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** What a unit does for some minutes. */
interface Turn {
  isInside: boolean;
  isSilent: boolean;
  minutes: number;
}

/** How a read of the watch goes: after how many ms it reads the tables, and after how many more it ends. */
interface Read {
  untilMs: number;
  thenMs: number;
  end: 'read' | 'null' | 'rejected';
}

interface Case {
  turns: Turn[];
  changesAtMs: number[];
  reads: Read[];
  coolDownMin: number;
}

const AT_ONCE: Read = { untilMs: 0, thenMs: 0, end: 'read' };

/** The visits and alerts of a fleet, as they are recorded. */
class Tables {
  readonly visits = new Map<string, SiteVisit>();
  readonly alerts: HeldAlert[] = [];
  readonly log: string[] = [];

  write({ visits, alerts }: Watched): void {
    for (const visit of visits) {
      this.visits.set(`${visit.siteId} ${visit.arrivedMs}`, visit);
      this.log.push(JSON.stringify(visit));
    }
    for (const alert of alerts) {
      const { ruleId, unit, atMs } = alert;
      this.log.push(`${ruleId} ${alert.kind} ${(atMs - START_MS) / 1000}`);
      const open = this.alerts.find((held) => held.ruleId === ruleId && held.closedMs === null);
      if (alert.kind === 'closed' && open) open.closedMs = atMs;
      if (alert.kind !== 'opened') continue;
      const { siteId, sinceMs } = alert.facts;
      this.alerts.push({ ruleId, unit, openedMs: atMs, closedMs: null, siteId, sinceMs });
    }
  }

  read = (coolDownMin: number): WatchStart => ({
    config: {
      sites: [siteOf(1, 0, { kind: 'noGo' })],
      rules: CONDITIONS.map((condition, i) => ({ ...RULE, id: i + 1, condition, coolDownMin })),
      tags: {},
    },
    visits: [...this.visits.values()].filter(({ leftMs }) => leftMs === null),
    alerts: structuredClone(this.alerts),
  });
}
const RULE: Omit<AlertRule, 'id' | 'condition' | 'coolDownMin'> = {
  ...{ name: 'Rule', units: { type: 'all' }, schedule: null, severity: 'warning' },
  ...{ isEnabled: true, isOwn: false, madeBy: 'manager' },
};

/** A unit that drives to a no-go site and away again, or says nothing, while its watch is changed and read. */
const run = async ({ turns, changesAtMs, reads, coolDownMin }: Case) => {
  vi.setSystemTime(START_MS);
  const byMinute = turns.flatMap((turn) => Array<Turn>(turn.minutes).fill(turn));
  let fix = { minutes: 0, northM: OUTSIDE_M };
  let northM = OUTSIDE_M;
  const { provider, client } = createFakeClient(() => Date.now());
  const polledAtMs: number[] = [];
  provider.units = async () => {
    const minutes = (Date.now() - START_MS) / MINUTE_MS;
    const turn = byMinute[Math.floor(minutes)];
    const toM = turn?.isInside ? 0 : OUTSIDE_M;
    northM += Math.max(-MOST_M, Math.min(MOST_M, toM - northM));
    if (!turn?.isSilent) fix = { minutes, northM };
    polledAtMs.push(Date.now());
    return [unitAt('TRUCK', fix.minutes, fix.northM)];
  };
  const judged: { seenMs: number; atMs: number }[] = [];
  vi.spyOn(FleetWatch.prototype, 'observe').mockImplementation(function (this: FleetWatch, rows, poll) {
    judged.push({ seenMs: poll.seenMs, atMs: Date.now() });
    return observe.call(this, rows, poll);
  });
  const tables = new Tables();
  const spans: { fromMs: number; toMs: number }[] = [];
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: systemClock,
    pollIntervalMs: POLL_MS,
    random: () => 0.5,
    settings: { motion: { ...DEFAULT_MOTION_SETTINGS, silentAfterMs: 5 * MINUTE_MS } },
    readStart: async () => {
      const { untilMs, thenMs, end } = spans.length === 0 ? AT_ONCE : (reads[spans.length - 1] ?? AT_ONCE);
      const span = { fromMs: Date.now(), toMs: Infinity };
      spans.push(span);
      const passMs = async (ms: number) => ms > 0 && new Promise((resolve) => setTimeout(resolve, ms));
      await passMs(untilMs);
      const watch = tables.read(coolDownMin);
      await passMs(thenMs);
      span.toMs = Date.now();
      if (end === 'rejected') throw new Error('The thread has ended.');
      return { units: null, watch: end === 'read' ? watch : null };
    },
    onPolled: (_, _changes, watched) => watched && tables.write(watched),
  });
  for (const atMs of changesAtMs) setTimeout(() => feeds.reloadWatch(USDOT), atMs);
  for (let passedMs = 0; passedMs < (MINUTES + 15) * MINUTE_MS; passedMs += POLL_MS) {
    await feeds.feed(USDOT).pollOnce();
    await vi.advanceTimersByTimeAsync(POLL_MS);
  }
  await feeds.close();
  return { log: tables.log, judged, polledAtMs, spans };
};

const turnArbitrary = fc.record({
  isInside: fc.boolean(),
  isSilent: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  minutes: fc.integer({ min: 1, max: 12 }),
});
const readArbitrary = fc.record({
  untilMs: fc.constantFrom(0, 500, 45_000),
  thenMs: fc.constantFrom(0, 500, 45_000),
  end: fc.constantFrom('read', 'read', 'null', 'rejected'),
});
const caseArbitrary = fc.record({
  turns: fc.array(turnArbitrary, { minLength: 3, maxLength: 8 }),
  // At any time, and one upon the other.
  changesAtMs: fc
    .array(fc.tuple(fc.nat(MINUTES * MINUTE_MS), fc.integer({ min: 1, max: 60 })), { maxLength: 6 })
    .map((loops) =>
      loops.flatMap(([atMs, count]) => Array.from({ length: count }, (_, i) => atMs + i * 700)),
    ),
  reads: fc.array(readArbitrary, { maxLength: 60 }),
  coolDownMin: fc.constantFrom(0, 10),
});

test('whatever is changed, and however slowly it is read, each poll is judged once, in order, after one read at most, and shows the same', async () => {
  const property = fc.asyncProperty(caseArbitrary, async (given) => {
    const without = await run({ ...given, changesAtMs: [] });
    const { log, judged, polledAtMs, spans } = await run(given);
    expect(judged.map(({ seenMs }) => seenMs)).toEqual(polledAtMs);
    for (const { seenMs, atMs } of judged)
      if (atMs > seenMs)
        expect(spans.some(({ fromMs, toMs }) => fromMs <= seenMs && toMs === atMs)).toBe(true);
    spans.slice(1).forEach(({ fromMs }, i) => expect(fromMs).toBeGreaterThanOrEqual(spans[i]!.toMs));
    if (given.changesAtMs.length > 0)
      expect(spans.at(-1)!.fromMs).toBeGreaterThanOrEqual(START_MS + Math.max(...given.changesAtMs));
    // What several polls show is reported at once, visits first.
    expect(log.toSorted()).toEqual(without.log.toSorted());
  });
  await fc.assert(property, { numRuns: IS_LONG ? 500 : 4 });
}, 600_000);
