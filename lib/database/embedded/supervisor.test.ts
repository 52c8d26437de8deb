import { expect, test } from 'vitest';
import { PostgresStartError } from './data-directory';
import { type Postmaster, supervisePostmaster } from './postmaster';

/** A server that ends when its supervisor or a test ends it. */
const createServer = (pid: number) => {
  let end = (_: number | null) => {};
  const ended = new Promise<number | null>((resolve) => (end = resolve));
  const server: Postmaster & { crash: () => void; stopped: number } = {
    pid,
    port: 5432,
    ended,
    stopped: 0,
    crash: () => end(2),
    stop: async () => {
      server.stopped++;
      end(0);
      await ended;
    },
  };
  return server;
};

const setUp = (first: Postmaster | null, starts: (Postmaster | Error)[]) => {
  const said: string[] = [];
  const pids: number[] = [];
  const keeper = supervisePostmaster({
    first,
    start: async () => {
      const next = starts.shift();
      if (next === undefined) throw new Error('Started once too often.');
      if (next instanceof Error) throw next;
      return next;
    },
    say: (line) => said.push(line),
    onStarted: (pid) => pids.push(pid),
    toPauseMs: () => 0,
  });
  return { keeper, said, pids };
};

test('restarts a server that ended by itself, and logs it', async () => {
  const [first, second] = [createServer(1), createServer(2)];
  const { keeper, said, pids } = setUp(first, [second]);
  first.crash();
  await expect.poll(() => pids).toEqual([2]);
  expect(said).toEqual([
    'PostgreSQL ended unexpectedly. Linehaul goes on without it, and starts it again',
    'PostgreSQL runs again (process 2)',
  ]);
  await keeper.stop();
  expect(second.stopped).toBeGreaterThan(0);
});

test('tries until it starts, and logs each reason once', async () => {
  const full = () => new PostgresStartError('could not write: No space left on device');
  const server = createServer(3);
  const { keeper, said, pids } = setUp(null, [full(), full(), full(), server]);
  await expect.poll(() => pids).toEqual([3]);
  expect(said).toHaveLength(2);
  expect(said[0]).toContain('No space left on device');
  await keeper.stop();
});

test('starts nothing after it is stopped', async () => {
  const first = createServer(1);
  const { keeper, said, pids } = setUp(first, []);
  await keeper.stop();
  expect(first.stopped).toBeGreaterThan(0);
  expect({ said, pids }).toEqual({ said: [], pids: [] });
});

test('ends a server that is still starting when the supervisor is stopped', async () => {
  const late = createServer(9);
  let start = (_: Postmaster) => {};
  const keeper = supervisePostmaster({
    first: null,
    start: () => new Promise((resolve) => (start = resolve)),
    say: () => undefined,
    onStarted: () => undefined,
    toPauseMs: () => 0,
  });
  await expect.poll(() => String(start)).not.toBe('(_) => {}');
  const stopped = keeper.stop();
  start(late);
  await stopped;
  expect(late.stopped).toBeGreaterThan(0);
});
