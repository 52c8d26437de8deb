import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles, listFiles, listImports } from './files.mjs';
import { listSources } from './run-from-source.mjs';
import { run, step } from './step.mjs';

/** What `next build` reads, beside what it puts into the standalone output; public/ is read by the running server. */
const SOURCES = [
  'app',
  'components',
  'lib',
  'server',
  'service',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'proxy.ts',
  'next.config.mjs',
  'package-lock.json',
  'postcss.config.mjs',
  'tsconfig.json',
];

const isBuilt = (name) => !/\.test\.tsx?$/.test(name);

/** Builds the application when its sources are not those of the last build. */
export const buildApplication = async (root) => {
  const stamp = join(root, '.next', 'linehaul-sources');
  const sources = [
    ...listFiles(root, SOURCES, isBuilt),
    ...listImports(root, 'next.config.mjs'),
    ...listSources(root),
  ];
  const hash = hashFiles(root, [...new Set(sources)].sort());
  const isCurrent =
    existsSync(join(root, '.next', 'BUILD_ID')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (isCurrent) return;
  rmSync(stamp, { force: true });
  const next = join('node_modules', 'next', 'dist', 'bin', 'next');
  const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  await step('Building the application', () => run(process.execPath, [next, 'build'], { cwd: root, env }));
  writeFileSync(stamp, hash);
};
