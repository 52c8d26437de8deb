import { expect, it } from 'vitest';
import { createAccountsDatabaseWatch } from './accounts-database-watch';

const setUp = () => {
  const clock = { nowMs: 1000, elapsedMs: 0 };
  const database = { isAway: false, asked: 0 };
  const watch = createAccountsDatabaseWatch({
    ask: async () => {
      database.asked++;
      if (database.isAway)
        throw new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED' }) });
    },
    now: () => clock.nowMs,
    elapsed: () => clock.elapsedMs,
  });
  return { clock, database, watch };
};

it('answers at once, and queries the database once in five seconds, however often it is read', async () => {
  const { clock, database, watch } = setUp();
  expect(watch.read()).toEqual({ state: 'unknown', sinceMs: null, code: null });
  await watch.look();
  for (let reads = 0; reads < 20; reads++) expect(watch.read().state).toBe('ok');
  expect(database.asked).toBe(1);
  clock.elapsedMs += 5000;
  watch.read();
  watch.read();
  await watch.look();
  expect(database.asked).toBe(2);
});

it('reports since when the database is away, the error code, and whether it was ever reached', async () => {
  const { clock, database, watch } = setUp();
  database.isAway = true;
  await watch.look();
  expect(watch.wasReached()).toBe(false);
  clock.nowMs = 2000;
  await watch.look();
  expect(watch.read()).toEqual({ state: 'away', sinceMs: 1000, code: 'ECONNREFUSED' });
  database.isAway = false;
  await watch.look();
  database.isAway = true;
  await watch.look();
  expect(watch.wasReached()).toBe(true);
  expect(watch.read()).toMatchObject({ state: 'away', sinceMs: 2000 });
});
