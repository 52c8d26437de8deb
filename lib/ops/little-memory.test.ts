import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { MEMORY_FLAG } from './little-memory';

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
const PROGRAM = `
  import { optimizeForSize, startBusyThread } from './lib/ops/little-memory.ts';
  optimizeForSize();
  startBusyThread(${JSON.stringify(THREAD)});`;

// A process of its own: the mode would slow the other tests of this one down.
it('leaves a busy thread room for young objects', () => {
  const args = ['--conditions=react-server', '--import', 'tsx', '--input-type=module', '--eval', PROGRAM];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(Number(stdout)).toBeGreaterThanOrEqual(4 * 1024 ** 2);
});
