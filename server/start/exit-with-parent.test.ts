import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const PRELOAD = new URL('./exit-with-parent.mjs', import.meta.url).href;
const SERVER = fileURLToPath(new URL('../../testing/supervised-server.mjs', import.meta.url));

/** A database and a web server beside it, as the supervisor starts them. */
const startBoth = () => {
  const database = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  const server = fork(SERVER, {
    env: {
      ...process.env,
      // As Next.js hands its own flags on to the processes that it starts.
      NODE_OPTIONS: `--import=${PRELOAD}`,
      LINEHAUL_SUPERVISED: '1',
      LINEHAUL_POSTGRES_PID: String(database.pid),
    },
  });
  onTestFinished(() => {
    database.kill('SIGKILL');
    server.kill('SIGKILL');
  });
  return { database, server };
};

test('takes no message from a process of the web server, and lets it end without the database', async () => {
  const { database, server } = startBoth();
  expect(await once(server, 'message')).toEqual(['work is done', undefined]);
  expect(database.signalCode).toBeNull();
});

test('ends the web server and the database when the supervisor is gone', async () => {
  const { database, server } = startBoth();
  await once(server, 'message');
  const ended = Promise.all([once(server, 'exit'), once(database, 'exit')]);
  server.disconnect();
  expect(await ended).toEqual([
    [1, null],
    [null, 'SIGINT'],
  ]);
});
