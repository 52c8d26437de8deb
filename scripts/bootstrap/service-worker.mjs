import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './files.mjs';

/** What a page without a network needs of a build: scripts, style sheets, and the few pictures in them. */
const isNeeded = (name) => /\.(?:js|css|svg|png|woff2)$/.test(name);

const toDataAddress = (root, name) => {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, name)))
    .digest('hex')
    .slice(0, 12);
  return `/${name.slice('public/'.length)}?v=${hash}`;
};

/** Writes .next/service-worker.js, which lists the files of the build that is there. */
export const buildServiceWorker = async (root) => {
  const files = listFiles(root, ['.next/static/chunks', '.next/static/media'], isNeeded);
  const data = listFiles(root, ['public/basemap', 'public/places'], (name) => name.endsWith('.json'));
  const values = {
    BUILD: readFileSync(join(root, '.next', 'BUILD_ID'), 'utf8').trim(),
    FILES: files.map((name) => ({ url: `/_next/${name.slice('.next/'.length)}`, revision: null })),
    DATA_FILES: Object.fromEntries(
      data.map((name) => [`/${name.slice('public/'.length)}`, toDataAddress(root, name)]),
    ),
    'process.env.NODE_ENV': 'production',
  };
  // Bootstrap itself must start without any package.
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(root, 'lib', 'offline', 'service-worker.ts')],
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
