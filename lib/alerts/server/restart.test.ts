import type { Pool } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { readLastMinutes } from '@/lib/recording/last-minutes';
import { extendCoverage } from '@/lib/recording/coverage';
import type { CoverageInterval } from '@/lib/trips/coverage';
import type { FeedListeners, FeedStart } from '@/lib/feeds/feed/feed';
import { PolledFeeds } from '@/lib/feeds/feeds';
import { applyLiveAnswer } from '@/lib/wire/live';
import { insertSite, setUpAlerts } from '@/testing/alerts/alerts';
import { clockOf } from '@/testing/clock';
import { openPool } from '@/testing/history/recording';
import { createFakeClient } from '@/testing/live/fake-client';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { POLL_MS, minutesPassed, pass, readWhole } from '@/testing/live/watched-feed';
import { IS_LONG } from '@/testing/long';
import { MINUTE_MS, START_MS, fixAt } from '@/testing/motion/fixes';
import type { AlertCondition } from '@/lib/rules/alert-rule';
import { FleetWatches } from './fleet-watches';
import { addRule } from './rules';
import { readRecordedUnits } from '@/lib/recording/recorded-fleet';

const held = setUpAlerts();
const log = {
  warn: (fields: object) => {
    throw new Error(JSON.stringify(fields));
  },
};
afterEach(() => vi.useRealTimers());

const USDOT = '9000001';
const KM = 1000;
/** Two trucks have arrived, of which the alert is not yet due; one has left, but for a minute. */
const SOME_CUTS = [64, 75];
const POLLS = (30 * MINUTE_MS) / POLL_MS;
/** How far north trucks are after some minutes: each stands at the yard, 10 km north, for another time. */
const STANDS_MIN = { '1FUJHHDR6SLAP5397': 100 / 60, '1XKYD49X5FJ440021': 6, '1FUJHHDR5NLAP4200': 14 };
/** The first truck has no VIN until it leaves. */
const DEVICE = { vin: '1FUJHHDR6SLAP5397', deviceId: 'D1', untilMin: 11.8 };
const identityAt = (min: number, vin: string) =>
  vin !== DEVICE.vin
    ? identityOf(vin)
    : identityOf(min < DEVICE.untilMin ? `device:${DEVICE.deviceId}` : vin, { deviceId: DEVICE.deviceId });
const northAt = (min: number, standsMin: number): number => {
  const drivenMin = min < 10 ? min : Math.max(10, min - standsMin);
  return drivenMin * KM;
};
/** The last truck reports each five minutes while it stands. */
const fixMinuteAt = (min: number, standsMin: number): number =>
  standsMin > 10 && min > 10 && min < 10 + standsMin ? 10 + Math.floor((min - 10) / 5) * 5 : min;

const CONDITIONS: AlertCondition[] = [
  { kind: 'arrives', siteIds: null },
  { kind: 'leaves', siteIds: null },
  { kind: 'stays', siteIds: null, forMin: 3 },
  { kind: 'silent', forMin: 3 },
];

type Polled = Parameters<NonNullable<FeedListeners['onPolled']>>;
interface Seen {
  atMs: number;
  polled: Polled;
  statuses: string[];
}

/** Polls a fleet from one poll on; what each poll recorded, and what a browser sees after it. */
const play = async (from: number, to: number, start: FeedStart): Promise<Seen[]> => {
  vi.useFakeTimers({ now: START_MS + from * POLL_MS });
  const { provider, client } = createFakeClient(() => Date.now());
  provider.units = async () =>
    Object.entries(STANDS_MIN).map(([vin, standsMin]) => {
      const fixMin = fixMinuteAt(minutesPassed(), standsMin);
      return unitAt(vin, fixMin, northAt(fixMin, standsMin), { identity: identityAt(minutesPassed(), vin) });
    });
  let polled: Polled | null = null;
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: systemClock,
    pollIntervalMs: POLL_MS,
    random: () => 0.5,
    settings: { isRecorded: true, carrierPauseMs: null },
    readStart: async () => start,
    onPolled: (...each) => (polled = each),
  });
  const seen: Seen[] = [];
  for (let poll = from; poll < to; poll++) {
    const { identities, columns } = applyLiveAnswer(null, await readWhole(feeds.feed(USDOT)));
    const statuses = identities.flatMap((identity, row) =>
      identity === null
        ? []
        : [
            identity.key,
            ...(['status', 'reason', 'sinceS', 'fixAtS', 'siteId'] as const).map(
              (name) => columns[name][row],
            ),
          ].join(' '),
    );
    seen.push({ atMs: Date.now(), polled: polled!, statuses: statuses.sort() });
    await pass(POLL_MS);
  }
  await feeds.close();
  vi.useRealTimers();
  return seen;
};

const record = async (history: HistoryRepository, seen: readonly Seen[]): Promise<void> => {
  let last: CoverageInterval | null = null;
  for (const {
    atMs,
    polled: [report, changes, watched],
  } of seen) {
    const state = report.failure === null ? 'answered' : 'failing';
    const outcome = { atMs, state, problem: report.failure } as const;
    const coverage = extendCoverage(last, outcome, { gapMs: MINUTE_MS, isFirst: false });
    last = coverage.at(-1)!;
    await history.write({
      usdot: USDOT,
      seenMs: changes?.seenMs ?? atMs,
      changes,
      coverage,
      statusCounts: null,
      ...watched,
    });
  }
};

const say = (seen: readonly Seen[], siteId: number) =>
  seen.map(({ polled: [, , watched], statuses }) => ({
    visits: (watched?.visits ?? []).map((visit) => JSON.stringify(visit)).sort(),
    alerts: (watched?.alerts ?? []).map(({ kind, unit, ruleId }) => `${kind} ${ruleId} ${unit}`).sort(),
    statuses: statuses.map((each) => each.replace(new RegExp(` ${siteId}$`), ' yard')),
  }));

/** A fleet with the site and the rules. */
const addFleet = async () => {
  const ann = await held.addUser('ann', 'manager', null);
  held.nowMs = START_MS - 60 * MINUTE_MS;
  const siteId = await insertSite(held, USDOT, 'Yard', fixAt(0, 10 * KM));
  for (const condition of CONDITIONS)
    await addRule(held.by(ann), USDOT, {
      ...{ name: condition.kind, condition, units: { type: 'all' }, schedule: null, severity: 'info' },
      ...{ coolDownMin: 0, isEnabled: true, isOwn: false },
    });
  return siteId;
};

/** What the feed of a server starts with that begins now. */
const readStart = async (pool: Pool, nowMs: number): Promise<FeedStart> => {
  const open = () => held.app.database.open();
  const clock = clockOf(() => nowMs);
  const recording = {
    settle: async () => undefined,
    readLastMinutes: () => readLastMinutes(pool, USDOT, nowMs),
  };
  const watches = new FleetWatches({ open, recording, reload: () => undefined, clock, log });
  const units = await readRecordedUnits(pool, USDOT, nowMs - 120 * MINUTE_MS);
  return { units, watch: await watches.read(USDOT) };
};

it('a server that starts after any poll records the visits and alerts, and shows the statuses, as the one before would have', async () => {
  const siteId = await addFleet();
  const pool = openPool(held.database.databaseUrl);
  const history = new HistoryRepository(pool);
  const uncut = await play(0, POLLS, await readStart(pool, START_MS));
  const cuts = IS_LONG ? Array.from({ length: POLLS / 3 }, (_, i) => 3 * i + 1) : SOME_CUTS;
  for (const cut of cuts) {
    await history.remove(USDOT);
    await record(history, uncut.slice(0, cut));
    const again = await play(cut, POLLS, await readStart(pool, START_MS + cut * POLL_MS));
    const [expected, found] = [uncut.slice(cut), again].map((seen) => say(seen, siteId));
    expect(found, `cut after ${cut} polls`).toEqual(expected);
  }
  await pool.end();
}, 300_000);
