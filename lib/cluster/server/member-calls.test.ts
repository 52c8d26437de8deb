import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import type { AppError } from '@/lib/base/http/problems';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { ClusterConnection } from './connection';
import { MemberCalls } from './member-calls';

const log = { warn: () => undefined, info: () => undefined };
/** Shortens the ten seconds that a question may take. */
const clock = {
  ...systemClock,
  setTimer: (run: () => void, ms: number) => systemClock.setTimer(run, ms === 10_000 ? 300 : ms),
};

let redis: RedisServer;
const connections: ClusterConnection[] = [];
beforeAll(async () => {
  redis = await startRedis((await findFreePorts(1))[0]!);
}, 20_000);
afterAll(async () => {
  for (const connection of connections) connection.close();
  await redis.stop();
});

const startMember = async (
  member: string,
  answer: (args: unknown[]) => Promise<unknown> = async () => null,
) => {
  const connection = new ClusterConnection({ url: redis.url, secret: 'a secret', clock: systemClock, log });
  connections.push(connection);
  const calls = new MemberCalls({ connection, member, clock, log, answer: ({ args }) => answer(args) });
  connection.open();
  await vi.waitUntil(() => connection.isFollowing(), { timeout: 5000 });
  const ask = (owner: string | null, ...args: unknown[]) => calls.ask(owner, '1000001', 'detail', args);
  const askInVain = (owner: string | null, ...args: unknown[]) =>
    ask(owner, ...args).then(
      (value) => expect.fail(`Got ${String(value)}.`),
      ({ code, message }: AppError) => ({ code, message }),
    );
  return { calls, connection, ask, askInVain };
};

it('answers each question with its own answer, in whatever order they come', async () => {
  let answerFirst = (): void => undefined;
  await startMember('owner', async ([key]) => {
    if (key === 'first') await new Promise<void>((resolve) => (answerFirst = resolve));
    return { key };
  });
  const { ask } = await startMember('asking');
  const first = ask('owner', 'first');
  expect(await ask('owner', 'second')).toEqual({ key: 'second' });
  answerFirst();
  expect(await first).toEqual({ key: 'first' });
});

it('says why there is no answer: no owner, one that is gone, one that fails, and one that is silent', async () => {
  await startMember('failing', async () => {
    throw new Error('This server does not own the fleet now.');
  });
  let answerLate = (_: string): void => undefined;
  let asked = 0;
  await startMember('silent', () => {
    asked++;
    return asked === 1 ? new Promise((resolve) => (answerLate = resolve)) : Promise.resolve('the second');
  });
  const { ask, askInVain, calls } = await startMember('asking-in-vain');
  const code = 'fleet-moving';
  expect(await askInVain(null)).toEqual({ code, message: 'The fleet has no owner now.' });
  expect(await askInVain('gone')).toEqual({ code, message: 'The owner of the fleet is gone.' });
  const failed = await askInVain('failing');
  expect(failed).toEqual({ code, message: 'Error: This server does not own the fleet now.' });
  const silent = await askInVain('silent', 'a');
  expect(silent).toEqual({ code, message: 'The owner of the fleet does not answer.' });
  // It comes after its question was given up, and answers no other one.
  answerLate('the first');
  expect(await ask('silent', 'b')).toBe('the second');

  const pending = askInVain('silent-after-all');
  calls.close();
  expect((await pending).code).toBe(code);
});

it('says at once that Redis is away', async () => {
  const { askInVain } = await startMember('alone');
  await redis.stop();
  expect(await askInVain('owner')).toMatchObject({
    code: 'fleet-moving',
    message: expect.stringContaining('RedisAwayError') as string,
  });
});
