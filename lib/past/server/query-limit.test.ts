import { expect, it } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { clockOf } from '@/testing/clock';
import { streamHistory } from './queries';
import { QueryLimit } from './query-limit';

const setUp = () => {
  let nowMs = 0;
  const timers: (() => void)[] = [];
  const clock = clockOf(
    () => nowMs,
    (run) => {
      timers.push(run);
      return () => undefined;
    },
  );
  const limit = new QueryLimit(clock);
  const ends: (() => void)[] = [];
  let begun = 0;
  const query = () => {
    begun++;
    return new Promise<string>((resolve) => ends.push(() => resolve('done')));
  };
  return {
    ask: (viewer: string) => limit.run(viewer, query),
    countBegun: async () => (await Promise.resolve(), begun),
    endFirst: () => ends.shift()!(),
    passMs: (ms: number) => {
      nowMs += ms;
      for (const run of timers.splice(0)) run();
    },
  };
};

it('lets three queries of a viewer run at once, and the next when one has ended', async () => {
  const { ask, countBegun, endFirst } = setUp();
  const answers = [1, 2, 3, 4].map(() => ask('a'));
  expect(await countBegun()).toBe(3);
  void ask('b');
  expect(await countBegun()).toBe(4);
  endFirst();
  await expect(answers[0]).resolves.toBe('done');
  await expect.poll(countBegun).toBe(5);
});

it('lets six run at once, and refuses one that has waited for five seconds', async () => {
  const { ask, countBegun, passMs } = setUp();
  for (const viewer of ['a', 'a', 'a', 'b', 'c', 'd']) void ask(viewer);
  const refused = ask('e');
  expect(await countBegun()).toBe(6);
  passMs(5000);
  await expect(refused).rejects.toMatchObject({ code: 'history-busy' });
});

it('keeps places for viewers that have no query, however many others have', async () => {
  const { ask, countBegun } = setUp();
  for (const viewer of ['a', 'a', 'a', 'a', 'b', 'b', 'b']) void ask(viewer).catch(() => undefined);
  expect(await countBegun()).toBe(4);
  for (const viewer of ['c', 'd']) void ask(viewer);
  expect(await countBegun()).toBe(6);
});

it('makes room after a query that failed', async () => {
  const limit = new QueryLimit(clockOf(() => 0));
  const fail = () => Promise.reject(new Error('no'));
  for (let i = 0; i < 4; i++) await expect(limit.run('a', fail)).rejects.toThrow('no');
});

it('counts a stream as a query until it has ended', async () => {
  const { limit, log } = { limit: new QueryLimit(clockOf(() => 0)), log: { error: () => undefined } };
  const shared = { history: { limit }, clock: systemClock, log };
  const request = { signal: new AbortController().signal };
  const stream = () =>
    streamHistory(
      { ...shared, request, viewer: { id: 'a' }, isAllowed: async () => true },
      async function* () {
        yield* ['a', 'b'];
      },
    );
  const bodies = await Promise.all([stream(), stream(), stream()]);
  let isOpen = false;
  const fourth = stream().then((body) => ((isOpen = true), body));
  const reader = bodies[0]!.getReader();
  for (const letter of ['a', 'b']) {
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(letter);
    expect(isOpen).toBe(false);
  }
  expect((await reader.read()).done).toBe(true);
  expect(await new Response(await fourth).text()).toBe('ab');
  await Promise.all(bodies.slice(1).map((body) => body.cancel()));
});
