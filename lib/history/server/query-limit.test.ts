import { expect, it } from 'vitest';
import { clockOf } from '@/testing/clock';
import type { Runtime } from '@/lib/http/runtime';
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
  for (const viewer of ['a', 'a', 'a', 'b', 'b', 'b']) void ask(viewer);
  const refused = ask('c');
  expect(await countBegun()).toBe(6);
  passMs(5000);
  await expect(refused).rejects.toMatchObject({ code: 'history-busy' });
});

it('makes room after a query that failed', async () => {
  const limit = new QueryLimit(clockOf(() => 0));
  const fail = () => Promise.reject(new Error('no'));
  for (let i = 0; i < 4; i++) await expect(limit.run('a', fail)).rejects.toThrow('no');
});

const createStreams = () => {
  const limit = new QueryLimit(clockOf(() => 0));
  const logged: string[] = [];
  const log = { error: (_: object, text: string) => logged.push(text) } as unknown as Runtime['log'];
  const history = { limit } as unknown as NonNullable<Runtime['history']>;
  let running = 0;
  return {
    logged,
    countRunning: () => running,
    stream: (
      pieces: (signal: AbortSignal) => AsyncGenerator<string>,
      request = { signal: new AbortController().signal },
    ) =>
      streamHistory({ history, log }, { id: 'a' }, request, async function* (_, signal) {
        running++;
        try {
          yield* pieces(signal);
        } finally {
          running--;
        }
      }),
  };
};

it('streams what a query yields, and throws what fails before the first piece', async () => {
  const { stream } = createStreams();
  const whole = await stream(async function* () {
    yield* ['a', 'é'];
  });
  expect(await new Response(whole).text()).toBe('aé');
  const failing = stream(async function* () {
    throw new RangeError('too long');
  });
  await expect(failing).rejects.toThrow('too long');
});

it('ends a query whose client has left, and one that fails on the way breaks off', async () => {
  const { stream, countRunning, logged } = createStreams();
  const signals: AbortSignal[] = [];
  const long = async function* (signal: AbortSignal) {
    signals.push(signal);
    yield 'line';
    // The next one would take long.
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  // More than may run at once.
  for (let i = 0; i < 5; i++) await (await stream(long)).cancel();
  expect(countRunning()).toBe(0);
  expect(logged).toEqual([]);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  // Nothing reads or cancels the body of a client that leaves before the first line.
  for (let i = 0; i < 5; i++) {
    const client = new AbortController();
    const body = stream(async function* () {
      client.abort();
      yield 'line';
    }, client);
    await body;
    await expect.poll(countRunning).toBe(0);
  }
  const broken = await stream(async function* () {
    yield 'line';
    throw new Error('the disk');
  });
  await expect(new Response(broken).text()).rejects.toThrow('the disk');
  expect(logged).toEqual(['A query of the history failed.']);
});
