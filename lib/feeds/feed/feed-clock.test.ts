import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { applyLiveAnswer } from '@/lib/wire/live';
import { STATUSES } from '@/lib/motion/status';
import { POLL_MS, pass, readWhole, setUpFeed, watchFor } from '@/testing/live/watched-feed';
import { unitAt } from '@/testing/live/tracked-units';

const HOUR_MS = 60 * MINUTE_MS;

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sets the server's wall clock and no timer: timers run on monotonic time. */
const step = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/** A feed whose provider's clocks stay right when ours is set. */
const setUp = () => {
  const set = setUpFeed();
  const begunMs = performance.now();
  const minutes = () => (performance.now() - begunMs) / MINUTE_MS;
  set.provider.units = async () => [
    unitAt('DRIVES', minutes(), minutes() * 1500),
    // It reported at the start, and has been in the provider's list since.
    unitAt('PARKED', Math.min(minutes(), 10), 0),
  ];
  const readStatuses = async () => {
    const { identities, columns } = applyLiveAnswer(null, await readWhole(set.feed));
    return Object.fromEntries(
      identities.map((identity, row) => [identity?.key, STATUSES[columns.status[row]!]]),
    );
  };
  return { ...set, readStatuses };
};

describe.each([
  ['forwards', 3 * HOUR_MS],
  ['backwards', -3 * HOUR_MS],
])('a server clock that is set %s by hours', (_, stepMs) => {
  test('delays no poll, neither in the middle of one nor between two', async () => {
    const { provider, feed } = setUp();
    await watchFor(feed, MINUTE_MS);
    const before = provider.calls.units;
    step(stepMs);
    await watchFor(feed, MINUTE_MS);
    expect(provider.calls.units - before).toBe(6);
    const units = provider.units;
    provider.units = async () => {
      step(-stepMs);
      provider.units = units;
      return units();
    };
    await watchFor(feed, MINUTE_MS);
    expect(provider.calls.units - before).toBe(12);
  });

  test('ends no watch early or late', async () => {
    const { provider, feed } = setUp();
    await readWhole(feed);
    step(stepMs);
    await pass(10 * MINUTE_MS);
    expect(provider.calls.units).toBeLessThan(10);
    expect(provider.calls.units).toBeGreaterThan(5);
  });

  test('keeps the roster and the account as fresh as before', async () => {
    const { provider, feed } = setUp();
    await readWhole(feed);
    step(stepMs);
    await watchFor(feed, 11 * MINUTE_MS);
    expect(provider.calls).toMatchObject({ vins: 3, account: 1 });
  });

  test('makes no unit late or silent for longer than a poll once it is right again', async () => {
    const { feed, readStatuses } = setUp();
    await watchFor(feed, 12 * MINUTE_MS);
    const right = await readStatuses();
    expect(right).toMatchObject({ DRIVES: 'moving', PARKED: 'stopped' });
    step(stepMs);
    await watchFor(feed, 2 * MINUTE_MS);
    step(-stepMs);
    await watchFor(feed, POLL_MS);
    expect(await readStatuses()).toEqual({ ...right, PARKED: 'late' });
  });

  test('lets browsers poll for the next version in time, not hours later', async () => {
    const { feed } = setUp();
    await readWhole(feed);
    step(stepMs);
    expect((await readWhole(feed)).nextPollMs).toBeLessThanOrEqual(POLL_MS + 1000);
  });

  test('forgets no unit that has just left the list', async () => {
    const { provider, feed, readStatuses } = setUp();
    await watchFor(feed, MINUTE_MS);
    const units = provider.units;
    provider.vins = async () => [];
    provider.units = async () => (await units()).filter(({ identity }) => identity.key === 'DRIVES');
    await watchFor(feed, MINUTE_MS);
    step(stepMs);
    await watchFor(feed, MINUTE_MS);
    expect(await readStatuses()).toMatchObject({ PARKED: 'silent' });
  });
});

test('accepts a fix that it took for one of the future once its clock is right', async () => {
  const { provider, feed, readStatuses } = setUp();
  await watchFor(feed, 12 * MINUTE_MS);
  step(-3 * HOUR_MS);
  // The only report of a unit arrives while its time is in the server's future.
  const units = provider.units;
  provider.units = async () => [...(await units()), unitAt('CAME', 12, 0)];
  await watchFor(feed, MINUTE_MS);
  step(3 * HOUR_MS);
  await watchFor(feed, POLL_MS);
  expect(await readStatuses()).toMatchObject({ CAME: 'unknown' });
  const { columns, identities } = applyLiveAnswer(null, await readWhole(feed));
  const row = identities.findIndex((identity) => identity?.key === 'CAME');
  expect(columns.fixAtS[row]! * 1000).toBe(START_MS + 12 * MINUTE_MS);
});

test.each([
  { set: 'back', stepMs: -3 * HOUR_MS, movedMs: -3 * HOUR_MS },
  // As after a sleep: data fetched before it is older by the same span.
  { set: 'forward', stepMs: 3 * HOUR_MS, movedMs: 0 },
])(
  'never holds the last answer for younger than it is while the provider fails: put $set',
  async ({ stepMs, movedMs }) => {
    const { provider, feed } = setUp();
    await watchFor(feed, MINUTE_MS);
    provider.units = () => Promise.reject(new Error('no route'));
    await watchFor(feed, MINUTE_MS);
    const before = feed.state();
    expect(before.staleSinceMs).not.toBeNull();
    step(stepMs);
    await watchFor(feed, 5 * MINUTE_MS);
    expect(feed.state()).toMatchObject({
      fetchedAtMs: before.fetchedAtMs! + movedMs,
      staleSinceMs: before.staleSinceMs! + movedMs,
      problem: { sinceMs: before.problem!.sinceMs + movedMs },
    });
  },
);

test('reports that its clock and the provider’s differ, accepts answers all the same, and stops once they agree', async () => {
  const { provider, feed } = setUp();
  await watchFor(feed, MINUTE_MS);
  expect(feed.state().problem).toBeNull();
  provider.clockLeadMs = 3 * HOUR_MS;
  await watchFor(feed, MINUTE_MS);
  expect(feed.state()).toMatchObject({ problem: { kind: 'clock' }, staleSinceMs: null, activeUnits: 2 });
  provider.clockLeadMs = 400;
  // The notice stays until answers were good for a steady run.
  await watchFor(feed, MINUTE_MS + POLL_MS);
  expect(feed.state().problem).toBeNull();
});
