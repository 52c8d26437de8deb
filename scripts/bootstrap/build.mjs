import { existsSync, readFileSync, rmSync, writeFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compressFiles, hashFiles, listFiles, listImports } from './files.mjs';
import { buildServiceWorker } from './service-worker.mjs';
import { run, step } from './step.mjs';
import { mergeStyleSheets } from './style-sheet.mjs';

/** The script that writes the Brotli copies. */
const COMPRESS = join('scripts', 'bootstrap', 'files.mjs');

/** The sources of the build. The service worker lists the generated files of public/. */
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

/** Makes something again unless its output is there and the stamp says that it is of the same sources. */
const makeIfChanged = async ({ stamp, hash, isThere }, make) => {
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  rmSync(stamp, { force: true });
  await make();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
};

/** The sources of the server's bundle, besides packages; app/ has the route of the live answers. */
const SERVER_SOURCES = ['app', 'lib', 'server', 'service', 'scripts/bootstrap/build.mjs', 'tsconfig.json'];

/**
 * The server beside the packages that it loads. From its sources, which are translated while it starts, it is ready in 9
 * instead of 6 s and takes 120 MB more.
 */
const bundleServer = async (root) => {
  const { build } = await import('esbuild');
  const outdir = join(root, '.next', 'linehaul');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['server/main.ts'],
    outdir,
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

/** Builds the pages, and the server, when their sources are not those of the last build. */
export const buildApplication = async (root) => {
  const toPart = (name, sources, output) => ({
    stamp: join(root, '.next', name),
    hash: hashFiles(root, listFiles(root, sources, isBuilt)),
    isThere: existsSync(join(root, '.next', output)),
  });
  await makeIfChanged(toPart('linehaul-sources', SOURCES, 'BUILD_ID'), () =>
    step('Building the application', async () => {
      const next = join('node_modules', 'next', 'dist', 'bin', 'next');
      const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
      await run(process.execPath, [next, 'build'], { cwd: root, env });
      mergeStyleSheets(root);
      hintCompiling(root);
      await buildServiceWorker(root);
      await compressFiles(root, join('.next', 'static'));
    }),
  );
  await makeIfChanged(toPart('server-sources', SERVER_SOURCES, 'linehaul/main.mjs'), () =>
    bundleServer(root),
  );
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
    await makeIfChanged({ stamp, hash, isThere: isFilled(join(root, 'public', name)) }, () =>
      step(`Preparing ${name}`, async () => {
        await run(process.execPath, ['--import', 'tsx', entry], { cwd: root });
        await compressFiles(root, join('public', name));
      }),
    );
  }
};
