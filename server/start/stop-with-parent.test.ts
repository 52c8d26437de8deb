import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const MODULE = fileURLToPath(new URL('./stop-with-parent.ts', import.meta.url));
const IDLE = 'setInterval(() => undefined, 1000)';

/** A database, and a process that watches it and then runs `then`. */
const startBoth = async (then: string) => {
  const database = spawn(process.execPath, ['-e', IDLE]);
  const script = `const { stopWithParent } = await import(${JSON.stringify(MODULE)});
    const cancel = stopWithParent(${database.pid}); ${then}; console.log('watches'); ${IDLE};`;
  const server = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  onTestFinished(() => {
    database.kill('SIGKILL');
    server.kill('SIGKILL');
  });
  await once(server.stdout, 'data');
  return { database, server };
};

test('ends the database when this process is killed', async () => {
  const { database, server } = await startBoth('');
  const ended = once(database, 'exit');
  server.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGINT']);
});

test('leaves a process alone that is no longer watched', async () => {
  const { database, server } = await startBoth('cancel()');
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(database.signalCode).toBeNull();
});
