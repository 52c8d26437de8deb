import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { MEMORY_FLAG } from './little-memory';

// V8 only warns about an unknown flag on the error output, and memory use would grow unnoticed.
it('names a flag that V8 knows', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(stdout).toContain(`${MEMORY_FLAG} (`);
});
