import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import type { Fleet } from '@/lib/wire/fleet';
import { applyLiveAnswer } from '@/lib/wire/live';
import { REASONS, STATUSES } from '@/lib/motion/status';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { ACCOUNT } from '@/testing/live/fake-client';
import { unitAt } from '@/testing/live/tracked-units';
import {
  POLL_MS,
  minutesPassed,
  pass,
  read,
  readWhole,
  setUpFeed,
  watchFor,
} from '@/testing/live/watched-feed';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('polling', () => {
  test('sends no request before it is used', async () => {
    const { provider } = setUpFeed();
    await pass(10 * MINUTE_MS);
    expect(provider.calls).toEqual({ units: 0, vins: 0, account: 0, carrier: 0 });
  });

  test('answers first with units, roster and account together', async () => {
    const { feed } = setUpFeed();
    const answer = await readWhole(feed);
    expect(answer).toMatchObject({
      usdot: '9000001',
      since: null,
      rows: 3,
      account: ACCOUNT,
      nowMs: START_MS,
    });
    expect(answer.named.identities.map(({ key }) => key)).toEqual(['DRIVES', 'STANDS', 'GHOST']);
    expect(answer.feed).toEqual({
      fetchedAtMs: START_MS,
      staleSinceMs: null,
      problem: null,
      activeUnits: 2,
      rosterVins: 3,
      droppedRecords: 0,
      repairedFields: 0,
      alertsRevision: 0,
      nextAttemptAtMs: null,
    });
  });

  test('polls the provider once an interval however many browsers watch', async () => {
    const { provider, feed } = setUpFeed();
    for (let second = 0; second < 60; second++) {
      await Promise.all([feed.answer(null, 'identity'), feed.answer(null, 'identity')]);
      await pass(1000);
    }
    expect(provider.calls.units).toBe(7);
  });

  test('stops when it has been unused for a while, and restarts with the next request', async () => {
    const { provider, feed } = setUpFeed();
    await readWhole(feed);
    await pass(10 * MINUTE_MS);
    const polls = provider.calls.units;
    expect(polls).toBeLessThan(10);
    expect(vi.getTimerCount()).toBe(0);
    const answer = await readWhole(feed);
    expect(provider.calls.units).toBe(polls + 1);
    expect(answer.feed.fetchedAtMs).toBe(START_MS + 10 * MINUTE_MS);
  });

  test('polls once for the recording where it rests, and a browser that comes meanwhile waits for that poll', async () => {
    const { provider, feed } = setUpFeed();
    await feed.pollOnce();
    expect((await readWhole(feed)).rows).toBe(3);
    expect(provider.calls.units).toBe(1);
    await pass(10 * MINUTE_MS);
    const polls = provider.calls.units;
    await feed.pollOnce();
    await feed.pollOnce();
    await pass(10 * MINUTE_MS);
    expect(provider.calls.units).toBe(polls + 1);
  });

  test('learns nothing from the recording of how many units report between two polls of a browser', async () => {
    const { provider, feed } = setUpFeed();
    const reportedAt = () => Math.floor(minutesPassed() * 2) / 2;
    provider.units = async () =>
      Array.from({ length: 30 }, (_, unit) => unitAt(`TRUCK ${unit}`, reportedAt(), reportedAt() * 1500));
    for (let polls = 0; polls < 20; polls++) {
      await feed.pollOnce();
      await pass(MINUTE_MS / 2);
    }
    for (let polls = 0; polls < 30; polls++) {
      expect((await readWhole(feed)).feed.problem).toBeNull();
      await pass(POLL_MS);
    }
  });

  test('never has two requests for units in flight, however slow the provider is', async () => {
    const { provider, feed } = setUpFeed();
    const slow = <T>(value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), 25_000));
    const units = provider.units;
    provider.units = async () => slow(await units());
    provider.vins = () => slow(['DRIVES']);
    void feed.answer(null, 'identity');
    await pass(1000);
    for (let i = 0; i < 20; i++) {
      void feed.answer(null, 'identity');
      await pass(POLL_MS);
    }
    expect(provider.mostInFlight).toMatchObject({ units: 1, vins: 1, account: 1 });
    expect(provider.calls.units).toBeGreaterThan(3);
  });

  test('pauses between two polls of a slow provider', async () => {
    const { provider, feed } = setUpFeed();
    provider.units = () => new Promise((resolve) => setTimeout(() => resolve([]), 15_000));
    void feed.answer(null, 'identity');
    await pass(15_000 + 999);
    expect(provider.calls.units).toBe(1);
    await pass(1);
    expect(provider.calls.units).toBe(2);
  });

  test('reads the roster every five minutes and the account once an hour', async () => {
    const { provider, feed } = setUpFeed();
    await watchFor(feed, 11 * MINUTE_MS);
    expect(provider.calls).toMatchObject({ vins: 3, account: 1 });
    await watchFor(feed, 50 * MINUTE_MS);
    expect(provider.calls.account).toBe(2);
  });

  test('gives browsers a time just after the next version is due', async () => {
    const { feed } = setUpFeed();
    const first = await readWhole(feed);
    expect(first.nextPollMs).toBe(POLL_MS + DEFAULT_LIVE_SETTINGS.slackMs);
    await pass(first.nextPollMs);
    expect((await readWhole(feed)).version).not.toBe(first.version);
  });
});

describe('answers', () => {
  test('are 304 for a browser that holds the newest version', async () => {
    const { feed } = setUpFeed();
    const { version } = await readWhole(feed);
    expect(await feed.answer(version, 'br')).toEqual({ status: 304, body: null, encoding: null, version });
  });

  test('give the change since a version, which leads to the same fleet as a whole answer', async () => {
    const { feed } = setUpFeed();
    let held: Fleet = applyLiveAnswer(null, await readWhole(feed));
    for (let poll = 0; poll < 12; poll++) {
      await pass(POLL_MS);
      const change = await read(feed, held.version);
      if (change === 304) throw new Error('Got 304 when a change is expected.');
      expect(change.since).toBe(held.version);
      expect(change.named.identities).toEqual([]);
      held = applyLiveAnswer(held, change);
    }
    const whole = applyLiveAnswer(null, await readWhole(feed));
    expect(held).toEqual(whole);
    expect(STATUSES[whole.columns.status[0]!]).toBe('moving');
    expect(STATUSES[whole.columns.status[1]!]).toBe('stopped');
    expect(REASONS[whole.columns.reason[2]!]).toBe('neverSeen');
  });

  test('give everything to a browser that slept too long or comes from another process', async () => {
    const { feed } = setUpFeed();
    const { version } = await readWhole(feed);
    await watchFor(feed, 3 * MINUTE_MS);
    for (const since of [version, 'elsewhere.3', 'nonsense']) {
      expect(await read(feed, since)).toMatchObject({ since: null, rows: 3 });
    }
  });

  test('report the provider’s unusable records', async () => {
    const { provider, feed } = setUpFeed();
    provider.report = { dropped: 2, repaired: 5, examples: ['units[3]: no VIN'] };
    expect((await readWhole(feed)).feed).toMatchObject({ droppedRecords: 2, repairedFields: 5 });
    expect(feed.salvage()?.examples).toEqual(['units[3]: no VIN']);
  });

  test('give the detail of one unit from the feed’s state', async () => {
    const { feed } = setUpFeed();
    expect(await feed.detail('DRIVES')).toBeNull();
    const { version } = await readWhole(feed);
    expect(await feed.detail('DRIVES')).toMatchObject({ version, status: 'unknown', reason: 'oneFix' });
  });
});

test('renumber a fleet when most of it has left, and give every browser everything', async () => {
  const { provider, feed } = setUpFeed({ emptyRowsLeast: 2 });
  const { version } = await readWhole(feed);
  provider.vins = async () => [];
  provider.units = async () => [unitAt('OTHER', minutesPassed(), 0)];
  await watchFor(feed, 125 * MINUTE_MS);
  const answer = await readWhole(feed);
  expect(answer.named.identities.map(({ key }) => key)).toEqual(['OTHER']);
  expect(answer.rows).toBe(1);
  expect(answer.version.split('.')[0]).not.toBe(version.split('.')[0]);
});
