import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PHASE_PRODUCTION_BUILD } from 'next/constants.js';
import { listSourcePackages, listSources } from './scripts/bootstrap/run-from-source.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
  // tsc checks the types, in npm test and npm run check: a build needs not do it again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  // Live answers are compressed once a version by lib/live, not once a viewer by the server.
  compress: true,
  // No page has a picture to be resized: the server needs neither the route nor a folder to keep results in.
  images: { unoptimized: true },
  serverExternalPackages: ['pg', 'pino', 'prom-client'],
  devIndicators: false,
  // In development the demo's trucks report through the same server, several every second.
  logging: { incomingRequests: { ignore: [/^\/(api|tracking)\//] } },
  agentRules: false,
};

/** Of a package, what runs: no types, no sources, no maps, no tests. */
const RUNS = '*.{js,cjs,mjs,json,node,wasm}';
const UNUSED = ['test', 'tests', 'benchmarks'];
const toRunning = (folder) => [
  `${folder}/${RUNS}`,
  `${folder}/bin/*`,
  ...readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !UNUSED.includes(entry.name))
    .map(({ name }) => `${folder}/${name}/**/${RUNS}`),
];

/**
 * Beside what it builds for `next start`, the build puts into .next/standalone all that a container needs. The route
 * only carries the list: what it names is put there once for all of them.
 *
 * @returns {import('next').NextConfig}
 */
const toStandalone = () => ({
  output: 'standalone',
  outputFileTracingRoot: root,
  outputFileTracingIncludes: {
    '/api/health': [...listSources(root), ...listSourcePackages(root).flatMap(toRunning)],
  },
  outputFileTracingExcludes: { '**': ['node_modules/sharp/**', 'node_modules/@img/**'] },
});

/** Only the build is told of the standalone output: `next start` would warn of it at every start. */
export default (phase) => (phase === PHASE_PRODUCTION_BUILD ? { ...config, ...toStandalone() } : config);
