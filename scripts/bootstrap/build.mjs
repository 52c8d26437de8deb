import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles, listFiles } from './files.mjs';
import { run, step } from './step.mjs';

/** What `next build` reads; public/ is read by the running server. */
const SOURCES = [
  'app',
  'components',
  'lib',
  'service',
  'instrumentation-client.ts',
  'next.config.mjs',
  'package-lock.json',
  'postcss.config.mjs',
  'tsconfig.json',
];

const isBuilt = (name) => !/\.test\.tsx?$/.test(name);

/** Builds the application when its sources are not those of the last build. */
export const buildApplication = async (root) => {
  const stamp = join(root, '.next', 'linehaul-sources');
  const hash = hashFiles(root, listFiles(root, SOURCES, isBuilt));
  const isCurrent =
    existsSync(join(root, '.next', 'BUILD_ID')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (isCurrent) return;
  rmSync(stamp, { force: true });
  const next = join('node_modules', 'next', 'dist', 'bin', 'next');
  const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  await step('Building the application', () => run(process.execPath, [next, 'build'], { cwd: root, env }));
  writeFileSync(stamp, hash);
};
