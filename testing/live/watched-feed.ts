import { expect, vi } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import type { FeedProblem } from '@/lib/wire/fleet';
import type { LiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { systemClock } from '@/lib/base/clock';
import { PolledFeeds, type Feed } from '@/lib/feeds/feeds';
import { createFakeClient } from './fake-client';
import { unitAt } from './tracked-units';

export const POLL_MS = 10_000;

const now = () => Date.now();
/** Advances time; the test's timers have to be fake, and to begin at START_MS. */
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
export const minutesPassed = () => (now() - START_MS) / MINUTE_MS;

/** The epoch of a feed whose fleet other servers may poll too. */
export const EPOCH_AT_MS = START_MS + 7 * MINUTE_MS;

/** A feed whose provider has a unit that drives, one that stands, and a VIN that never reported. */
export const setUpFeed = (settings = {}, isShared = false) => {
  const { provider, client } = createFakeClient(now);
  const problems: FeedProblem[] = [];
  provider.units = async () => [
    unitAt('DRIVES', minutesPassed(), minutesPassed() * 1500),
    unitAt('STANDS', minutesPassed(), 0),
  ];
  provider.vins = async () => ['DRIVES', 'STANDS', 'GHOST'];
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: systemClock,
    pollIntervalMs: POLL_MS,
    random: () => 0.5,
    settings,
    isShared,
    onProblem: (_, problem) => problems.push(problem),
  });
  if (isShared) feeds.setEpoch('9000001', EPOCH_AT_MS);
  return { provider, client, feeds, feed: feeds.feed('9000001'), problems };
};

/** An answer as a browser reads it. */
export const read = async (feed: Feed, since: string | null = null): Promise<LiveAnswer | 304> => {
  const answer = await feed.answer(since, 'identity');
  if (answer.status === 304) return 304;
  expect(answer.encoding).toBeNull();
  return fromLiveBytes(answer.body!);
};

export const readWhole = async (feed: Feed): Promise<LiveAnswer> => {
  const answer = await read(feed);
  if (answer === 304) throw new Error('Got 304 when everything is expected.');
  return answer;
};

/** Requests every poll for a given time, as a browser does. */
export const watchFor = async (feed: Feed, ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += POLL_MS) {
    await feed.answer(null, 'identity');
    await pass(POLL_MS);
  }
};
