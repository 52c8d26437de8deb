import { existsSync, readFileSync, rmSync, writeFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compressFiles } from './compress.mjs';
import { hashFiles, listFiles, listImports } from './files.mjs';
import { buildServiceWorker } from './service-worker.mjs';
import { run, step } from './step.mjs';
import { mergeStyleSheets } from './style-sheet.mjs';

const COMPRESS = join('scripts', 'bootstrap', 'compress.mjs');

/** What the build reads. The service worker lists the generated files of public/. */
const SOURCES = [
  'app',
  'components',
  'lib',
  'service',
  'next.config.mjs',
  'package-lock.json',
  'public/basemap',
  'public/places',
  'scripts/bootstrap/build.mjs',
  COMPRESS,
  'scripts/bootstrap/service-worker.mjs',
  'scripts/bootstrap/style-sheet.mjs',
  'server',
  'tsconfig.json',
];

const isBuilt = (name) => !/\.(?:test\.tsx?|br)$/.test(name);

/**
 * Chromium compiles such a script, all of it, while it arrives and beside the page's own thread. Otherwise it compiles each
 * function when it is first called, which on a phone is a third of the time for which the page does not react.
 */
const hintCompiling = (root) => {
  for (const name of listFiles(root, [join('.next', 'static')], (name) => name.endsWith('.js'))) {
    const file = join(root, name);
    writeFileSync(file, `//# allFunctionsCalledOnLoad\n${readFileSync(file, 'utf8')}`);
  }
};

/**
 * The server beside the packages that it loads. From its sources, which are translated while it starts, it is ready in 9
 * instead of 6 s and takes 120 MB more.
 */
const bundleServer = async (root) => {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: ['server/main.ts'],
    outdir: '.next/linehaul',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    // What is loaded on use stays in files of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
};

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
  await step('Building the application', async () => {
    await run(process.execPath, [next, 'build'], { cwd: root, env });
    mergeStyleSheets(root);
    hintCompiling(root);
    await buildServiceWorker(root);
    await bundleServer(root);
    await compressFiles(root, join('.next', 'static'));
  });
  writeFileSync(stamp, hash);
};

const isFilled = (folder) => existsSync(folder) && readdirSync(folder).length > 0;

/** Runs every scripts/data/build-NAME.ts whose output, public/NAME/, is missing or older than its inputs. */
export const buildData = async (root) => {
  const scripts = readdirSync(join(root, 'scripts', 'data')).filter((name) =>
    /^build-.*\.(ts|mjs)$/.test(name),
  );
  for (const script of scripts.sort()) {
    const entry = join('scripts', 'data', script);
    const name = script.replace(/^build-|\.\w+$/g, '');
    const stamp = join(root, '.cache', `data-${name}`);
    const hash = hashFiles(root, [...listImports(root, entry), 'package-lock.json', COMPRESS]);
    const isCurrent =
      isFilled(join(root, 'public', name)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
    if (isCurrent) continue;
    rmSync(stamp, { force: true });
    await step(`Preparing ${name}`, async () => {
      await run(process.execPath, ['--import', 'tsx', entry], { cwd: root });
      await compressFiles(root, join('public', name));
    });
    mkdirSync(join(root, '.cache'), { recursive: true });
    writeFileSync(stamp, hash);
  }
};
