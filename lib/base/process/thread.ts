import type { BuildOptions } from 'esbuild';
import { setFlagsFromString } from 'node:v8';

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
 * The code of a thread from TypeScript source, relative to the checkout: bundled, because a loader takes a second
 * longer, and a string, because a bundler would include a path in the server. The variable makes esbuild end with the
 * build.
 */
export const toThreadCode = (source: string): string => `
process.env.ESBUILD_WORKER_THREADS = '0';
const { buildSync } = require('esbuild');
const { outputFiles } = buildSync(${JSON.stringify({ ...toInput(source), ...OPTIONS })});
require('node:vm').runInThisContext('(require) => {' + outputFiles[0].text + '}')(require);`;

/** The code of a thread, bundled once for several threads. `external`: packages that it loads from node_modules. */
export const bundleThread = async (source: string, external: string[] = []): Promise<string> => {
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({ ...toInput(source), ...OPTIONS, external });
  // Ends its process.
  await stop();
  return outputFiles[0]!.text;
};

/** V8's own mode for low memory. */
export const MEMORY_FLAG = '--optimize-for-size';
/** The mode also bounds the space for young objects, which leaving it does not undo. */
const FLAGS_OF_NO_MODE = ['--no-optimize-for-size', '--max-semi-space-size=0'];

let isOptimized = false;

/**
 * Makes V8 of the whole process collect garbage soon after a collection and compact the heap, which it lets double by
 * default and of which half fills with gaps between objects that a fleet keeps for minutes.
 */
export const optimizeForSize = (): void => {
  isOptimized = true;
  setFlagsFromString(MEMORY_FLAG);
};

let running = 0;

/**
 * Runs work with much garbage in threads of its own without the mode, in which a new thread has 1 instead of 16 MB for
 * young objects.
 */
export const withMemory = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running++ === 0 && isOptimized) for (const flag of FLAGS_OF_NO_MODE) setFlagsFromString(flag);
  try {
    return await work();
  } finally {
    if (--running === 0 && isOptimized) setFlagsFromString(MEMORY_FLAG);
  }
};
