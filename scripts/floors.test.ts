import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';

const CRUISE = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const RULES = resolve('.dependency-cruiser.mjs');
const root = createScratchFolder('linehaul-floors-');
afterAll(() => removeScratchFolder(root));

/** The imports that the rules refuse of a source tree that has these alone, by their rules. */
const findRefused = (imports: Record<string, string>): string[] => {
  writeFileSync(join(root, 'tsconfig.json'), '{}');
  for (const [from, to] of Object.entries(imports)) {
    for (const file of [from, to]) mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, to), 'export {};', { flag: 'a' });
    writeFileSync(
      join(root, from),
      `import '${'../'.repeat(from.split('/').length - 1)}${to.replace('.ts', '')}';\n`,
      {
        flag: 'a',
      },
    );
  }
  const args = [CRUISE, '--config', RULES, '--output-type', 'err', 'lib', 'service'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return [...stdout.matchAll(/error (\S+?): (\S+) → (\S+)/g)].map(
    ([, rule, from, to]) => `${rule}: ${from} → ${to}`,
  );
};

it('an import of a floor above, of a folder to the right, and of a folder without a floor are refused', () => {
  const refused = findRefused({
    'lib/geo/up.ts': 'lib/feeds/feed.ts',
    'lib/sites/right.ts': 'lib/alerts/alert.ts',
    'lib/alerts/left.ts': 'lib/tags/tag.ts',
    'lib/unknown/new.ts': 'lib/base/clock.ts',
    'service/store/up.ts': 'service/access/key.ts',
    'service/access/down.ts': 'service/store/keys.ts',
  });
  expect(refused.filter((line) => /^(lib|service|every)-/.test(line)).sort()).toEqual([
    'every-folder-has-a-floor: lib/unknown/new.ts → lib/base/clock.ts',
    'lib-geo: lib/geo/up.ts → lib/feeds/feed.ts',
    'lib-sites: lib/sites/right.ts → lib/alerts/alert.ts',
    'service-store: service/store/up.ts → service/access/key.ts',
  ]);
});
