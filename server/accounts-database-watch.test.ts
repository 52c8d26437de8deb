import { expect, it } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { createAccountsDatabaseWatch } from './accounts-database-watch';

const setUp = () => {
  const clock = { nowMs: 1000, elapsedMs: 0 };
  const database = { isAway: false, asked: 0 };
  const watch = createAccountsDatabaseWatch({
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
  return { clock, database, watch };
};

it('answers at once, and queries the database once in five seconds, however often it is read', async () => {
  const { clock, database, watch } = setUp();
  expect(watch.read()).toEqual({ state: 'unknown', sinceMs: null, code: null });
  await watch.check();
  for (let reads = 0; reads < 20; reads++) expect(watch.read().state).toBe('ok');
  expect(database.asked).toBe(1);
  clock.elapsedMs += 5000;
  watch.read();
  watch.read();
  await watch.check();
  expect(database.asked).toBe(2);
});

it('reports since when the database is away, the error code, and whether it was ever reached', async () => {
  const { clock, database, watch } = setUp();
  database.isAway = true;
  await watch.check();
  expect(watch.wasReached()).toBe(false);
  clock.nowMs = 2000;
  await watch.check();
  expect(watch.read()).toEqual({ state: 'away', sinceMs: 1000, code: 'ECONNREFUSED' });
  database.isAway = false;
  await watch.check();
  database.isAway = true;
  await watch.check();
  expect(watch.wasReached()).toBe(true);
  expect(watch.read()).toMatchObject({ state: 'away', sinceMs: 2000 });
});
