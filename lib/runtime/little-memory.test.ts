import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { GROWTH_FLAG } from './heap-growth';

// One that V8 does not know it leaves aside with a line on the error output, and memory would grow unseen.
it('names a flag that V8 knows', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(stdout).toContain(`${GROWTH_FLAG} (`);
});
