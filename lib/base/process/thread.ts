import type { BuildOptions } from 'esbuild';

const OPTIONS = {
  bundle: true,
  platform: 'node',
  // It resolves server-only to the empty module, as on a server.
  conditions: ['react-server'],
  write: false,
} as const satisfies BuildOptions;

const toInput = (source: string) => ({
  stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' as const },
});

/**
 * The code of a thread from TypeScript source, whose paths are relative to the checkout. The thread does not inherit the
 * TypeScript loader, and with one of its own it starts a second later: so it bundles its modules. A string rather than a
 * path, because a bundler that resolves a path would include it in the server. The variable makes esbuild end with the
 * build: otherwise a process of 54 MB stays for the next one.
 */
export const toThreadCode = (source: string): string => `
process.env.ESBUILD_WORKER_THREADS = '0';
const { buildSync } = require('esbuild');
const { outputFiles } = buildSync(${JSON.stringify({ ...toInput(source), ...OPTIONS })});
require('node:vm').runInThisContext('(require) => {' + outputFiles[0].text + '}')(require);`;

/** The same, bundled once for several threads. */
export const bundleThread = async (source: string): Promise<string> => {
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({ ...toInput(source), ...OPTIONS });
  // Ends its process.
  await stop();
  return outputFiles[0]!.text;
};
