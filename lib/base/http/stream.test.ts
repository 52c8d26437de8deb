import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clockOf } from '@/testing/clock';
import { openStream } from './stream';

const setUp = () => {
  const logged: string[] = [];
  const timers = new Set<() => void>();
  const client = new AbortController();
  const state = { isAllowed: true, running: 0 };
  const clock = clockOf(
    () => 0,
    (run) => {
      timers.add(run);
      return () => void timers.delete(run);
    },
  );
  const open = (create: (signal: AbortSignal) => AsyncGenerator<string | Uint8Array>) =>
    openStream(
      {
        request: client,
        ...{ clock, log: { error: (_: object, text: string) => void logged.push(text) } },
        isAllowed: async () => state.isAllowed,
      },
      async function* (signal) {
        state.running++;
        try {
          yield* create(signal);
        } finally {
          state.running--;
        }
      },
    );
  /** Runs the timers that are due. */
  const tick = async (): Promise<void> => {
    for (const run of timers) {
      timers.delete(run);
      run();
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { open, client, state, logged, timers, tick };
};

const yieldAll = (...pieces: (string | Uint8Array)[]) =>
  async function* () {
    yield* pieces;
  };

it('streams what a generator yields, and throws what fails before the first piece', async () => {
  const { open, state, timers } = setUp();
  const { body, ended } = await open(yieldAll('a', 'é', new Uint8Array([33])));
  expect(await new Response(body).text()).toBe('aé!');
  await ended;
  const failing = open(async function* () {
    throw new RangeError('too long');
  });
  await expect(failing).rejects.toThrow('too long');
  expect([state.running, timers.size]).toEqual([0, 0]);
});

it('makes a piece when the one before was taken, and breaks off where one fails', async () => {
  const { open, logged, state } = setUp();
  const made: number[] = [];
  const { body, ended } = await open(async function* () {
    for (let i = 0; i < 3; i++) {
      made.push(i);
      yield String(i);
    }
    throw new Error('the disk');
  });
  const reader = body.getReader();
  for (const expected of [[0], [0, 1], [0, 1, 2]]) {
    await reader.read();
    expect(made).toEqual(expected);
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toEqual(expected);
  }
  expect(state.running).toBe(1);
  await expect(reader.read()).rejects.toThrow('the disk');
  await ended;
  expect([state.running, logged]).toEqual([0, ['A streamed answer broke off.']]);
});

it('ends with the access of its viewer, while it is read and while it is not', async () => {
  const { open, state, tick, timers } = setUp();
  const waiting = await open(yieldAll('a', 'b'));
  const read = await open(async function* (signal) {
    yield 'a';
    // The next one takes long.
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  });
  const reader = read.body.getReader();
  await reader.read();
  const next = expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' });
  await tick();
  expect(state.running).toBe(2);
  state.isAllowed = false;
  await tick();
  await next;
  await Promise.all([waiting.ended, read.ended]);
  await expect(new Response(waiting.body).text()).rejects.toThrow();
  expect([state.running, timers.size]).toEqual([0, 0]);
});

it('ends once and frees all, whenever the client leaves, the access ends or a piece fails', async () => {
  const rejected: unknown[] = [];
  const note = (error: unknown): void => void rejected.push(error);
  process.on('unhandledRejection', note).on('uncaughtException', note);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(4),
      fc.array(fc.constantFrom('read', 'leave', 'cancel', 'lose', 'turn'), { maxLength: 8 }),
      fc.boolean(),
      fc.boolean(),
      async (pieces, acts, isSlow, hasFault) => {
        const { open, client, state, tick, timers, logged } = setUp();
        const opening = open(async function* () {
          for (let i = 0; i < pieces; i++) {
            if (isSlow) await turn();
            yield 'piece';
          }
          if (hasFault && pieces > 0) throw new Error('the disk');
        });
        if (acts[0] === 'leave') client.abort();
        const { body, ended } = await opening;
        const reader = body.getReader();
        const all: Promise<unknown>[] = [];
        for (const act of acts) {
          if (act === 'read') all.push(reader.read().catch(() => undefined));
          if (act === 'leave') client.abort();
          if (act === 'cancel') all.push(reader.cancel().catch(() => undefined));
          if (act === 'lose') state.isAllowed = false;
          if (act === 'lose' || act === 'turn') await tick();
        }
        all.push(reader.cancel().catch(() => undefined));
        await Promise.all([...all, ended]);
        await turn();
        expect([state.running, timers.size]).toEqual([0, 0]);
        expect(logged.filter((text) => text !== 'A streamed answer broke off.')).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
  await turn();
  process.off('unhandledRejection', note).off('uncaughtException', note);
  expect(rejected).toEqual([]);
});
