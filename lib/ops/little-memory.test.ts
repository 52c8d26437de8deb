import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { MEMORY_FLAG } from './little-memory';

// One that V8 does not know it leaves aside with a line on the error output, and memory would grow unseen.
it('names a flag that V8 knows', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(stdout).toContain(`${MEMORY_FLAG} (`);
});
