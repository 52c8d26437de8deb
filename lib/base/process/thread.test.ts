import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { bundleThread, toThreadCode, MEMORY_FLAG } from './thread';
import { spawnSync } from 'node:child_process';

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

// V8 only warns about an unknown flag on the error output, and memory use would grow unnoticed.
it('names a flag that V8 knows', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(stdout).toContain(`${MEMORY_FLAG} (`);
});

/** Prints for how many bytes of young objects a thread has room once it has made 400 MB of them. */
const THREAD = `
  for (let i = 0, made = []; i < 1e7; i++) made = [i, made.length];
  import('node:v8').then(({ getHeapSpaceStatistics }) =>
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size));`;
const run = `once(new Worker(${JSON.stringify(THREAD)}, { eval: true }), 'exit')`;

/** The bytes that a thread prints in a process of its own with the mode, which would slow the other tests of this one. */
const readRoom = (program: string): number => {
  const code = `
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    import { optimizeForSize, withMemory } from './lib/base/process/thread.ts';
    optimizeForSize();
    ${program}`;
  const args = ['--conditions=react-server', '--import', 'tsx', '--input-type=module', '--eval', code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return Number(stdout);
};
const ROOM = 4 * 1024 ** 2;

it('leaves work with much garbage room for young objects, until the last of it is done', () => {
  expect(
    readRoom(`
      const ending = withMemory(async () => {});
      await withMemory(async () => {
        await ending;
        await ${run};
      });`),
  ).toBeGreaterThanOrEqual(ROOM);
});

it('is on again after such work, also after work that failed', () => {
  expect(
    readRoom(`
      await withMemory(() => Promise.reject(new Error('failed'))).catch(() => {});
      await ${run};`),
  ).toBeLessThan(ROOM);
});
