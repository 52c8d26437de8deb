import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { Recorder } from '@/lib/recording/recorder';
import type { FeedListeners } from '@/lib/feeds/feed/feed';
import { PolledFeeds } from '@/lib/feeds/feeds';
import { insertSite, setUpAlerts } from '@/testing/alerts/alerts';
import { clockOf } from '@/testing/clock';
import { openPool } from '@/testing/history/recording';
import { createFakeClient } from '@/testing/live/fake-client';
import { unitAt } from '@/testing/live/tracked-units';
import { minutesPassed, readWhole, watchFor } from '@/testing/live/watched-feed';
import { MINUTE_MS, START_MS, fixAt } from '@/testing/motion/fixes';
import { alertPageAnswer } from '../answers';
import type { WatchStart } from '@/lib/rules/fleet-watch';
import { listAlerts } from './alerts';
import { FleetWatches } from './fleet-watches';
import { addRule } from './rules';

const USDOT = '9000001';
const held = setUpAlerts();
const log = { warn: () => undefined, error: () => undefined };
afterEach(() => vi.useRealTimers());

const readWatch = (): Promise<WatchStart | null> =>
  new FleetWatches({
    open: () => held.app.database.open(),
    recording: { settle: async () => undefined, readLastMinutes: async () => null },
    reload: () => undefined,
    clock: clockOf(() => START_MS),
    log,
  }).read(USDOT);

/** Polls a truck that drives 1 km a minute for ten minutes, stands for twenty, and drives on; resolves to what is recorded. */
const playFeed = async (watch: WatchStart | null) => {
  vi.useFakeTimers({ now: START_MS });
  const polls: Parameters<NonNullable<FeedListeners['onPolled']>>[] = [];
  const { provider, client } = createFakeClient(() => Date.now());
  provider.units = async () => {
    const minutes = minutesPassed();
    const driven = minutes < 10 ? minutes : minutes < 30 ? 10 : minutes - 20;
    return [unitAt('TRUCK', minutes, driven * 1000)];
  };
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: systemClock,
    pollIntervalMs: 10_000,
    random: () => 0.5,
    readStart: async () => ({ units: null, watch }),
    onPolled: (...poll) => polls.push(poll),
  });
  const feed = feeds.feed(USDOT);
  const revisions: number[] = [];
  for (const minutes of [9, 6, 25]) {
    await watchFor(feed, minutes * MINUTE_MS);
    revisions.push((await readWhole(feed)).feed.alertsRevision);
  }
  feeds.close();
  vi.useRealTimers();
  return { polls, revisions };
};

it('the arrival of a truck is one alert, which the list of alerts has and the live answer announces', async () => {
  const ann = await held.addUser('ann', 'manager', null);
  const siteId = await insertSite(held, USDOT, 'Yard Dallas', fixAt(0, 10_000));
  const { id: ruleId } = await addRule(held.by(ann), USDOT, {
    name: 'Arrivals',
    condition: { kind: 'arrives', siteIds: [siteId] },
    units: { type: 'all' },
    schedule: null,
    severity: 'info',
    coolDownMin: 60,
    isEnabled: true,
    isOwn: false,
  });
  const { polls, revisions } = await playFeed(await readWatch());
  expect(revisions).toEqual([0, 1, 2]);
  let nowMs = START_MS;
  const recorder = new Recorder({
    open: async () => openPool(held.database.databaseUrl),
    clock: clockOf(() => nowMs),
    log,
    intervalMs: 30_000,
  });
  const nothing = async (): Promise<void> => undefined;
  recorder.start({ listUsdots: () => [USDOT], pollOnce: nothing, recordAll: nothing });
  for (const poll of polls) {
    nowMs += 10_000;
    recorder.note(...poll);
  }
  await recorder.close();
  const { alerts, unread } = alertPageAnswer.parse(await listAlerts(held.by(ann), USDOT, {}));
  expect(unread).toBe(1);
  expect(alerts).toMatchObject([
    {
      ...{
        ruleId,
        ruleName: 'Arrivals',
        severity: 'info',
        unit: 'TRUCK',
        facts: { siteId, siteName: 'Yard Dallas' },
      },
      openedMs: expect.closeTo(START_MS + 11 * MINUTE_MS, -5),
      closedMs: expect.closeTo(START_MS + 33 * MINUTE_MS, -5.5),
    },
  ]);
});
