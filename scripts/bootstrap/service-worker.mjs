import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listFiles } from './files.mjs';

/** Lists of the files that the pages of a fleet, the offline page and every page begin with. */
const MANIFESTS = ['.next/build-manifest.json', '.next/server/app/fleets', '.next/server/app/offline'];
const isManifest = (name) => /manifest\.js(?:on)?$/.test(name);
const isServed = (name) => /\.(?:js|css|svg|png|woff2)$/.test(name);

/** The scripts, style sheets and pictures of a build that the pages of a fleet need. No other page works offline. */
export const listFleetFiles = (root) => {
  const files = listFiles(root, ['.next/static/chunks', '.next/static/media'], isServed);
  const found = new Set();
  /** Code that is loaded later is named in the code that loads it, and in no manifest. */
  const addNamedIn = (name) => {
    const text = readFileSync(join(root, name), 'latin1');
    for (const file of files) {
      if (found.has(file) || !text.includes(basename(file))) continue;
      found.add(file);
      if (/\.(?:js|css)$/.test(file)) addNamedIn(file);
    }
  };
  listFiles(root, MANIFESTS, isManifest).forEach(addNamedIn);
  return files.filter((file) => found.has(file));
};

const toDataAddress = (root, name) => {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, name)))
    .digest('hex')
    .slice(0, 12);
  return `/${name.slice('public/'.length)}?v=${hash}`;
};

/** Writes .next/service-worker.js, which lists the files of the build that is there. */
export const buildServiceWorker = async (root) => {
  const data = listFiles(root, ['public/basemap', 'public/places'], (name) => name.endsWith('.json'));
  const values = {
    BUILD: readFileSync(join(root, '.next', 'BUILD_ID'), 'utf8').trim(),
    FILES: listFleetFiles(root).map((name) => ({
      url: `/_next/${name.slice('.next/'.length)}`,
      revision: null,
    })),
    DATA_FILES: Object.fromEntries(
      data.map((name) => [`/${name.slice('public/'.length)}`, toDataAddress(root, name)]),
    ),
    'process.env.NODE_ENV': 'production',
  };
  // Bootstrap itself must start without any package.
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(root, 'lib', 'live', 'offline', 'service-worker.ts')],
    outfile: join(root, '.next', 'service-worker.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    define: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])),
  });
};
