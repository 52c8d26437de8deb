import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { PollReport } from '@/lib/fleet/poll-report';
import { FeedJournal, HealthMonitor } from './health';

/**
 * The measurement samples every 20 ms, and begins with the second sample; reading it earlier would restart
 * it.
 */
const untilLookedAt = () => delay(120);

const blockFor = (ms: number): void => {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
};

test('gives the longest delay and the times of encoding since the last reading, and restarts', async () => {
  const monitor = new HealthMonitor();
  monitor.noteEncoded('encode', 4);
  monitor.noteEncoded('compress', 7);
  monitor.noteEncoded('encode', 5);
  await untilLookedAt();
  blockFor(300);
  await untilLookedAt();
  const health = monitor.take();
  expect(health).toMatchObject({ encodeMs: [4, 5], compressMs: [7] });
  expect(health.delayMaxMs).toBeGreaterThan(200);
  expect(health.heapUsedBytes).toBeGreaterThan(1_000_000);
  expect(monitor.take()).toMatchObject({ encodeMs: [], compressMs: [], delayMaxMs: 0 });
});

test('keeps a bounded number of times', () => {
  const monitor = new HealthMonitor();
  for (let time = 0; time < 10_000; time++) monitor.noteEncoded('encode', 1);
  expect(monitor.take().encodeMs).toHaveLength(256);
});

const CENSUS = { units: 1, byStatus: [], byFlag: [], fixesYoungerThan: [], newestFixAtMs: null };

const reportOf = (usdot: string, failure: PollReport['failure'] = null): PollReport => ({
  usdot,
  failure,
  tookMs: 5,
  counts: CENSUS,
});

test('the journal keeps the last poll of each fleet, and of no more fleets than it may', () => {
  const journal = new FeedJournal(2);
  journal.notePoll(reportOf('a', 'network'), null);
  journal.notePoll(reportOf('b'), null);
  journal.notePoll(reportOf('a'), null);
  expect(journal.lastPoll('a')).toMatchObject({ failure: null });
  journal.notePoll(reportOf('c'), null);
  expect(journal.usdots()).toEqual(['a', 'c']);
  expect(journal.lastPoll('b')).toBeNull();
});
