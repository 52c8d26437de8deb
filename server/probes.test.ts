import { expect, it } from 'vitest';
import { TrackingError } from '@/lib/tracking/errors';
import { clockOf } from '@/testing/clock';
import { systemClock } from '@/lib/base/clock';
import { createAccountProbe, createDatabaseProbe } from './probes';

const ACCOUNT = { companyName: 'Prairie Star', companyId: 'ps', usdot: '9000001' };

it('answers at once, requests in the background, and keeps the last account when a request fails', async () => {
  const clock = { nowMs: 0 };
  const codes: string[] = [];
  let asked = 0;
  let isDown = false;
  const peek = createAccountProbe({
    read: async () => {
      asked++;
      if (isDown) throw new TrackingError('network', 'refused');
      return ACCOUNT;
    },
    clock: clockOf(() => clock.nowMs),
    onProblem: ({ code }) => codes.push(code),
  });
  expect(peek()).toEqual({ account: null, problem: null });
  await expect.poll(peek).toEqual({ account: ACCOUNT, problem: null });
  expect(asked).toBe(1);
  isDown = true;
  clock.nowMs += 61_000;
  peek();
  await expect.poll(peek).toMatchObject({
    account: ACCOUNT,
    problem: { code: 'provider-unreachable', detail: 'The tracking API cannot be reached.' },
  });
  clock.nowMs += 30_000;
  peek();
  expect(asked).toBe(2);
  clock.nowMs += 31_000;
  peek();
  await expect.poll(() => asked).toBe(3);
  expect(codes).toEqual(['provider-unreachable']);
});

const setUp = () => {
  const clock = { nowMs: 1000, elapsedMs: 0 };
  const database = { isAway: false, asked: 0 };
  const probe = createDatabaseProbe({
    query: async () => {
      database.asked++;
      if (database.isAway)
        throw new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED' }) });
    },
    clock: {
      nowMs: () => clock.nowMs,
      monotonicMs: () => clock.elapsedMs,
      setTimer: systemClock.setTimer,
    },
  });
  return { clock, database, probe };
};

it('answers at once, and queries the database once in five seconds, however often it is read', async () => {
  const { clock, database, probe } = setUp();
  expect(probe.read()).toEqual({ state: 'unknown', sinceMs: null, code: null });
  await probe.check();
  for (let reads = 0; reads < 20; reads++) expect(probe.read().state).toBe('ok');
  expect(database.asked).toBe(1);
  clock.elapsedMs += 5000;
  probe.read();
  probe.read();
  await probe.check();
  expect(database.asked).toBe(2);
});

it('reports since when the database is away, the error code, and whether it was ever reached', async () => {
  const { clock, database, probe } = setUp();
  database.isAway = true;
  await probe.check();
  expect(probe.wasReached()).toBe(false);
  clock.nowMs = 2000;
  await probe.check();
  expect(probe.read()).toEqual({ state: 'away', sinceMs: 1000, code: 'ECONNREFUSED' });
  database.isAway = false;
  await probe.check();
  database.isAway = true;
  await probe.check();
  expect(probe.wasReached()).toBe(true);
  expect(probe.read()).toMatchObject({ state: 'away', sinceMs: 2000 });
});
