import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { bundleThread, toThreadCode } from './thread';

const SOURCE = `import { parentPort } from 'node:worker_threads'; parentPort!.postMessage('begun' satisfies string);`;

/** The processes that this one has started and that did not end. */
const listChildren = (): string[] =>
  readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '))
    .filter((pid) => pid !== '');

it('runs TypeScript in a thread, and leaves no process of the bundler behind', async () => {
  const before = listChildren();
  for (const code of [toThreadCode(SOURCE), await bundleThread(SOURCE)]) {
    const worker = new Worker(code, { eval: true });
    expect(await once(worker, 'message')).toEqual(['begun']);
    await expect.poll(listChildren).toEqual(before);
    await worker.terminate();
  }
});
